//! The network: arithmetic, incremental updates, symmetries, files; and the evaluator.

mod evaluator;
mod network;
#[path = "../../../../training/src/network/random_games.rs"]
mod random_games;
