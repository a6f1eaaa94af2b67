//! The network that the engine Cannonade plays with, as bytes to embed. [`README.md`] tells how it
//! was trained.
//!
//! [`README.md`]: https://docs.rs/crate/cannonade-nets/latest/source/README.md

/// The content of `default.net`.
pub static DEFAULT: &[u8] = include_bytes!("default.net");
