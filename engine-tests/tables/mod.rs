//! Endgame tables: `cannonade tables`, and the tables of the user.

#[path = "../../crates/tables/tests/all/built.rs"]
mod built;
mod command;
mod user_folder;
