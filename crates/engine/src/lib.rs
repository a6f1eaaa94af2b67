//! The engine and its facade: options, the position, and the threads that search it.
//!
//! [`Engine::go`] returns at once; results of the search arrive as [`Event`]s. [`BlockingEngine`]
//! waits for the end of a search.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod bench;
mod blocking;
mod build_name;
mod engine;
mod event;
pub mod nnue;
mod opening_books;
mod options;
pub mod perft;
pub mod raw_text;
pub mod search;
mod strength;
mod threads;
pub mod uci;

pub use blocking::{BlockingEngine, FinishedSearch, SearchLine};
pub use build_name::{build_name, set_commit};
pub use engine::Engine;
pub use event::{Conclusion, Event};
pub use options::{OPTIONS, OptionEffect, OptionError, OptionKind, OptionRow, Options};
pub use strength::Strength;
pub use threads::{BackgroundTask, HostThreads, ThreadBody};
