//! The built-in opening book of the engine Cannonade, as bytes to embed.

/// The content of `masters.cnb`.
pub static MASTERS: &[u8] = include_bytes!("masters.cnb");
