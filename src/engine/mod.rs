//! The engine behind a facade: what it is set to, the position, and the threads that search it.
//!
//! [`Engine::go`] returns at once; what the search finds arrives as [`Event`]s.

mod background;
pub mod bench;
mod event;
mod facade;
mod options;
pub mod perft;
pub mod raw_text;
mod vote;
mod workers;

pub use background::BackgroundTask;
pub use event::{Conclusion, Event};
pub use facade::Engine;
pub use options::{OPTIONS, OptionError, OptionId, OptionKind, OptionSpec, Options};
