//! Numbering of ranks by engines: xiangqi programs count them from 0, Fairy-Stockfish in UCI and
//! programs built on it count them from 1.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use xiangqi::board::Move;
use xiangqi::geometry::Square;

/// A way to write squares; `dialect=` in the settings of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SquareNotation {
    /// Ranks 0 to 9: `h2e2`. UCCI, UCI-Cyclone, Pikafish, Cannonade.
    #[default]
    Iccs,
    /// Ranks 1 to 10: `h3e3`, `h10g8`. Fairy-Stockfish in UCI, pyffish.
    Fairy,
}

/// The name is not that of a notation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown dialect '{0}'; expected 'iccs' (ranks 0-9) or 'fairy' (ranks 1-10)")]
pub struct ParseSquareNotationError(pub String);

impl FromStr for SquareNotation {
    type Err = ParseSquareNotationError;

    fn from_str(text: &str) -> Result<SquareNotation, ParseSquareNotationError> {
        match text.to_ascii_lowercase().as_str() {
            "iccs" => Ok(SquareNotation::Iccs),
            "fairy" => Ok(SquareNotation::Fairy),
            _ => Err(ParseSquareNotationError(text.to_owned())),
        }
    }
}

/// The name in the settings.
impl fmt::Display for SquareNotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SquareNotation::Iccs => "iccs",
            SquareNotation::Fairy => "fairy",
        })
    }
}

impl SquareNotation {
    /// Returns the other of the two notations.
    pub(in crate::tournament) fn other(self) -> SquareNotation {
        match self {
            SquareNotation::Iccs => SquareNotation::Fairy,
            SquareNotation::Fairy => SquareNotation::Iccs,
        }
    }

    /// Returns the move as the engine writes it.
    pub fn write(self, mv: Move) -> String {
        match self {
            SquareNotation::Iccs => mv.to_string(),
            SquareNotation::Fairy => {
                let square =
                    |sq: Square| format!("{}{}", (b'a' + sq.file()) as char, sq.rank() + 1);
                square(mv.from()) + &square(mv.to())
            }
        }
    }

    /// Reads a move of the engine; `None` if the text is not a move in this notation.
    pub fn read(self, text: &str) -> Option<Move> {
        match self {
            SquareNotation::Iccs => text.parse().ok(),
            SquareNotation::Fairy => {
                let second = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
                let square = |part: &str| {
                    let file = part.as_bytes().first()?.to_ascii_lowercase().wrapping_sub(b'a');
                    let rank: u8 = part.get(1..)?.parse().ok()?;
                    Square::new(file, rank.checked_sub(1)?)
                };
                let (from, to) = (square(text.get(..second)?)?, square(text.get(second..)?)?);
                Move::new(from, to)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_move_is_read_back_in_both_notations() {
        for from in Square::all() {
            for mv in Square::all().filter_map(|to| Move::new(from, to)) {
                for notation in [SquareNotation::Iccs, SquareNotation::Fairy] {
                    assert_eq!(notation.to_string().parse(), Ok(notation));
                    assert_eq!(notation.read(&notation.write(mv)), Some(mv));
                }
            }
        }
        let mv = "h9g7".parse().expect("a move");
        assert_eq!(SquareNotation::Fairy.write(mv), "h10g8");
    }

    #[test]
    fn other_texts_are_not_read_as_moves() {
        for text in ["", "h", "h2", "h11e2", "h0e0", "h3h3", "3h3e", "é2e2", "(none)", "h3e99999"]
        {
            assert_eq!(SquareNotation::Fairy.read(text), None, "{text}");
        }
        assert_eq!(SquareNotation::Iccs.read("h10g8"), None);
    }
}
