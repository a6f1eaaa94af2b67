//! Searches that are stopped, in slices, or with wrong expected values.

use std::collections::HashSet;
use std::time::Duration;

use parking_lot::Mutex;

use super::*;
use crate::search::{Limits, PvInfo, Reporter, SearchInfo, SearchOptions, TranspositionTable};

const DEPTH: i32 = 6;

/// Searches the starting position once; all root moves have this expected value. Returns the
/// move expected to be the best, the best root move and the nodes.
fn search_with_mean(mean: Option<i32>) -> (Move, RootMove, u64) {
    let tt = Arc::new(TranspositionTable::new(4));
    let options = SearchOptions::default();
    let limits = Limits::default();
    let context = SearchContext::new(limits, Instant::now(), options, tt, 1, Box::new(|_| ()));
    let context = Arc::new(context);
    let mut worker = Worker::new(0);
    worker.prepare(&context, Position::startpos());
    worker.root_depth = DEPTH;
    for root_move in &mut worker.root_moves {
        root_move.mean = mean;
    }
    let expected = worker.root_moves[0].mv;
    worker.search_with_aspiration(DEPTH);
    (expected, worker.root_moves[0].clone(), context.nodes())
}

#[test]
fn a_wrong_expected_value_is_corrected_from_both_sides() {
    let (_, full, _) = search_with_mean(None);
    assert!(full.value.abs() < 200, "{}", full.value);
    for mean in [-3_000, -300, -60, 60, 300, 3_000] {
        let (expected, best, _) = search_with_mean(Some(mean));
        assert_eq!(best.bound, Bound::Exact, "{mean}");
        assert!((best.value - full.value).abs() < 100, "{} from {mean}", best.value);
        // The mean of another move is out of date.
        let is_expected = best.mv == expected;
        let mean = if is_expected { (best.value + mean) / 2 } else { best.value };
        assert_eq!(best.mean, Some(mean));
        assert_eq!(best.pv.first(), Some(&best.mv));
    }
}

/// Searches the starting position, with a window around `mean` or the full one, until the first
/// root move has a value, and returns the result.
fn interrupted(mean: Option<i32>) -> WorkerResult {
    (1..)
        .map(|count| 50 * count)
        .find_map(|nodes| {
            let tt = Arc::new(TranspositionTable::new(4));
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let options = SearchOptions::default();
            let reporter = Box::new(|_| ());
            let context = SearchContext::new(limits, Instant::now(), options, tt, 1, reporter);
            let mut worker = Worker::new(0);
            let mut state = worker.begin(&Arc::new(context), Position::startpos());
            (state.finished, state.last_value) = (DEPTH - 1, Some(17));
            worker.root_depth = DEPTH;
            for root_move in &mut worker.root_moves {
                root_move.mean = mean;
            }
            worker.search_with_aspiration(DEPTH);
            let has_value = worker.root_moves[0].value != -INFINITE;
            has_value.then(|| worker.result(&state))
        })
        .expect("a value")
}

#[test]
fn an_interrupted_iteration_knows_whether_its_value_is_a_bound() {
    // The window is above the value of the first move.
    let found = interrupted(Some(3_000));
    assert_eq!((found.bound, found.depth), (Bound::Upper, DEPTH as u32 - 1));
    assert!(found.score.centipawns() < 2_900, "{:?}", found.score);
    assert_eq!(found.exact, Some(Score::Cp(17)), "that of the finished iteration");
    let found = interrupted(None);
    assert_eq!((found.bound, found.exact), (Bound::Exact, Some(found.score)));
}

/// Begins a search of the starting position.
fn begin(limits: Limits, reporter: Reporter) -> (Worker, SearchState) {
    let tt = Arc::new(TranspositionTable::new(16));
    let options = SearchOptions::default();
    let context = SearchContext::new(limits, Instant::now(), options, tt, 1, reporter);
    let mut worker = Worker::new(0);
    let state = worker.begin(&Arc::new(context), Position::startpos());
    (worker, state)
}

/// Searches for a slice of this many milliseconds.
fn search_slice(
    worker: &mut Worker,
    state: &mut SearchState,
    milliseconds: u64,
) -> Option<WorkerResult> {
    worker.resume(state, Some(Instant::now() + Duration::from_millis(milliseconds)))
}

#[test]
fn a_search_in_slices_gets_deeper_from_slice_to_slice() {
    let limits = Limits { infinite: true, ..Limits::default() };
    let (mut worker, mut state) = begin(limits, Box::new(|_| ()));
    let mut slices = 0;
    while worker.nodes() < 1_000_000 {
        let result = search_slice(&mut worker, &mut state, 40);
        assert!(result.is_none(), "an infinite search ends by itself");
        slices += 1;
    }
    // In one piece it is depth 20.
    let depth = state.finished;
    assert!(slices > 10 && depth >= 14, "depth {depth} after {slices} slices");
}

/// A slice is shorter than what an iteration repeats of the one before.
#[test]
fn a_search_to_a_depth_in_tiny_slices_ends() {
    let limits = Limits { depth: Some(13), ..Limits::default() };
    let (mut worker, mut state) = begin(limits, Box::new(|_| ()));
    let slices = (0..10_000).take_while(|_| search_slice(&mut worker, &mut state, 1).is_none());
    let slices = slices.count();
    assert!(slices > 20 && state.finished == 13, "depth {} after {slices}", state.finished);
}

#[test]
fn the_lines_of_a_search_in_slices_are_different_and_in_order() {
    let lines: Arc<Mutex<Vec<PvInfo>>> = Arc::default();
    let reported = Arc::clone(&lines);
    let reporter = Box::new(move |info| {
        if let SearchInfo::Pv(info) = info {
            reported.lock().push(info);
        }
    });
    let limits = Limits { multi_pv: 3, depth: Some(10), ..Limits::default() };
    let (mut worker, mut state) = begin(limits, reporter);
    let mut slices = 0;
    let result = loop {
        match search_slice(&mut worker, &mut state, 1) {
            Some(result) => break result,
            None => slices += 1,
        }
    };
    let lines = lines.lock();
    assert!(slices > 10 && lines.len() == 30, "{slices} slices, {} lines", lines.len());
    assert_eq!((result.depth, &result.pv), (10, &lines[27].pv));
    for (lines, depth) in lines.chunks(3).zip(1..) {
        assert!(lines.iter().all(|line| line.depth == depth), "{lines:?}");
        let first = |line: &PvInfo| line.pv[0];
        let moves: HashSet<Move> = lines.iter().map(first).collect();
        assert_eq!(moves.len(), 3, "{lines:?}");
        let values = lines.iter().map(|line| line.score.centipawns());
        assert!(values.rev().is_sorted(), "{lines:?}");
    }
}

#[test]
fn the_lines_of_a_stopped_search_are_of_the_last_iterations_and_in_order() {
    let fen = "r1bakabnr/9/1cn1c4/p1p3pCp/4p4/P8/2P1P1P1P/5C3/9/RNBAKABNR w";
    let mut unfinished = 0;
    for nodes in (1_000..9_000).step_by(200) {
        let tt = Arc::new(TranspositionTable::new(4));
        let limits = Limits { multi_pv: 5, nodes: Some(nodes), ..Limits::default() };
        let lines: Arc<Mutex<Vec<PvInfo>>> = Arc::default();
        let reported = Arc::clone(&lines);
        let reporter = Box::new(move |info| {
            if let SearchInfo::Pv(info) = info {
                reported.lock().push(info);
            }
        });
        let options = SearchOptions::default();
        let context = SearchContext::new(limits, Instant::now(), options, tt, 1, reporter);
        let position = Position::from_fen(fen).expect("a position");
        Worker::new(0).search(&Arc::new(context), position);
        let lines = lines.lock();
        let (before, last) = lines.split_at(lines.len() - 5);
        let moves: HashSet<Move> = last.iter().map(|line| line.pv[0]).collect();
        assert_eq!(moves.len(), 5, "{last:?}");
        let key = |line: &PvInfo| (line.depth, line.score.centipawns());
        for pair in last.windows(2).filter(|pair| pair[1].bound == Bound::Exact) {
            assert!(
                pair[0].bound != Bound::Exact || key(&pair[0]) >= key(&pair[1]),
                "{nodes} nodes: {last:?}"
            );
        }
        for line in last.iter().filter(|line| line.depth < last[0].depth) {
            let is_same = |old: &&PvInfo| old.depth == line.depth && old.pv == line.pv;
            let old = before.iter().find(is_same);
            assert_eq!(old.map(|old| old.score), Some(line.score), "{nodes} nodes: {last:?}");
            unfinished += 1;
        }
    }
    assert!(unfinished > 10, "{unfinished}");
}

#[test]
fn the_value_of_a_search_is_kept_until_a_new_game() {
    let tt = Arc::new(TranspositionTable::new(4));
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let options = SearchOptions::default();
    let context = SearchContext::new(limits, Instant::now(), options, tt, 1, Box::new(|_| ()));
    let mut worker = Worker::new(0);
    worker.search(&Arc::new(context), Position::startpos());
    let value = worker.root_moves[0].value;
    assert_eq!(worker.last_search, Some((worker.root_side, value)));
    worker.clear();
    assert_eq!(worker.last_search, None);
}

#[test]
fn the_expected_value_of_a_won_game_gives_no_window() {
    let (_, full, all) = search_with_mean(None);
    let (_, best, nodes) = search_with_mean(Some(crate::search::value::MATE - 5));
    assert_eq!((best.value, nodes), (full.value, all));
}
