//! What can be wrong with a game record.

use thiserror::Error;

use crate::board::{Defect, FenError, MoveError};
use crate::geometry::Color;
use crate::notation::NotationError;

/// One defect of a record. What was read before it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A tag with a start that is not a position.
    #[error("tag FEN: {0}")]
    Fen(#[from] FenError),
    /// A table of pieces that is not a position.
    #[error("start position: {0}")]
    Start(#[from] Defect),
    /// A move that is not one, or not legal; the line ends before it.
    #[error("move {number} ({side}): {source}")]
    Move {
        /// The number of the move, from 1.
        number: u32,
        /// The side to move.
        side: Color,
        /// What is wrong.
        source: NotationError,
    },
    /// Squares of a move, or of a file with squares instead of text, that are not a legal move.
    #[error("move {number} ({side}): {source}")]
    Squares {
        /// The number of the move, from 1.
        number: u32,
        /// The side to move.
        side: Color,
        /// What is wrong.
        source: MoveError,
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
    /// A variation of a move that the game does not have.
    #[error("variation {name} belongs to no move of the game")]
    NoParent {
        /// The variation as the file names it.
        name: String,
    },
}

/// A defect and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {game}{}: {source}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct Problem {
    /// Which game of the file, from 1.
    pub game: usize,
    /// The line of a text file, from 1.
    pub line: Option<usize>,
    /// What is wrong.
    pub source: RecordError,
}
