//! The engine's facade.

mod readme;
mod signature;

use cannonade::board::Position;
use cannonade::engine::{Conclusion, Engine, Event, bench};
use cannonade::rules::RuleSet;
use cannonade::search::Limits;
use crossbeam_channel::{Receiver, unbounded};
use std::time::{Duration, Instant};

const DEADLINE: Duration = Duration::from_secs(20);

fn engine() -> (Engine, Receiver<Event>) {
    let (events, heard) = unbounded();
    (Engine::new(events), heard)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn best_move(heard: &Receiver<Event>) -> Conclusion {
    loop {
        match heard.recv_timeout(DEADLINE).expect("an answer") {
            Event::BestMove(conclusion) => return conclusion,
            _ => continue,
        }
    }
}

#[test]
fn go_returns_at_once_and_the_move_comes_later() {
    let (mut engine, heard) = engine();
    let start = Instant::now();
    engine.go(infinite(), start);
    assert!(start.elapsed() < Duration::from_secs(1));
    assert!(engine.is_searching());
    engine.stop();
    assert!(best_move(&heard).best.is_some());
    engine.wait();
    assert!(!engine.is_searching());
}

#[test]
fn a_second_go_ends_the_first_which_answers() {
    let (mut engine, heard) = engine();
    engine.go(infinite(), Instant::now());
    engine.go(depth(2), Instant::now());
    assert!(best_move(&heard).best.is_some());
    assert!(best_move(&heard).depth >= 2);
    engine.wait();
    assert!(heard.try_iter().next().is_none(), "nothing is said behind the last word");
}

#[test]
fn threads_and_memory_change_between_searches() {
    let (mut engine, heard) = engine();
    for (threads, hash) in [("3", "1"), ("2", "32"), ("1", "4")] {
        engine.go(depth(3), Instant::now());
        // The search still runs; the option waits for its end.
        engine.set_option("Threads", threads).expect("threads");
        engine.set_option("Hash", hash).expect("memory");
        assert!(best_move(&heard).best.is_some());
        engine.go(depth(5), Instant::now());
        assert!(best_move(&heard).best.is_some());
    }
}

#[test]
fn memory_that_is_not_there_is_refused_and_the_engine_plays_on() {
    let (mut engine, heard) = engine();
    // A refusal or an untouched table of 64 GiB, as the system likes.
    let _ = engine.set_option("Hash", "65536");
    engine.set_option("Hash", "1").expect("little memory");
    engine.go(depth(2), Instant::now());
    assert!(best_move(&heard).best.is_some());
}

#[test]
fn a_running_search_keeps_its_position() {
    let (mut engine, heard) = engine();
    engine.go(infinite(), Instant::now());
    let mated = Position::from_fen("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b").expect("a position");
    engine.set_position(mated);
    engine.stop();
    assert!(best_move(&heard).best.is_some());
    engine.go(depth(1), Instant::now());
    assert!(best_move(&heard).best.is_none());
}

#[test]
fn a_search_that_takes_long_says_which_move_it_looks_at() {
    let moves_said = |start: Instant| {
        let (mut engine, heard) = engine();
        engine.go(depth(7), start);
        engine.wait();
        let of = |event| match event {
            Event::CurrentMove(current) => Some(current),
            _ => None,
        };
        heard.try_iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(moves_said(Instant::now()), []);

    // As if it had been thinking for some seconds.
    let start = Instant::now().checked_sub(Duration::from_secs(4)).expect("a young machine");
    let said = moves_said(start);
    let legal = Position::startpos().legal_moves();
    assert!(said.iter().all(|current| legal.contains(&current.mv)), "{said:?}");
    assert!((1..=7).all(|depth| said.iter().any(|at| at.depth == depth && at.number == 1)));
    // Depths that fly by say their first moves only, and again for each new window.
    assert!(said.len() < 100, "{said:?}");
}

#[test]
fn a_ponder_search_waits_for_the_hit() {
    let (mut engine, heard) = engine();
    engine.go(Limits { ponder: true, ..depth(1) }, Instant::now());
    std::thread::sleep(Duration::from_millis(50));
    assert!(!heard.try_iter().any(|event| matches!(event, Event::BestMove(_))));
    engine.ponder_hit();
    assert!(best_move(&heard).best.is_some());
}

#[test]
fn a_new_game_makes_the_search_repeatable() {
    let (mut engine, heard) = engine();
    let mut nodes = || {
        engine.new_game();
        engine.go(depth(6), Instant::now());
        best_move(&heard).nodes
    };
    let first = nodes();
    assert_eq!(first, nodes());
}

#[test]
fn the_benchmark_counts_the_same_every_time() {
    let run = || {
        let mut last = String::new();
        let summary = bench::run(3, RuleSet::Wxf, |line| last = line, || false);
        assert_eq!(last, format!("{} nodes {} nps", summary.nodes, summary.nps()));
        summary.nodes
    };
    assert_eq!(run(), run());
}

#[test]
fn every_benchmark_position_is_valid_and_different() {
    let mut fens = bench::POSITIONS.to_vec();
    for fen in &fens {
        let position = Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert!(position.has_legal_move(), "{fen}");
    }
    fens.sort_unstable();
    fens.dedup();
    assert_eq!(fens.len(), bench::POSITIONS.len());
    assert!(fens.len() >= 40);
}

#[test]
fn dropping_the_engine_ends_its_search() {
    let (mut engine, heard) = engine();
    engine.go(infinite(), Instant::now());
    drop(engine);
    assert!(heard.iter().any(|event| matches!(event, Event::BestMove(_))));
}
