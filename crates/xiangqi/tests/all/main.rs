//! The tests of the library from outside, a module for each area: one binary, so that a change is linked once.
//!
//! `cargo test -p xiangqi --all-features` runs all of them; without features those that need a missing one are left out.

mod board;
mod common;
mod notation;
#[cfg(feature = "pictures")]
mod pictures;
#[cfg(feature = "records")]
mod records;
mod rules;
#[cfg(feature = "serde")]
mod serde;
