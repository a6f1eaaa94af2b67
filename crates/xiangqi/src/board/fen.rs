//! FEN, the text of a position.
//!
//! `<board> <side> - - <plies without capture> <move number>`. Clients differ, so `h e` are read
//! for `n b`, `r` for `w`, and everything after the board may be missing.

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
    /// Reads a FEN. Its placement may have a [`Defect`].
    pub(super) fn parse(text: &str) -> Result<Fen, FenError> {
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

fn parse_board(text: &str) -> Result<Board, FenError> {
    let mut board = Board::empty();
    let ranks = text.split('/').count();
    if ranks != usize::from(Square::RANKS) {
        return Err(FenError::RankCount(ranks));
    }
    for (rank, text) in (0..Square::RANKS).rev().zip(text.split('/')) {
        let mut files = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10) {
                files += empty as usize;
                continue;
            }
            let piece =
                Piece::from_letter(letter).map_err(|reason| FenError::Piece { rank, reason })?;
            if let Some(sq) = u8::try_from(files).ok().and_then(|file| Square::new(file, rank)) {
                board.put(piece, sq);
            }
            files += 1;
        }
        if files != usize::from(Square::FILES) {
            return Err(FenError::RankLength { rank, text: excerpt(text), files });
        }
    }
    Ok(board)
}
