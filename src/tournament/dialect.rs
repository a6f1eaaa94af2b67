//! How an engine writes squares: xiangqi programs count the ranks from 0, Fairy-Stockfish's plain
//! UCI counts them from 1.

use std::str::FromStr;

use thiserror::Error;

use crate::board::Move;
use crate::geometry::Square;

/// A way to write squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Ranks 0 to 9: `h2e2`. UCCI, UCI-Cyclone, Pikafish, ours.
    #[default]
    Iccs,
    /// Ranks 1 to 10: `h3e3`, `h10g8`. Fairy-Stockfish in UCI, pyffish.
    Fairy,
}

/// A name of no dialect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no dialect; expected 'iccs' (ranks 0-9) or 'fairy' (ranks 1-10)")]
pub struct ParseDialectError(pub String);

impl FromStr for Dialect {
    type Err = ParseDialectError;

    fn from_str(text: &str) -> Result<Dialect, ParseDialectError> {
        match text.to_ascii_lowercase().as_str() {
            "iccs" => Ok(Dialect::Iccs),
            "fairy" => Ok(Dialect::Fairy),
            _ => Err(ParseDialectError(text.to_owned())),
        }
    }
}

impl Dialect {
    /// The move as the engine writes it.
    pub fn write(self, mv: Move) -> String {
        match self {
            Dialect::Iccs => mv.to_string(),
            Dialect::Fairy => {
                let square =
                    |sq: Square| format!("{}{}", (b'a' + sq.file()) as char, sq.rank() + 1);
                square(mv.from()) + &square(mv.to())
            }
        }
    }

    /// Reads a move of the engine.
    pub fn read(self, text: &str) -> Option<Move> {
        match self {
            Dialect::Iccs => text.parse().ok(),
            Dialect::Fairy => {
                let second = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
                let square = |part: &str| {
                    let file = part.as_bytes().first()?.to_ascii_lowercase().wrapping_sub(b'a');
                    let rank: u8 = part.get(1..)?.parse().ok()?;
                    Square::new(file, rank.checked_sub(1)?)
                };
                let (from, to) = (square(text.get(..second)?)?, square(text.get(second..)?)?);
                (from != to).then(|| Move::new(from, to))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_survive_both_dialects() {
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                let mv = Move::new(from, to);
                for dialect in [Dialect::Iccs, Dialect::Fairy] {
                    assert_eq!(dialect.read(&dialect.write(mv)), Some(mv));
                }
            }
        }
        let mv = "h9g7".parse().expect("a move");
        assert_eq!(Dialect::Fairy.write(mv), "h10g8");
    }

    #[test]
    fn garbage_is_no_move_in_any_dialect() {
        for text in ["", "h", "h2", "h11e2", "h0e0", "h3h3", "3h3e", "é2e2", "(none)", "h3e99999"]
        {
            assert_eq!(Dialect::Fairy.read(text), None, "{text}");
        }
        assert_eq!(Dialect::Iccs.read("h10g8"), None);
    }
}
