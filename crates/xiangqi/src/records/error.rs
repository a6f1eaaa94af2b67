//! Defects of game records, and errors of writing games.

use thiserror::Error;

use crate::board::{Defect, FenError, MoveError};
use crate::geometry::Color;
use crate::notation::NotationError;

use super::{FileKind, TextEncoding};

/// One defect of a record. What was read before it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A FEN of the start that is not a position.
    #[error("start position: {0}")]
    Fen(FenError),
    /// A table of pieces that is not a position.
    #[error("start position: {0}")]
    Start(Defect),
    /// A description of the start that only the format of the World Federation has.
    #[error("start position: SETUP{{ }} cannot be read; a line FEN can")]
    Setup,
    /// A list of the men of DhtmlXQ that is too short. The men whose squares are missing are not known
    /// to be off the board.
    #[error("start position: binit has {0} digits; expected 64, two for each of the 32 men")]
    Binit(usize),
    /// A move that is not one, or not legal; the line ends before it.
    #[error("move {number} ({side}): {reason}")]
    #[non_exhaustive]
    Move {
        /// The number of the move, from 1.
        number: u32,
        /// The side to move.
        side: Color,
        /// The error in the text.
        reason: NotationError,
    },
    /// Squares of a move, or of a file with squares instead of text, that are not a legal move.
    #[error("move {number} ({side}): {reason}")]
    Squares {
        /// The number of the move, from 1.
        number: u32,
        /// The side to move.
        side: Color,
        /// The reason why the move is not legal.
        reason: MoveError,
    },
    /// Numbers that are not squares.
    #[error("move {number}: the squares '{text}' are not on the board")]
    OffBoard {
        /// The number of the move, from 1.
        number: u32,
        /// The numbers as they stand in the file.
        text: String,
    },
    /// A `(` without a move before it, or a `)` without a `(`.
    #[error("a '{0}' that belongs to no variation")]
    Parenthesis(char),
    /// A comment or variation that does not end.
    #[error("{0} is not closed")]
    NotClosed(&'static str),
    /// A binary file that ends too early.
    #[error("the file ends in the middle of {0}")]
    Truncated(&'static str),
    /// A file of a version whose layout is not known.
    #[error("{0} is of a version that cannot be read")]
    Version(&'static str),
    /// XML that is not well formed.
    #[error("the XML of the file cannot be read: {0}")]
    Xml(String),
    /// A line that is not a `position` command, in a file of such lines.
    #[error("the line is not of the form 'position startpos moves ...' or 'position fen ...'")]
    NotPosition,
    /// Bytes that do not belong to the encoding of the text.
    #[error(
        "bytes that are not {encoding} are read as '\u{fffd}' (in the file: {count}, the first in \
         this line); if names or moves are wrong, save the file as UTF-8"
    )]
    Encoding {
        /// The encoding that the other bytes have.
        encoding: TextEncoding,
        /// The number of characters that stand for such bytes in the whole text.
        count: usize,
    },
    /// A defect in a variation; the main line does not have it.
    #[error("in a variation, {0}")]
    InVariation(Box<RecordError>),
    /// A variation of a move that the game does not have.
    #[error("variation {name} belongs to no move of the game")]
    NoParent {
        /// The variation as the file names it.
        name: String,
    },
    /// A comment of a move that the game does not have.
    #[error("{name} belongs to no move of the game")]
    CommentOfNoMove {
        /// The comment as the file names it.
        name: String,
    },
}

impl RecordError {
    /// Returns the defect of a variation if `is_variation`, else this one.
    pub(super) fn of_line(self, is_variation: bool) -> RecordError {
        if is_variation { RecordError::InVariation(Box::new(self)) } else { self }
    }

    /// Returns the defect itself, of the main line or of a variation.
    pub(super) fn in_any_line(&self) -> &RecordError {
        match self {
            RecordError::InVariation(defect) => defect,
            defect => defect,
        }
    }
}

/// A defect and its place.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("game {game}{}: {defect}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct Problem {
    /// The number of the game in the file, from 1.
    pub game: usize,
    /// The line of a text file, from 1.
    pub line: Option<usize>,
    /// The defect.
    pub defect: RecordError,
}

impl Problem {
    /// Returns the defect with its place.
    pub fn new(game: usize, line: Option<usize>, defect: RecordError) -> Problem {
        Problem { game, line, defect }
    }

    /// Returns whether moves or the start of the game could not be read. Bytes of another encoding
    /// are mostly in names; where they are in moves, these are a further defect. A start that
    /// leaves the waiting side in check is kept as it is.
    pub fn affects_moves(&self) -> bool {
        !matches!(
            self.defect,
            RecordError::Encoding { .. }
                | RecordError::CommentOfNoMove { .. }
                | RecordError::Start(Defect::OpponentInCheck(_))
        )
    }

    /// Returns whether the start of the game or a move of its main line could not be read.
    pub fn affects_main_line(&self) -> bool {
        let is_of_variation =
            matches!(self.defect, RecordError::InVariation(_) | RecordError::NoParent { .. });
        self.affects_moves() && !is_of_variation
    }
}

/// Error of writing games as a kind of file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The kind can only be read.
    #[error("files of the kind {0} can be read but not written; choose another kind")]
    ReadOnly(FileKind),
    /// Several games for a kind of file with one.
    #[error("a file of the kind {kind} holds one game, not {count}")]
    OneGame {
        /// The kind.
        kind: FileKind,
        /// The number of games.
        count: usize,
    },
    /// Characters that the encoding does not have.
    #[error(
        "{encoding} does not have the characters {missing}; choose another encoding, such as utf-8{}",
        if *.traditional_is_enough { ", or the notation 'traditional'" } else { "" }
    )]
    #[non_exhaustive]
    Characters {
        /// The encoding.
        encoding: TextEncoding,
        /// The first of the characters, each once.
        missing: String,
        /// True if the encoding has all characters of the games with moves in the notation
        /// `traditional`.
        traditional_is_enough: bool,
    },
    /// A game that begins at another position than the usual one.
    #[error(
        "game {number} does not begin at the usual start, and a list of games names no start; \
         choose another kind, such as pgn"
    )]
    OtherStart {
        /// The number of the game, from 1.
        number: usize,
    },
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use crate::Position;
    use crate::notation::read_moves;
    use crate::records::read;

    #[test]
    fn no_error_returns_a_cause_that_its_text_has() {
        let texts =
            ["1. h2h9 (1. b2b1 a9 9999 h2h1) h9g7 *", "[FEN \"9/9/9/9/9/9/9/9/9/x8 w\"]\n\n*"];
        let records = texts.map(|text| read(text.as_bytes()).problems).concat();
        assert!(records.len() > 1, "{records:?}");
        let list = read_moves(&Position::startpos(), &["h2e2", "h2e2"]).expect_err("not legal");
        let fen = Position::from_fen("9/9/9/9/9/9/9/9/9/x8 w").expect_err("no piece");
        let others: [&dyn Error; 3] = [&list, &list.reason, &fen];
        for error in records.iter().map(|error| error as &dyn Error).chain(others) {
            assert!(error.source().is_none(), "{error}");
        }
    }
}
