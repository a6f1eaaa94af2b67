//! Errors of reading a book.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Failure to read a book file.
#[derive(Debug, Error)]
pub enum BookError {
    /// The system refused access.
    #[error("cannot read the book {}: {error}", path.display())]
    Io {
        /// Path of the book.
        path: PathBuf,
        /// Reason given by the system.
        error: io::Error,
    },
    /// The bytes are not a book.
    #[error("{} is not used: {reason}", path.display())]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Defect found.
        reason: ContentError,
    },
}

impl BookError {
    /// Returns the error of the system, if it is the cause.
    pub fn system_error(&self) -> Option<&io::Error> {
        match self {
            BookError::Io { error, .. } => Some(error),
            BookError::Content { .. } => None,
        }
    }
}

/// Defect in the bytes of a book.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ContentError {
    /// Another kind of file.
    #[error(
        "it is neither a book of 'cannonade book build' nor a BOOK.DAT of ElephantEye nor an .obk file"
    )]
    Foreign,
    /// A SQLite file that cannot be read as a book.
    #[error("it is a SQLite file, but not a readable .obk book: {0}")]
    Sqlite(Cow<'static, str>),
    /// An `.obk` file without the starting position.
    #[error(
        "it is an .obk book, but none of the known kinds of keys finds the starting position in \
         it"
    )]
    UnknownKeys,
    /// A format that this version does not read.
    #[error("its format has version {found}; this program reads version {expected}")]
    Version {
        /// The version that this program reads.
        expected: u32,
        /// The version of the file.
        found: u32,
    },
    /// Too short or too long.
    #[error("it is truncated or too long: {found} bytes instead of {expected}")]
    Length {
        /// Length by the header.
        expected: u64,
        /// Actual length.
        found: u64,
    },
    /// The checksum differs.
    #[error("it is damaged: checksum {found:08x} instead of {expected:08x}")]
    Checksum {
        /// Checksum in the header.
        expected: u32,
        /// Checksum of the bytes.
        found: u32,
    },
    /// Not sorted; a binary search would miss moves.
    #[error("its record {0} is out of order")]
    Order(usize),
    /// A record whose squares are not on the board.
    #[error("its record {0} holds no move")]
    Move(usize),
}
