//! Making and unmaking moves, and the limits of a search.

use std::sync::Arc;

use cannonade_tables::random::Random;
use web_time::Instant;
use xiangqi::board::{Move, Position};

use super::Worker;
use crate::nnue::static_value;
use crate::search::history::ContinuationRow;
use crate::search::{Limits, SearchContext, SearchOptions, TranspositionTable};

fn context(limits: Limits) -> Arc<SearchContext> {
    let tt = Arc::new(TranspositionTable::new(1));
    let options = SearchOptions::default();
    Arc::new(SearchContext::new(limits, Instant::now(), options, tt, 1, Box::new(|_| ())))
}

/// Returns the state that a move changes and its unmaking must restore.
fn snapshot(worker: &mut Worker) -> (String, u64, usize, bool, i32) {
    let position = &worker.position;
    let may_repeat = worker.game_history.may_repeat(position);
    let value = worker.evaluator.evaluate(position);
    (position.fen(), position.key(), worker.ply, may_repeat, value)
}

#[test]
fn unmaking_restores_position_game_history_and_evaluation() {
    let context = context(Limits::default());
    let mut worker = Worker::new(0);
    worker.prepare(&context, Position::startpos());
    let mut random = Random::new(12);
    // Snapshots of the path, each with a flag that the move that left it was a null move.
    let mut path = Vec::new();
    for _ in 0..3_000 {
        let moves = worker.position.legal_moves();
        if path.len() < 60 && !moves.is_empty() && random.below(5) < 3 {
            let is_null = !worker.position.in_check() && random.below(12) == 0;
            path.push((snapshot(&mut worker), is_null));
            if is_null {
                worker.make_null();
            } else {
                worker.make(moves[random.below(moves.len())]);
            }
            let value = static_value(&worker.position, &context.options.evaluation);
            assert_eq!(worker.evaluator.evaluate(&worker.position), value);
        } else if let Some((before, is_null)) = path.pop() {
            if is_null {
                worker.unmake_null();
            } else {
                worker.unmake();
            }
            assert_eq!(snapshot(&mut worker), before);
        }
        assert_eq!(worker.ply, path.len());
    }
}

#[test]
fn a_move_leaves_its_frame_on_the_stack() {
    let context = context(Limits::default());
    let mut worker = Worker::new(0);
    worker.prepare(&context, Position::startpos());
    let mv = "h2e2".parse().expect("a move");
    worker.make(mv);
    let frame = worker.stack.before(worker.ply, 1);
    assert!(frame.mv == Some(mv) && frame.moved.is_some());
    worker.make_null();
    let frame = worker.stack.before(worker.ply, 1);
    assert!(frame.mv.is_none() && frame.moved.is_none());
    let previous = worker.move_ordering().previous;
    assert_eq!(previous[0], ContinuationRow::NONE);
    assert_eq!(previous[1], worker.stack.before(worker.ply, 2).row);
    assert_ne!(previous[1], ContinuationRow::NONE);
}

#[test]
fn a_search_leaves_the_root_as_it_was() {
    let context = context(Limits { nodes: Some(20_000), ..Limits::default() });
    let mut position = Position::startpos();
    position.play_unchecked("h2e2".parse().expect("a move"));
    let mut worker = Worker::new(0);
    worker.search(&context, position.clone());
    assert_eq!(worker.position.fen(), position.fen());
    assert_eq!((worker.ply, worker.position.ply()), (0, position.ply()));
}

#[test]
fn a_new_search_gets_the_parameters_of_its_options() {
    let mut options = SearchOptions::default();
    assert!(options.parameters.set("lmr_factor", 200));
    let tt = Arc::new(TranspositionTable::new(1));
    let limits = Limits::default();
    let context = SearchContext::new(limits, Instant::now(), options, tt, 1, Box::new(|_| ()));
    let mut worker = Worker::new(0);
    let before = worker.reductions.of(20, 20);
    worker.prepare(&Arc::new(context), Position::startpos());
    let after = worker.reductions.of(20, 20);
    assert!(0 < after && after < before, "{after} of {before}");
}

#[test]
fn the_search_of_a_sibling_finds_what_a_new_one_does() {
    let mv = |text: &str| text.parse::<Move>().expect("a move");
    let mut position = Position::startpos();
    for text in ["h0g2", "h9g7", "g2h0", "g7h9"].into_iter().cycle().take(42) {
        position.play_unchecked(mv(text));
    }
    let search = |worker: &mut Worker, mut state| {
        let result = worker.resume(&mut state, None).expect("a result");
        (result.pv, result.score, result.depth, result.nodes)
    };
    let (mut sibling, mut new) = (Worker::new(0), Worker::new(0));
    // The first one goes back to a position of the game.
    for (i, text) in ["g2h0", "b2e2", "g2h0", "g0e2", "g2e1"].into_iter().enumerate() {
        let limits = Limits { nodes: Some(3_000), ..Limits::default() };
        let [one, other] = [context(limits.clone()), context(limits)];
        let state = new.begin(&one, position.after([mv(text)]));
        let expected = search(&mut new, state);
        let state = match i {
            0 => sibling.begin(&other, position.after([mv(text)])),
            _ => sibling.begin_sibling(&other, mv(text)),
        };
        assert_eq!(search(&mut sibling, state), expected, "{text}");
    }
}
