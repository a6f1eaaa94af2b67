//! The search: mates, repetitions that the rules decide, limits, and the moves at the root.

mod limits;
mod mates;
mod repetitions;
mod root;
mod solver;

use std::sync::Arc;
use std::time::Instant;

use cannonade_engine::search::{
    Limits, SearchContext, SearchOptions, TranspositionTable, Worker, WorkerResult,
};
use xiangqi::board::Position;

/// Searches with one worker and an empty transposition table.
fn search_with(position: &Position, limits: Limits, options: SearchOptions) -> WorkerResult {
    let table = Arc::new(TranspositionTable::new(16));
    let reporter = Box::new(|_| ());
    let context = SearchContext::new(limits, Instant::now(), options, table, 1, reporter);
    Worker::new(0).search(&Arc::new(context), position.clone())
}

/// Searches this many nodes.
fn search(position: &Position, nodes: u64) -> WorkerResult {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    search_with(position, limits, SearchOptions::default())
}

/// The position after moves from a FEN.
fn play(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv).unwrap_or_else(|e| panic!("{fen}: {e}"));
        position.play_unchecked(mv);
    }
    position
}
