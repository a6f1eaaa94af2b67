//! A move: its origin and target squares. The position knows the piece that moves and the one it
//! captures.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use thiserror::Error;

use crate::geometry::{Color, Piece, Square};
use crate::text_form::excerpt;

/// The maximum number of moves of a position: rooks and cannons 17 each, knights 8, pawns 3,
/// advisors and bishops 4, king 4, with the starting set of each, makes 119.
pub const MAX_MOVES: usize = 119;

/// A move in two bytes: 7 bits from, 7 bits to. No move has both squares zero, so `Option<Move>`
/// fits in the same two bytes.
///
/// ```
/// use xiangqi::{Move, Position};
///
/// let mv: Move = "h2e2".parse()?;
/// assert_eq!((mv.from().to_string(), mv.to().to_string()), ("h2".into(), "e2".into()));
/// assert_eq!(Position::startpos().check_move(mv), Ok(mv));
/// # Ok::<(), xiangqi::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

impl Move {
    /// Returns the move between two squares, or `None` if they are the same.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Option<Move> {
        if from.index() == to.index() { None } else { Some(Move::between(from, to)) }
    }

    /// Returns the move between two squares that the caller knows to be different.
    #[inline]
    pub(crate) const fn between(from: Square, to: Square) -> Move {
        debug_assert!(from.index() != to.index());
        match NonZeroU16::new(from.index() as u16 | (to.index() as u16) << 7) {
            Some(code) => Move(code),
            // Both are a0.
            None => Move(NonZeroU16::MIN),
        }
    }

    /// Returns the square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_raw((self.0.get() & 127) as u8)
    }

    /// Returns the square the piece goes to.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_raw((self.0.get() >> 7) as u8)
    }

    /// Returns the move back.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Move {
        Move::between(self.to(), self.from())
    }

    /// Returns the move mirrored left to right.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Move {
        Move::between(self.from().mirror(), self.to().mirror())
    }

    /// Returns the move as a number that fits a hash entry or a game record; never zero.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// Returns the move with this code, if it is one: both squares on the board and different.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Move> {
        let (from, to) = (code & 127, code >> 7);
        if from < 90 && to < 90 && from != to {
            match NonZeroU16::new(code) {
                Some(code) => Some(Move(code)),
                None => None,
            }
        } else {
            None
        }
    }
}

impl fmt::Display for Move {
    /// Writes both squares as UCI and UCCI do: `h2e2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

crate::text_form::serde_as_text!(Move);

/// Error of reading a move or of playing it in a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Not of the form `h2e2`.
    #[error(
        "'{0}' is not a valid move; expected two squares such as 'h2e2' (files a-i, ranks 0-9)"
    )]
    Syntax(String),
    /// The origin is empty.
    #[error("move {0}: there is no piece on {from}", from = .0.from())]
    NoPiece(Move),
    /// The piece belongs to the opponent.
    #[error("move {mv}: the piece on {from} is not {side}'s, whose turn it is", from = .mv.from())]
    NotYours {
        /// The refused move.
        mv: Move,
        /// The side to move.
        side: Color,
    },
    /// The piece does not go there.
    #[error("move {mv}: the {piece} cannot go there")]
    Impossible {
        /// The refused move.
        mv: Move,
        /// The piece on its origin.
        piece: Piece,
    },
    /// The move captures a king, which a defective start of a recorded game may leave in check.
    #[error("move {0}: a king is not captured")]
    KingCapture(Move),
    /// The move leaves the mover's own king to be captured.
    #[error("move {0}: it leaves the mover's king in check")]
    InCheck(Move),
}

impl MoveError {
    /// Returns the text of the error to stand behind `text`, in which the move was written: without
    /// the move if that is how it is written.
    pub fn behind(&self, text: &str) -> String {
        let whole = self.to_string();
        let named = format!("move {}: ", text.replace('-', "").to_ascii_lowercase());
        match whole.strip_prefix(&named) {
            Some(reason) => reason.to_owned(),
            None => whole,
        }
    }
}

impl FromStr for Move {
    type Err = MoveError;

    /// Reads `h2e2`, and the ICCS form `H2-E2`, in either case.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        let error = || MoveError::Syntax(excerpt(text));
        let (from, to) = match text.as_bytes() {
            [_, _, b'-', _, _] => (text.get(..2), text.get(3..)),
            [_, _, _, _] => (text.get(..2), text.get(2..)),
            _ => return Err(error()),
        };
        let square = |part: Option<&str>| part.and_then(|p| p.parse::<Square>().ok());
        match (square(from), square(to)) {
            (Some(from), Some(to)) if from != to => Ok(Move::between(from, to)),
            _ => Err(error()),
        }
    }
}

/// The change of the board by a move, as an incremental evaluation needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct MoveDelta {
    /// The piece that moved.
    pub piece: Piece,
    /// The square it left.
    pub from: Square,
    /// The square it reached.
    pub to: Square,
    /// The enemy piece that stood on `to`, if the move captured.
    pub captured: Option<Piece>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_text_and_code() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mv = Move::between(from, to);
                assert_eq!((mv.from(), mv.to()), (from, to));
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert_eq!(format!("{from}-{to}").to_uppercase().parse(), Ok(mv));
                assert_eq!((Move::from_code(mv.code()), Move::new(from, to)), (Some(mv), Some(mv)));
            }
            assert_eq!(Move::new(from, from), None);
        }
    }

    #[test]
    fn codes_and_texts_of_no_move_are_refused() {
        let moves = (0..=u16::MAX).filter_map(Move::from_code).count();
        assert_eq!(moves, 90 * 89);
        for text in ["", "h2", "h2e2x", "h2h2", "h2 e2", "j0a0", "h2-e", "é2e2"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
