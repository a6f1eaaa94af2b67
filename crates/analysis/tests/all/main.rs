//! Analysing games: mistakes, accuracy, reports.

mod assessment;
#[path = "../../../tables/tests/all/built.rs"]
#[expect(dead_code, reason = "no table is damaged here")]
mod built;
mod common;
