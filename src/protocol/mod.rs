//! The conversation with a client: text to [`Command`]s, events to text, and the session between.
//!
//! One language under two protocols. UCI (with its dialect UCI-Cyclone, where `position` may be left
//! out) and UCCI 3.0 are parsed by one parser into the same [`Command`]s, because clients mix them; what
//! the engine says is written in the [`Dialect`] of the last handshake.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod command;
mod dialect;
mod go;
mod line;
mod probability;
mod session;
mod setup;
mod writer;

pub use command::{Command, NotUnderstood};
pub use dialect::Dialect;
pub use go::GoRequest;
pub use session::{Session, serve};
pub use setup::Setup;
pub use writer::Writer;

/// What the engine is called in handshakes.
pub const NAME: &str = concat!("Cannonade ", env!("CARGO_PKG_VERSION"));
