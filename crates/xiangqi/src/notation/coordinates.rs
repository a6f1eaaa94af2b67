//! Moves as two squares: ICCS (`H2-E2`) and both forms of UCI (`h2e2`, and `h3e3` with ranks from
//! 1 to 10).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Move;
use crate::geometry::Square;
use crate::text_form::excerpt;

/// Numbering of the ranks, from Red's back rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ranks {
    /// 0 to 9, as ICCS, UCCI and most engines: `h2e2`.
    #[default]
    FromZero,
    /// 1 to 10, as Fairy-Stockfish in UCI: `h3e3`, `h10g8`.
    FromOne,
}

/// Error of reading the name of a numbering.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a numbering of ranks; expected '0-9' or '1-10'")]
pub struct ParseRanksError(pub String);

impl Ranks {
    /// Returns the other numbering.
    #[must_use]
    pub const fn other(self) -> Ranks {
        match self {
            Ranks::FromZero => Ranks::FromOne,
            Ranks::FromOne => Ranks::FromZero,
        }
    }

    /// Returns the numbering that the written ranks prove, if any: 0 occurs in one only, 10 in the
    /// other.
    pub(super) fn proven_by(ranks: &[u8]) -> Option<Ranks> {
        if ranks.contains(&10) {
            Some(Ranks::FromOne)
        } else if ranks.contains(&0) {
            Some(Ranks::FromZero)
        } else {
            None
        }
    }

    /// Returns the square of a file and of a rank as it is written, if it is on the board.
    pub(super) fn to_square(self, (file, rank): (u8, u8)) -> Option<Square> {
        Square::new(file, rank.checked_sub(self.first())?)
    }

    /// Returns the number of Red's back rank.
    pub const fn first(self) -> u8 {
        match self {
            Ranks::FromZero => 0,
            Ranks::FromOne => 1,
        }
    }

    /// Returns the square as text.
    pub fn square(self, square: Square) -> String {
        format!("{}{}", char::from(b'a' + square.file()), square.rank() + self.first())
    }

    /// Returns the move as text.
    pub fn write(self, mv: Move) -> String {
        self.square(mv.from()) + &self.square(mv.to())
    }

    /// Reads a move such as `h2e2` or `H2-E2`; whether it is legal is not checked.
    pub fn read(self, text: &str) -> Option<Move> {
        Coordinates::parse(text)?.to_move(self)
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ranks::FromZero => "0-9",
            Ranks::FromOne => "1-10",
        })
    }
}

impl FromStr for Ranks {
    type Err = ParseRanksError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<Ranks, ParseRanksError> {
        [Ranks::FromZero, Ranks::FromOne]
            .into_iter()
            .find(|ranks| ranks.to_string() == text)
            .ok_or_else(|| ParseRanksError(excerpt(text)))
    }
}

/// Two squares whose ranks are still numbers as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Coordinates {
    from: (u8, u8),
    to: (u8, u8),
}

impl Coordinates {
    /// Reads `h2e2`, `H2-E2`, `h2xe2`, `h10g8`, in either case; `None` if the text has not this
    /// form.
    pub(super) fn parse(text: &str) -> Option<Coordinates> {
        let (from, rest) = square(text)?;
        let rest = rest.strip_prefix(['-', 'x', 'X']).unwrap_or(rest);
        let (to, rest) = square(rest)?;
        rest.is_empty().then_some(Coordinates { from, to })
    }

    /// Returns the numbering that the text proves.
    pub(super) fn ranks(self) -> Option<Ranks> {
        Ranks::proven_by(&[self.from.1, self.to.1])
    }

    /// Returns the move, if both squares are on the board with this numbering, and different.
    pub(super) fn to_move(self, ranks: Ranks) -> Option<Move> {
        let (from, to) = (ranks.to_square(self.from)?, ranks.to_square(self.to)?);
        Move::new(from, to)
    }
}

/// Splits a leading square off: file (0 to 8) and rank as written (0 to 10).
pub(super) fn square(text: &str) -> Option<((u8, u8), &str)> {
    let file = text.bytes().next()?.to_ascii_lowercase().wrapping_sub(b'a');
    if file >= Square::FILES {
        return None;
    }
    let rest = text.get(1..)?;
    if let Some(rest) = rest.strip_prefix("10") {
        return Some(((file, 10), rest));
    }
    let rank = rest.bytes().next()?.wrapping_sub(b'0');
    let rest = rest.get(1..)?;
    (rank <= 9).then_some(((file, rank), rest))
}

/// Writes a move as `H2-E2`.
pub(super) fn iccs(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_both_numberings() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mv = Move::between(from, to);
                for ranks in [Ranks::FromZero, Ranks::FromOne] {
                    let text = ranks.write(mv);
                    assert_eq!(ranks.read(&text), Some(mv));
                    assert_eq!(ranks.read(&text.to_uppercase()), Some(mv));
                }
                assert_eq!(Ranks::FromZero.write(mv), mv.to_string());
            }
        }
        let mv: Move = "h9g7".parse().expect("a move");
        assert_eq!(Ranks::FromOne.write(mv), "h10g8");
        assert_eq!(Ranks::FromOne.read("H10-G8"), Some(mv));
    }

    #[test]
    fn other_text_is_not_a_move() {
        for text in ["", "h", "h2", "h11e2", "h0e0", "h3h3", "3h3e", "é2e2", "(none)", "h3e99999"]
        {
            assert_eq!(Ranks::FromOne.read(text), None, "{text}");
        }
        for text in ["h10g8", "h2h2", "h02e2", "h2e2x", "h2--e2", "j0a0", "h2 e2"] {
            assert_eq!(Ranks::FromZero.read(text), None, "{text}");
        }
    }

    #[test]
    fn names_are_read_back() {
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            assert_eq!(ranks.to_string().parse(), Ok(ranks));
        }
        assert!("auto".parse::<Ranks>().is_err());
    }
}
