//! The tests of the program as its users meet it, a module for each area: one binary, so that a change is linked once. Tests that need
//! no program are in the folder `tests` of their crate.
//!
//! `cargo test -p cannonade protocol::` runs one area.

mod analysis;
mod book;
mod commands;
mod common;
mod fuzz;
mod pictures;
mod play;
mod protocol;
mod records;
mod rules;
mod tables;
mod tournament;
mod training;
#[cfg(feature = "web")]
mod web;
