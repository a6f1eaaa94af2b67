//! The cost of the parts that every node of the search calls, and of a table probe.
//!
//! `cargo bench -p cannonade-engine` runs all, `cargo bench -p cannonade-engine rules::` one file. A sample calls the part once for each
//! position of the benchmark; `items` counts these calls.

mod board;
mod evaluation;
mod rules;
mod tables;

use cannonade_engine::bench::POSITIONS;
use xiangqi::board::{Move, Position};

fn main() {
    divan::main();
}

/// The positions of the benchmark.
fn positions() -> Vec<Position> {
    POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok()).collect()
}

/// Each position with each of its legal moves.
fn moves() -> Vec<(Position, Move)> {
    let pairs = positions().into_iter().flat_map(|position| {
        position.legal_moves().into_iter().map(move |mv| (position.clone(), mv)).collect::<Vec<_>>()
    });
    pairs.collect()
}
