//! The conversation with a client: text to [`Command`]s, events to text, and the session between.
//!
//! UCI (with its dialect UCI-Cyclone, where `position` may be left out) and UCCI 3.0 are read by
//! one parser into the same [`Command`]s, because clients mix them. Replies are written in the
//! [`Protocol`] of the last handshake.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod command;
mod console;
mod go;
mod lines;
mod reply;
mod session;

pub use command::{Command, Setup, SetupError, Unrecognized};
pub use go::GoRequest;
pub use lines::{InputLine, Writer, read_ahead};
pub use reply::Protocol;
pub use session::{Session, SessionEnd, serve};

/// The name of the engine.
pub const NAME: &str = concat!("Cannonade ", env!("CARGO_PKG_VERSION"));
