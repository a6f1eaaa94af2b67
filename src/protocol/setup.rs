//! The position behind `position`, `fen`, `startpos` and `probe`.

use thiserror::Error;

use crate::board::{FenError, MoveError, Position, START_FEN};

/// More moves than this are refused; the longest game ever played had some 600.
const MOST_MOVES: usize = 20_000;

/// A position in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    fen: String,
    moves: Vec<String>,
}

/// Why the words are no position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is wrong.
    #[error("move number {number}: {source}")]
    Move {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        source: MoveError,
    },
    /// No game is that long.
    #[error("{0} moves; at most {MOST_MOVES} are read")]
    TooLong(usize),
}

impl Setup {
    /// Reads what stands behind `position` or `probe`. `fen` may be left out before a FEN, and
    /// `moves` before moves.
    pub fn parse(text: &str) -> Setup {
        let mut words = text.split_whitespace().peekable();
        let mut fen: Vec<&str> = Vec::new();
        let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
        match words.peek() {
            Some(word) if is(word, "startpos") => {
                words.next();
                fen.push(START_FEN);
            }
            Some(word) => {
                if is(word, "fen") {
                    words.next();
                }
                while let Some(word) = words.next_if(|word| !is(word, "moves")) {
                    fen.push(word);
                }
            }
            None => {}
        }
        words.next_if(|word| is(word, "moves"));
        Setup { fen: fen.join(" "), moves: words.map(str::to_owned).collect() }
    }

    /// Whether there were no words at all.
    pub fn is_blank(&self) -> bool {
        self.fen.is_empty() && self.moves.is_empty()
    }

    /// The position with all moves made, or nothing of it.
    pub fn position(&self) -> Result<Position, SetupError> {
        if self.moves.len() > MOST_MOVES {
            return Err(SetupError::TooLong(self.moves.len()));
        }
        let mut position = Position::from_fen(&self.fen)?;
        for (index, text) in self.moves.iter().enumerate() {
            let mv = position
                .parse_move(text)
                .map_err(|source| SetupError::Move { number: index + 1, source })?;
            position.make(mv);
        }
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(text: &str) -> String {
        Setup::parse(text).position().unwrap_or_else(|e| panic!("{text}: {e}")).fen()
    }

    #[test]
    fn every_dialect_gives_the_same_position() {
        let after = fen("startpos moves h2e2 h9g7");
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let english = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
        for text in [
            format!("fen {board} moves h2e2 h9g7"),
            format!("fen {board} r moves H2E2 H9G7"),
            format!("fen {board} w - - 0 1 moves h2-e2 H9-G7"),
            format!("FEN {english} w 0 1 MOVES h2e2 h9g7"),
            format!("{board} w moves h2e2 h9g7"),
            "startpos h2e2 h9g7".to_owned(),
        ] {
            assert_eq!(fen(&text), after, "{text}");
        }
    }

    #[test]
    fn a_wrong_move_is_named_with_its_number() {
        let error = Setup::parse("startpos moves h2e2 h2e2").position().expect_err("illegal");
        assert!(error.to_string().starts_with("move number 2: move h2e2"), "{error}");
        for text in ["", "fen", "fen moves h2e2", "startpos moves x", "nonsense", "fen 9/9 w"] {
            assert!(Setup::parse(text).position().is_err(), "{text}");
        }
    }
}
