//! A search keeps its limits, and with one thread it always has the same result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cannonade_engine::search::{
    Clock, Limits, SearchContext, SearchOptions, TranspositionTable, Worker,
};
use xiangqi::board::Position;

use super::{play, search, search_with};
use crate::common::thread_time::ThreadTime;

#[test]
fn the_same_search_twice_is_the_same() {
    let position = Position::startpos();
    let (first, second) = (search(&position, 50_000), search(&position, 50_000));
    assert_eq!(first.pv, second.pv);
    assert_eq!(first.nodes, second.nodes);
}

#[test]
fn node_limits_are_kept() {
    let first = search_with(
        &Position::startpos(),
        Limits { depth: Some(1), ..Limits::default() },
        SearchOptions::default(),
    );
    for nodes in [1, 20, 100, 5_000, 60_000] {
        let found = search(&Position::startpos(), nodes);
        // The first depth is always finished, so that the move is sensible.
        assert!(found.nodes <= nodes.max(first.nodes) + 2, "{} of {nodes}", found.nodes);
        assert!(found.depth >= 1 && (found.best == first.best || found.depth > 1));
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let position = Position::startpos();
    let moves = |texts: &[&str]| texts.iter().map(|mv| mv.parse().expect("a move")).collect();
    let limits =
        Limits { nodes: Some(5_000), search_moves: moves(&["a0a1", "i0i1"]), ..Limits::default() };
    let best = search_with(&position, limits, SearchOptions::default()).best;
    assert!(["a0a1", "i0i1"].contains(&best.expect("a move").to_string().as_str()));

    let free = search(&position, 5_000).best.expect("a move");
    let limits = Limits { nodes: Some(5_000), banned_moves: vec![free], ..Limits::default() };
    let other = search_with(&position, limits, SearchOptions::default()).best;
    assert_ne!(other, Some(free));
}

#[test]
fn the_expected_answer_comes_from_the_table_if_the_principal_variation_is_too_short() {
    let table = Arc::new(TranspositionTable::new(1));
    let position = Position::startpos();
    let [deep, shallow] = [8, 1].map(|depth| {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let options = SearchOptions::default();
        let reporter = Box::new(|_| ());
        let table = Arc::clone(&table);
        let context = SearchContext::new(limits, Instant::now(), options, table, 1, reporter);
        Worker::new(0).search(&Arc::new(context), position.clone())
    });
    assert!(deep.pv.len() > 1 && shallow.pv.len() == 1, "{deep:?} {shallow:?}");
    let mut after = position;
    after.play_unchecked(shallow.best.expect("a move"));
    assert!(after.legal_moves().contains(&shallow.ponder.expect("an answer")));
}

#[test]
fn if_all_moves_are_banned_there_is_no_result() {
    let position = play("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1", "");
    let banned_moves = position.legal_moves().to_vec();
    let limits = Limits { depth: Some(3), banned_moves, ..Limits::default() };
    assert_eq!(search_with(&position, limits, SearchOptions::default()).best, None);
}

#[test]
fn a_search_ends_before_a_short_clock_runs_out() {
    for (left, increment) in [(1, 0), (30, 0), (100, 10), (400, 20)] {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_to_go: None,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let time = ThreadTime::start();
        let result = search_with(&Position::startpos(), limits, SearchOptions::default());
        assert!(result.best.is_some());
        // The margin is for a new table; the search itself stops within a millisecond.
        let (used, limit) = (time.used(), Duration::from_millis(left + 100));
        assert!(used < limit, "{left} {increment}: {used:?}");
    }
}
