//! Opening books: `cannonade book`.

mod command;
#[path = "../../crates/book/tests/all/games.rs"]
#[expect(dead_code, reason = "here the program builds the books")]
mod games;
