//! The engine and its facade: options, the position, and the threads that search it.
//!
//! [`Engine::go`] returns at once; results of the search arrive as [`Event`]s. [`BlockingEngine`]
//! waits for the end of a search.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod background;
pub mod bench;
mod best_thread;
mod blocking;
mod build_name;
mod caller_worker;
mod event;
mod facade;
mod host_threads;
mod jobs;
pub mod nnue;
mod opening_books;
mod options;
pub mod perft;
pub mod raw_text;
pub mod search;
mod set_option;
mod strength;
pub mod uci;
mod workers;

pub use background::BackgroundTask;
pub use blocking::{BlockingEngine, FinishedSearch, SearchLine};
pub use build_name::{build_name, set_commit};
pub use event::{Conclusion, Event};
pub use facade::Engine;
pub use host_threads::{HostThreads, ThreadBody};
pub use options::{OPTIONS, OptionEffect, OptionError, OptionKind, OptionRow, Options};
pub use strength::Strength;
