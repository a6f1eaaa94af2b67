//! Reading a move in any notation.
//!
//! The form of the text decides: two squares are coordinates, four signs that end with a direction
//! and a digit are WXF or Chinese, and what ends with a square is algebraic. The text must then
//! mean exactly one legal move of the position.

use std::borrow::Cow;

use thiserror::Error;

use crate::board::{Move, MoveError, Position};
use crate::geometry::Color;
use crate::text_form::excerpt;

use super::algebraic::AlgebraicPattern;
use super::coordinates::{Coordinates, Ranks};
use super::words::without_signs;
use super::{Notation, chinese, write, wxf};

/// Error of reading a legal move.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The text has the form of no notation.
    #[error("'{0}' is not a move; expected a form such as h2e2, H2-E2, C2=5, 炮二平五 or Che2")]
    Syntax(String),
    /// Coordinates of a move that is not legal.
    #[error("{}", coordinates_error(text, reason))]
    Coordinates {
        /// The text.
        text: String,
        /// The reason why the move is not legal.
        reason: MoveError,
    },
    /// A valid form that describes no legal move.
    #[error("'{text}' is not a legal move of {side} in {fen}")]
    NoMove {
        /// The text.
        text: String,
        /// The side to move.
        side: Color,
        /// The position.
        fen: String,
    },
    /// Two or more legal moves can be written so.
    #[error("'{text}' can mean {}; write the squares, such as {}", moves.join(" or "), moves.first().map_or("", String::as_str))]
    Ambiguous {
        /// The text.
        text: String,
        /// The moves in UCI coordinates; at least two.
        moves: Vec<String>,
    },
}

/// Names the text of a move and the reason why it is not legal, which may quote the text itself.
fn coordinates_error(text: &str, reason: &MoveError) -> String {
    match reason {
        MoveError::Syntax(_) => reason.to_string(),
        _ => format!("'{text}': {}", reason.behind(text)),
    }
}

/// Error of reading a list of moves.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("move {number} ({side}): {reason}")]
#[non_exhaustive]
pub struct MoveListError {
    /// The moves before the wrong one.
    pub moves: Vec<Move>,
    /// The number of the move in the game, from 1.
    pub number: u32,
    /// The side to move.
    pub side: Color,
    /// The error of this move.
    pub reason: NotationError,
}

/// A text taken apart.
enum Parsed {
    Coordinates(Coordinates),
    Relative(super::relative::RelativePattern),
    Algebraic(AlgebraicPattern),
}

/// Takes a text apart, also with signs of evaluation behind it, such as `h2e2±`.
fn parse(text: &str) -> Option<Parsed> {
    parse_exact(text).or_else(|| parse_exact(without_signs(text.trim())))
}

fn parse_exact(text: &str) -> Option<Parsed> {
    let text = normalized(text.trim());
    let text = text.trim_end_matches(['!', '?']);
    let plain = text.trim_end_matches(['+', '#']);
    // `E5a7` is the bishop of rank 5; `e5a7` and `E5A7` are squares.
    let algebraic = AlgebraicPattern::parse(plain);
    let starts_with_piece = plain.starts_with(['A', 'B', 'C', 'E', 'H']);
    if let Some(pattern) = algebraic.filter(|_| starts_with_piece) {
        return Some(Parsed::Algebraic(pattern));
    }
    if let Some(coordinates) = Coordinates::parse(plain) {
        return Some(Parsed::Coordinates(coordinates));
    }
    // A last `+` may be the third sign of a move, but `C2=5+` gives check.
    let relative = |text| chinese::parse(text).or_else(|| wxf::parse(text));
    if let Some(pattern) = relative(text).or_else(|| relative(plain)) {
        return Some(Parsed::Relative(pattern));
    }
    algebraic.map(Parsed::Algebraic)
}

/// Returns the text with full-width characters, dashes and the sign of minus made ASCII.
pub(super) fn normalized(text: &str) -> Cow<'_, str> {
    let ascii = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xFEE0),
        '–' | '—' | '−' => Some('-'),
        _ => None,
    };
    if !text.contains(|c| ascii(c).is_some()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| ascii(c).unwrap_or(c)).collect())
}

/// Reads a legal move of this position in any notation. Ranks are 0 to 9; those of coordinates are
/// 1 to 10 if the move is legal only with these.
///
/// # Errors
/// If no notation gives a legal move, or more than one move fits.
///
/// ```
/// use xiangqi::{Position, notation};
///
/// let position = Position::startpos();
/// for text in ["h2e2", "H2-E2", "h3e3", "C2=5", "炮二平五", "Che2"] {
///     assert_eq!(notation::read(&position, text)?.to_string(), "h2e2");
/// }
/// # Ok::<(), xiangqi::notation::NotationError>(())
/// ```
pub fn read(position: &Position, text: &str) -> Result<Move, NotationError> {
    let first = read_with(position, text, Ranks::FromZero);
    match first {
        Err(NotationError::Coordinates { .. }) => {
            read_with(position, text, Ranks::FromOne).or(first)
        }
        _ => first,
    }
}

/// Reads a legal move of this position in any notation, with this numbering of the ranks in
/// coordinates and algebraic notation.
///
/// # Errors
/// If no notation gives a legal move, or more than one move fits.
pub fn read_with(position: &Position, text: &str, ranks: Ranks) -> Result<Move, NotationError> {
    let excerpt = || excerpt(text);
    let found = match parse(text).ok_or_else(|| NotationError::Syntax(excerpt()))? {
        Parsed::Coordinates(coordinates) => {
            let mv = coordinates.to_move(ranks).ok_or_else(|| MoveError::Syntax(excerpt()));
            return mv
                .and_then(|mv| position.check_move(mv))
                .map_err(|reason| NotationError::Coordinates { text: excerpt(), reason });
        }
        Parsed::Relative(pattern) => pattern.find(position, &position.legal_moves()),
        Parsed::Algebraic(pattern) => pattern.find(position, &position.legal_moves(), ranks),
    };
    match found[..] {
        [mv] => Ok(mv),
        [] => Err(NotationError::NoMove {
            text: excerpt(),
            side: position.side(),
            fen: position.fen(),
        }),
        _ => Err(NotationError::Ambiguous {
            text: excerpt(),
            moves: found.iter().map(|&mv| write(position, mv, Notation::Uci)).collect(),
        }),
    }
}

/// Returns whether a text has the form of a move in some notation, without signs of evaluation. It
/// need not be legal in any position.
pub(crate) fn has_move_form(text: &str) -> bool {
    parse_exact(text).is_some()
}

/// Returns the numbering of the ranks that a list of moves proves, if one of its squares has a rank
/// 0 or 10.
pub fn ranks_of<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Ranks> {
    words.into_iter().find_map(|word| match parse(word)? {
        Parsed::Coordinates(coordinates) => coordinates.ranks(),
        Parsed::Algebraic(pattern) => pattern.ranks(),
        Parsed::Relative(_) => None,
    })
}

/// Reads a list of moves from this position. All squares of the list number the ranks alike: from
/// 0, or from 1 if a rank 10 occurs or all moves are legal only then.
///
/// # Errors
/// The first wrong move, with its number and text, and the moves before it.
pub fn read_moves(position: &Position, words: &[&str]) -> Result<Vec<Move>, MoveListError> {
    match ranks_of(words.iter().copied()) {
        Some(ranks) => play(position, words, ranks),
        None => play(position, words, Ranks::FromZero)
            .or_else(|error| play(position, words, Ranks::FromOne).map_err(|_| error)),
    }
}

fn play(start: &Position, words: &[&str], ranks: Ranks) -> Result<Vec<Move>, MoveListError> {
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(words.len());
    for word in words {
        match read_with(&position, word, ranks) {
            Ok(mv) => {
                moves.push(mv);
                position.play_unchecked(mv);
            }
            Err(reason) => {
                let (number, side) = (position.move_number(), position.side());
                return Err(MoveListError { moves, number, side, reason });
            }
        }
    }
    Ok(moves)
}
