//! Opening books: the moves that were played in a position, how often, and with which results.
//!
//! [`BookBuilder`] makes a book from games, [`Book`] reads one and finds the moves of a position,
//! [`verify`] plays all its lines. Books of this program, ElephantEye's `BOOK.DAT` and `.obk` files
//! are read; `docs/book.md` and `docs/formats.md` describe the formats.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod builder;
mod elephant_eye;
mod error;
mod file;
mod key;
mod obk;
mod opening_book;
mod piece_numbers;
mod record;
mod results;
mod selection;
mod sql_columns;
mod sql_value;
mod sqlite;
mod square_byte;
mod verification;

pub use builder::{BookBuilder, BuildSettings, Weighting};
pub use error::{BookError, ContentError};
pub use opening_book::{Book, BookFormat};
pub use record::BookMove;
pub use results::Results;
pub use selection::{draw, shares};
pub use verification::{Verification, verify};

/// Default number of the last move of a game that is played from a book.
pub const DEFAULT_LAST_MOVE: u32 = 50;

/// Default variety of the moves, 0 to 100: see [`draw`].
pub const DEFAULT_VARIETY: u8 = 50;
