//! FEN, the text of a position.
//!
//! `<board> <side> - - <plies without capture> <move number>`. Clients differ, so `h e` are read
//! for `n b`, `r` for `w`, and everything after the board may be missing.
//!
//! People copy FENs with what stands around them. A text that is no FEN as it stands is therefore
//! searched for one: the address of a page, `[FEN "..."]`, `fen=...`, quotes, `_` or `%20` for
//! blanks, an empty hand `[]` after the board, characters of full width.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use crate::geometry::{Color, ParsePieceError, Piece, Square};
use crate::text_form::excerpt;

use super::{Board, Defect};

/// The starting position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The maximum of both counters; real games stay far below.
const MAX_COUNTER: u16 = 9999;

/// Error of reading a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// Empty text.
    #[error("the FEN is empty; expected a board such as '{START_FEN}'")]
    Empty,
    /// A number of ranks other than ten.
    #[error("the FEN has {} rank{}; expected 10, separated by '/'", .0, if *.0 == 1 { "" } else { "s" })]
    RankCount(usize),
    /// A rank that is not nine squares long.
    #[error("rank {rank} of the FEN, '{text}', is {files} squares long; expected 9")]
    RankLength {
        /// The rank's number on the board, 0..10.
        rank: u8,
        /// Its text.
        text: String,
        /// The number of squares that the text describes.
        files: usize,
    },
    /// A letter that names no piece.
    #[error("rank {rank} of the FEN: {reason}")]
    Piece {
        /// The rank's number on the board, 0..10.
        rank: u8,
        /// The refused letter.
        reason: ParsePieceError,
    },
    /// A side other than `w`, `r` and `b`.
    #[error("'{0}' is not a valid side to move; expected 'w' or 'r' for Red, 'b' for Black")]
    Side(String),
    /// A counter that is not a number.
    #[error("'{0}' is not a valid counter; expected a number from 0 to {MAX_COUNTER}")]
    Counter(String),
    /// Text after the last field.
    #[error("the FEN has more than six fields; '{0}' is not expected")]
    Trailing(String),
    /// Several boards in one text.
    #[error("the text has more than one FEN; give only one")]
    Several,
    /// Moves after the FEN of an EPD line.
    #[error("moves after a FEN are not read here; give the FEN of the position after them")]
    Moves,
    /// The text is a placement, but not of xiangqi.
    #[error(transparent)]
    Defect(#[from] Defect),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fen {
    pub(super) board: Board,
    pub(super) halfmove_clock: u16,
    pub(super) move_number: u16,
}

impl Fen {
    /// Reads a FEN, or the only one in a text. Its placement may have a [`Defect`].
    pub(super) fn parse(text: &str) -> Result<Fen, FenError> {
        Fen::parse_exact(text).or_else(|error| {
            let text = cleaned(text);
            match found(&text)? {
                Some(fen) => Fen::parse_exact(&fen),
                None if is_marked(&text) => Fen::parse_exact(unmarked(&text)),
                None => Err(error),
            }
        })
    }

    /// Reads a text that is nothing but a FEN.
    pub(super) fn parse_exact(text: &str) -> Result<Fen, FenError> {
        let mut fields = text.split_whitespace();
        let mut board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        if let Some(side) = fields.next() {
            board.set_side(match side {
                "w" | "W" | "r" | "R" => Color::Red,
                "b" | "B" => Color::Black,
                _ => return Err(FenError::Side(excerpt(side))),
            });
        }
        // The two fields between are a relic of chess and always '-'; some clients leave them out.
        let mut counters = [0, 1];
        for (i, field) in fields.filter(|&field| field != "-").enumerate() {
            let counter = counters.get_mut(i).ok_or_else(|| FenError::Trailing(excerpt(field)))?;
            *counter = (field.parse().ok())
                .filter(|&n| n <= MAX_COUNTER)
                .ok_or_else(|| FenError::Counter(excerpt(field)))?;
        }
        Ok(Fen { board, halfmove_clock: counters[0], move_number: counters[1].max(1) })
    }

    /// Writes the FEN with all six fields.
    pub(super) fn write(board: &Board, halfmove_clock: u16, move_number: u16) -> String {
        let mut text = String::with_capacity(90);
        for rank in (0..Square::RANKS).rev() {
            let mut empty = 0;
            for file in 0..Square::FILES {
                match Square::new(file, rank).and_then(|sq| board.piece_on(sq)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            let _ = write!(text, "{empty}");
                            empty = 0;
                        }
                        text.push(piece.letter());
                    }
                }
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        let side = if board.side() == Color::Red { 'w' } else { 'b' };
        // A FEN of any game can be read again, also of a very long one.
        let [halfmove_clock, move_number] =
            [halfmove_clock, move_number].map(|counter| counter.min(MAX_COUNTER));
        let _ = write!(text, "{side} - - {halfmove_clock} {move_number}");
        text
    }
}

impl Board {
    /// Reads the placement and the side of a FEN. Unlike
    /// [`Position::from_fen`](super::Position::from_fen) it takes any placement; [`Board::defect`]
    /// says whether it is a position.
    ///
    /// # Errors
    /// A [`FenError`] that names the wrong field; never [`FenError::Defect`].
    ///
    /// ```
    /// use xiangqi::{Board, Position};
    ///
    /// let mut board = Board::from_fen("3k5/9/9/9/9/9/9/9/9/R8 b")?;
    /// let defect = board.defect().map(|defect| defect.to_string());
    /// assert_eq!(defect.as_deref(), Some("red has no king; put one into the palace"));
    /// board.put("K".parse()?, "e0".parse()?);
    /// assert_eq!(Position::from_board(board, 0)?.legal_moves().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fen(text: &str) -> Result<Board, FenError> {
        Fen::parse(text).map(|fen| fen.board)
    }

    /// Returns the placement and the side as FEN, with the counters of the first move of a game.
    /// [`Board::from_fen`] reads it back.
    ///
    /// ```
    /// use xiangqi::{Board, START_FEN};
    ///
    /// assert_eq!(Board::from_fen(START_FEN)?.fen(), START_FEN);
    /// assert_eq!(Board::empty().fen(), "9/9/9/9/9/9/9/9/9/9 w - - 0 1");
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn fen(&self) -> String {
        Fen::write(self, 0, 1)
    }
}

impl FromStr for Board {
    type Err = FenError;

    /// Reads what [`Board::from_fen`] reads.
    fn from_str(text: &str) -> Result<Board, FenError> {
        Board::from_fen(text)
    }
}

/// Returns the text with ASCII for characters of full width and for `%20` and its like, with blanks
/// for `_` and `+`, and without the empty hand of boards for several variants.
fn cleaned(text: &str) -> String {
    let decoded = percent_decoded(text);
    let letter = |c: char| match c {
        '_' | '+' | '＿' | '＋' | '\u{3000}' | '\u{a0}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '–' | '—' | '−' => '-',
        c => c,
    };
    let kept = |c: &char| !matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}');
    let text: String = decoded.chars().filter(kept).map(letter).collect();
    text.replace("[]", "").replace("[-]", "")
}

/// Decodes `%20` and its like, as addresses have them.
fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = || {
            let digits = std::str::from_utf8(behind.get(..2)?).ok()?;
            u8::from_str_radix(digits, 16)
                .ok()
                .filter(|_| first == b'%' && !digits.starts_with('+'))
        };
        let (byte, behind) = match code() {
            Some(byte) => (byte, behind.get(2..).unwrap_or_default()),
            None => (first, behind),
        };
        bytes.push(byte);
        rest = behind;
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the only FEN of a text; `None` if no part of it is a board.
fn found(text: &str) -> Result<Option<String>, FenError> {
    let is_of_board = |c: char| c.is_ascii_alphanumeric() || c == '/';
    let ranks = usize::from(Square::RANKS);
    let mut fen: Option<String> = None;
    let mut rest = text;
    while let Some(start) = rest.find(is_of_board) {
        rest = &rest[start..];
        let end = rest.find(|c| !is_of_board(c)).unwrap_or(rest.len());
        let (run, behind) = rest.split_at(end);
        let parts: Vec<&str> = run.split('/').collect();
        // The path of an address may stand before the board.
        let mut sound = 0;
        for (at, part) in parts.iter().enumerate() {
            sound = if parse_rank(part, 0).is_ok() { sound + 1 } else { 0 };
            if sound < ranks {
                continue;
            }
            let board = parts.get(at + 1 - ranks..=at).unwrap_or_default().join("/");
            let fields = if at + 1 == parts.len() { fields_of(behind) } else { Cow::Borrowed("") };
            let one = format!("{board} {fields}").trim_end().to_owned();
            if fen.as_ref().is_some_and(|other| *other != one) {
                return Err(FenError::Several);
            }
            fen = Some(one);
            sound = 0;
        }
        rest = behind;
    }
    Ok(fen)
}

/// Returns the fields behind a board, up to what ends a quotation or a parameter of an address.
fn fields_of(text: &str) -> Cow<'_, str> {
    let closes =
        |c: char| "\"'`”’」』](<{}>)&#;|,\\，。；、（）】".contains(c) || c == '\n' || c == '\r';
    let fields = &text[..text.find(closes).unwrap_or(text.len())];
    let mut words = fields.split_whitespace();
    let side = match words.next() {
        Some("红" | "红方" | "红先" | "红走" | "紅" | "紅方" | "紅先") => "w",
        Some("黑" | "黑方" | "黑先" | "黑走") => "b",
        _ => return Cow::Borrowed(fields),
    };
    Cow::Owned(std::iter::once(side).chain(words).collect::<Vec<_>>().join(" "))
}

/// The marks before a FEN.
const MARKS: [&str; 4] = ["position fen", "[fen", "fen", "\""];

fn is_marked(text: &str) -> bool {
    unmarked(text).len() < text.trim().len()
}

/// Returns the text without marks and quotes around a FEN, for a message about the FEN.
fn unmarked(text: &str) -> &str {
    let quotes = |c: char| c.is_whitespace() || "\"'`“”‘’=:：[]".contains(c);
    let mut rest = text.trim_matches(quotes);
    for mark in MARKS {
        let head = rest.get(..mark.len()).filter(|head| head.eq_ignore_ascii_case(mark));
        if head.is_some() {
            rest = rest.get(mark.len()..).unwrap_or_default().trim_matches(quotes);
        }
    }
    rest
}

fn parse_board(text: &str) -> Result<Board, FenError> {
    let mut board = Board::empty();
    let ranks = text.split('/').count();
    if ranks != usize::from(Square::RANKS) {
        return Err(FenError::RankCount(ranks));
    }
    for (rank, text) in (0..Square::RANKS).rev().zip(text.split('/')) {
        for (sq, piece) in parse_rank(text, rank)? {
            board.put(piece, sq);
        }
    }
    Ok(board)
}

/// Returns the pieces of a rank with their squares.
fn parse_rank(text: &str, rank: u8) -> Result<Vec<(Square, Piece)>, FenError> {
    let mut files = 0;
    let mut pieces = Vec::new();
    for letter in text.chars() {
        if let Some(empty) = letter.to_digit(10) {
            files += empty as usize;
            continue;
        }
        let piece =
            Piece::from_letter(letter).map_err(|reason| FenError::Piece { rank, reason })?;
        if let Some(sq) = u8::try_from(files).ok().and_then(|file| Square::new(file, rank)) {
            pieces.push((sq, piece));
        }
        files += 1;
    }
    if files != usize::from(Square::FILES) {
        return Err(FenError::RankLength { rank, text: excerpt(text), files });
    }
    Ok(pieces)
}
