//! The tests of the engine without the program, a module for each area: one binary, so that a change is linked once.
//!
//! `cargo test -p cannonade-engine search::` runs one area.

mod book;
#[path = "../../../tables/tests/all/built.rs"]
#[expect(dead_code, reason = "no table is damaged here")]
mod built;
mod common;
mod engine;
mod evaluation;
#[path = "../../../book/tests/all/games.rs"]
mod games;
mod protocol;
mod search;
mod tables;
