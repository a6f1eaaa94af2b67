//! Positions given by `position`, `fen`, `startpos` and `probe`.

use thiserror::Error;
use xiangqi::board::{FenError, MoveError, Position, START_FEN};
use xiangqi::notation::Ranks;

/// Maximum number of moves accepted; the longest game ever played had some 600.
const MAX_MOVES: usize = 20_000;

/// Fields of a full FEN.
const FEN_FIELDS: usize = 6;

/// Unparsed description of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    fen: String,
    moves: Vec<String>,
}

/// Failure to set up a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not of the form `h2e2`.
    #[error(
        "move number {number}: '{text}' is not a move; expected two squares with files a-i \
         and ranks {ranks}, such as '{}'",
        example(*.ranks)
    )]
    Syntax {
        /// Number of the move, from 1.
        number: usize,
        /// The beginning of the text.
        text: String,
        /// Coordinates in which the moves were read.
        ranks: Ranks,
    },
    /// A move is not legal.
    #[error(
        "move number {number}: '{text}' is not legal with ranks {ranks}: {}",
        .reason.behind(.text)
    )]
    Illegal {
        /// Number of the move, from 1.
        number: usize,
        /// The text of the move.
        text: String,
        /// Coordinates in which the moves were read.
        ranks: Ranks,
        /// Reason why it is not legal.
        reason: MoveError,
    },
    /// More moves than any game has.
    #[error("{0} moves; at most {MAX_MOVES} are read")]
    TooLong(usize),
}

impl SetupError {
    /// Returns the number of moves read without an error.
    fn good_moves(&self) -> usize {
        match self {
            SetupError::Syntax { number, .. } | SetupError::Illegal { number, .. } => number - 1,
            SetupError::Fen(_) | SetupError::TooLong(_) => 0,
        }
    }
}

/// Returns a move for error messages.
const fn example(ranks: Ranks) -> &'static str {
    match ranks {
        Ranks::FromZero => "h2e2",
        Ranks::FromOne => "h3e3",
    }
}

impl Setup {
    /// Parses the text after `position` or `probe`. `fen` may be left out before a FEN, and `moves`
    /// before moves.
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

    /// Returns whether the text is blank.
    pub fn is_blank(&self) -> bool {
        self.fen.is_empty() && self.moves.is_empty()
    }

    /// Returns whether moves are given.
    pub fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Returns whether the FEN has fewer fields than a full one.
    pub fn has_short_fen(&self) -> bool {
        let fen = self.fen.replace("%20", " ");
        let is_blank = |c: char| c.is_whitespace() || c == '_';
        fen.split(is_blank).filter(|field| !field.is_empty()).count() < FEN_FIELDS
    }

    /// Returns the position after all moves.
    ///
    /// # Errors
    /// If the FEN or any of the moves is wrong.
    pub fn position(&self, ranks: Ranks) -> Result<Position, SetupError> {
        if self.moves.len() > MAX_MOVES {
            return Err(SetupError::TooLong(self.moves.len()));
        }
        let mut position = Position::from_fen(&self.fen)?;
        for (index, text) in self.moves.iter().enumerate() {
            let number = index + 1;
            let excerpt = || text.chars().take(20).collect();
            let mv = ranks.read(text).ok_or_else(|| SetupError::Syntax {
                number,
                text: excerpt(),
                ranks,
            })?;
            let mv = position.check_move(mv).map_err(|reason| SetupError::Illegal {
                number,
                text: excerpt(),
                ranks,
                reason,
            })?;
            position.play_unchecked(mv);
        }
        Ok(position)
    }

    /// Returns the position and the coordinates in which its moves are legal: `likely` if they are
    /// legal in both.
    ///
    /// # Errors
    /// If the moves are legal in neither; the error is of the reading that got further.
    pub fn position_in_either(&self, likely: Ranks) -> Result<(Position, Ranks), SetupError> {
        let error = match self.position(likely) {
            Ok(position) => return Ok((position, likely)),
            Err(error @ (SetupError::Fen(_) | SetupError::TooLong(_))) => return Err(error),
            Err(error) => error,
        };
        match self.position(likely.other()) {
            Ok(position) => Ok((position, likely.other())),
            Err(other) if other.good_moves() > error.good_moves() => Err(other),
            Err(_) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen(text: &str) -> String {
        let setup = Setup::parse(text).position(Ranks::FromZero);
        setup.unwrap_or_else(|e| panic!("{text}: {e}")).fen()
    }

    #[test]
    fn every_spelling_gives_the_same_position() {
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
        let read = |text: &str| Setup::parse(text).position_in_either(Ranks::FromZero);
        let error = read("startpos moves h2e2 h2e2").expect_err("illegal").to_string();
        assert!(error.starts_with("move number 2: 'h2e2'"), "{error}");
        let error = read("startpos moves h3e3 h3e3").expect_err("illegal").to_string();
        assert!(error.starts_with("move number 2: 'h3e3'") && error.contains("1-10"), "{error}");
        for text in ["", "fen", "fen moves h2e2", "startpos moves x", "nonsense", "fen 9/9 w"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moves_that_are_legal_in_one_reading_only_are_read_so() {
        for likely in [Ranks::FromZero, Ranks::FromOne] {
            for (text, expected) in [
                ("startpos moves h2e2 h9g7", Ranks::FromZero),
                ("startpos moves h3e3 h10g8", Ranks::FromOne),
                ("startpos moves H3-E3 H10-G8", Ranks::FromOne),
                ("startpos", likely),
            ] {
                let read = Setup::parse(text).position_in_either(likely);
                assert_eq!(read.map(|(_, ranks)| ranks), Ok(expected), "{text}");
            }
        }
        // Two pawns beyond the river, one after the other on a file: the likely reading counts.
        let both = "fen 3k5/9/9/4P4/4P4/9/9/9/9/4K4 w - - 0 1 moves e6d6";
        for likely in [Ranks::FromZero, Ranks::FromOne] {
            let read = Setup::parse(both).position_in_either(likely);
            assert_eq!(read.map(|(_, ranks)| ranks), Ok(likely));
        }
    }
}
