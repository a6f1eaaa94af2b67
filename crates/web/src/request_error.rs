//! The reasons for which requests are refused.

use std::io;

use cannonade_book::ContentError;
use thiserror::Error;
use xiangqi::board::{FenError, MoveError};
use xiangqi::notation::{MoveListError, ParseNotationError};
use xiangqi::records::{Problem, WriteError};

use super::trees::MAX_MOVES;

/// The reason why a request is not carried out.
#[derive(Debug, Error)]
pub(super) enum RequestError {
    #[error("the body is not the JSON that this request needs: {0}")]
    Json(String),
    #[error("there is no such function")]
    NoFunction,
    #[error("send the body as {0}")]
    MediaType(&'static str),
    #[error("FEN: {0}")]
    Fen(FenError),
    #[error(transparent)]
    Moves(#[from] MoveListError),
    #[error(transparent)]
    Illegal(#[from] MoveError),
    #[error("the game has {0} moves with its variations; up to {MAX_MOVES} can be shown")]
    TooManyMoves(usize),
    #[error("a move follows move {0}, which does not come before it")]
    NoParent(usize),
    #[error(
        "there is nothing to search: the side to move has no legal move, or is in check when it passes"
    )]
    NothingToSearch,
    #[error(transparent)]
    Notation(#[from] ParseNotationError),
    #[error(transparent)]
    NotWritten(#[from] WriteError),
    #[error("{name} is {value}; expected a number from {min} to {max}")]
    OutOfRange { name: &'static str, value: u64, min: u64, max: u64 },
    #[error("this engine plays only at full strength")]
    NoLevels,
    #[error(
        "the text holds no game; expected PGN, DhtmlXQ, XQF, CBR, CBL, CBF, WXF, a list of moves or a position command"
    )]
    NoGame,
    #[error("there are {count} games; {number} is not one of them")]
    NoSuchGame { number: usize, count: usize },
    #[error("game {} cannot be read: {}", .0.game, .0.defect)]
    BadGame(Problem),
    #[error("{name} '{value}' is not known; expected {expected}")]
    Choice { name: &'static str, value: String, expected: &'static str },
    #[error("there is no such book; it may have been opened before the server was restarted")]
    NoBook,
    #[error("the file is not used: {0}")]
    Book(ContentError),
    #[error("the picture cannot be written as PNG; choose SVG")]
    NoPng,
    #[error("there is no such game; it may have been deleted")]
    NoKeptGame,
    #[error("the file of the kept game was damaged")]
    BadKeptGame,
    #[error("the game was written or removed by another page; keep it under another key")]
    KeptElsewhere,
    #[error("{0}")]
    NotKept(io::Error),
    #[error("the folder of kept games cannot be read: {0}")]
    GamesFolder(io::Error),
}

impl RequestError {
    /// Reports that the value of a parameter is none of those expected.
    pub(super) fn choice(name: &'static str, value: &str, expected: &'static str) -> RequestError {
        RequestError::Choice { name, value: value.chars().take(20).collect(), expected }
    }
}
