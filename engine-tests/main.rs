//! All tests of the program, a module for each area: one binary, so that a change is linked once.
//!
//! `cargo test --test all rules::` runs one area.

mod analysis;
mod board;
mod book;
mod commands;
mod common;
mod engine;
mod evaluation;
mod fuzz;
mod notation;
mod pictures;
mod play;
mod protocol;
mod records;
mod rules;
mod search;
mod tables;
mod tournament;
mod training;
#[cfg(feature = "web")]
mod web;
