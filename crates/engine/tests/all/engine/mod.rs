//! The engine's facade.

mod levels;
mod option_table;
mod signature;
mod without_threads;

use std::time::{Duration, Instant};

use cannonade_engine::search::{Clock, Limits, Score};
use cannonade_engine::{BlockingEngine, Conclusion, Engine, Event, bench};
use cannonade_tables::TableSource;
use crossbeam_channel::{Receiver, unbounded};
use xiangqi::board::Position;
use xiangqi::rules::RuleSet;

/// An answer that takes longer is taken for one that never comes; machines may be busy.
const DEADLINE: Duration = Duration::from_secs(120);

fn engine() -> (Engine, Receiver<Event>) {
    let (events, received) = unbounded();
    (Engine::new(events), received)
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

fn best_move(received: &Receiver<Event>) -> Conclusion {
    loop {
        if let Event::BestMove(conclusion) = received.recv_timeout(DEADLINE).expect("an answer") {
            return conclusion;
        }
    }
}

#[test]
fn go_returns_at_once_and_the_move_comes_later() {
    let (mut engine, received) = engine();
    // The search has no end of its own.
    engine.go(infinite(), Instant::now());
    assert!(engine.is_searching());
    engine.stop();
    assert!(best_move(&received).best.is_some());
    engine.wait();
    assert!(!engine.is_searching());
}

#[test]
fn a_second_go_ends_the_first_which_answers() {
    let (mut engine, received) = engine();
    engine.go(infinite(), Instant::now());
    engine.go(depth(2), Instant::now());
    assert!(best_move(&received).best.is_some());
    assert!(best_move(&received).depth >= 2);
    engine.wait();
    assert!(received.try_iter().next().is_none(), "nothing comes after the last event");
}

#[test]
fn threads_and_memory_change_between_searches() {
    let (mut engine, received) = engine();
    for (threads, hash) in [("3", "1"), ("2", "32"), ("1", "4")] {
        engine.go(depth(3), Instant::now());
        // The search still runs; the option waits for its end.
        engine.set_option("Threads", threads).expect("threads");
        engine.set_option("Hash", hash).expect("memory");
        assert!(best_move(&received).best.is_some());
        engine.go(depth(5), Instant::now());
        assert!(best_move(&received).best.is_some());
    }
}

#[test]
fn the_move_of_several_threads_is_that_of_the_line_sent_last() {
    let (mut engine, received) = engine();
    engine.set_option("Threads", "4").expect("threads");
    for lines in ["1", "3"] {
        engine.set_option("MultiPV", lines).expect("lines");
        for nodes in 1..150 {
            engine.go(Limits { nodes: Some(20 * nodes), ..Limits::default() }, Instant::now());
            engine.wait();
            let (mut first, mut best) = (None, None);
            for event in received.try_iter() {
                match event {
                    Event::Pv(line) if line.multi_pv <= 1 => first = line.pv.first().copied(),
                    Event::BestMove(conclusion) => best = conclusion.best,
                    _ => {}
                }
            }
            // A search of few nodes may end before its first line.
            assert!(first.is_none() || best == first, "{lines} lines, {nodes}");
        }
    }
}

#[test]
fn values_found_with_other_settings_are_forgotten() {
    for (name, value) in [
        ("Clear Hash", ""),
        ("EvalFile", "none"),
        ("RepetitionRule", "None"),
        ("DrawScore", "-50"),
        ("NaturalMoveLimit", "20"),
        ("knowledge", "none"),
    ] {
        let (mut engine, received) = engine();
        engine.go(depth(6), Instant::now());
        best_move(&received);
        engine.wait();
        let start = Position::startpos();
        assert!(engine.probe(&start).is_some());
        engine.set_option("DrawScore", "0").expect("a value");
        assert!(engine.probe(&start).is_some(), "the value is the same as before");
        engine.set_option(name, value).expect("a value");
        assert!(engine.probe(&start).is_none(), "{name}");
    }
}

#[test]
fn values_found_by_other_rules_are_there_again_with_those_rules() {
    let (mut engine, received) = engine();
    let start = Position::startpos();
    let mut search = |rules: &str, plies| {
        engine.set_option("RepetitionRule", rules).expect("rules");
        engine.go(depth(plies), Instant::now());
        best_move(&received);
        engine.wait();
        engine.probe(&start).map(|found| found.depth)
    };
    let first = search("WXF", 8);
    assert!(search("CXA", 3) < first, "a value of other rules");
    engine.set_option("RepetitionRule", "WXF").expect("rules");
    assert_eq!(engine.probe(&start).map(|found| found.depth), first);
}

#[test]
fn memory_that_is_not_there_is_refused_and_the_engine_plays_on() {
    let (mut engine, received) = engine();
    engine.set_option("Hash", "3").expect("little memory");
    // A refusal, except on a machine with more than 64 GiB.
    if engine.set_option("Hash", "65536").is_err() {
        assert_eq!(engine.options().hash_mib, 3, "the size before is kept");
    }
    engine.set_option("Hash", "1").expect("little memory");
    engine.go(depth(2), Instant::now());
    assert!(best_move(&received).best.is_some());
}

#[test]
fn a_running_search_keeps_its_position() {
    let (mut engine, received) = engine();
    engine.go(infinite(), Instant::now());
    let mated = Position::from_fen("3k5/3R5/3R5/9/9/9/9/9/9/4K4 b").expect("a position");
    engine.set_position(mated);
    engine.stop();
    assert!(best_move(&received).best.is_some());
    engine.go(depth(1), Instant::now());
    assert!(best_move(&received).best.is_none());
}

#[test]
fn a_long_search_reports_its_current_root_move() {
    let reported = |start: Instant| {
        let (mut engine, received) = engine();
        engine.go(depth(7), start);
        engine.wait();
        let of = |event| match event {
            Event::CurrentMove(current) => Some(current),
            _ => None,
        };
        received.try_iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(reported(Instant::now()), []);

    // As if it had been thinking for some seconds.
    let start = Instant::now().checked_sub(Duration::from_secs(4)).expect("a young machine");
    let reported_moves = reported(start);
    let legal = Position::startpos().legal_moves();
    assert!(reported_moves.iter().all(|current| legal.contains(&current.mv)), "{reported_moves:?}");
    assert!(
        (1..=7).all(|depth| reported_moves.iter().any(|at| at.depth == depth && at.number == 1))
    );
    // Short iterations report their first moves only, and again for each new window.
    assert!(reported_moves.len() < 100, "{reported_moves:?}");
}

#[test]
fn an_endless_search_sends_no_move_until_it_is_ended() {
    let (mut engine, received) = engine();
    let short = Duration::from_millis(10);
    let clock = Some(Clock { left: short, increment: Duration::ZERO, moves_to_go: None });
    let all = Limits { clock, nodes: Some(10), move_time: Some(short), ..depth(1) };
    for limits in [
        Limits { ponder: true, ..depth(1) },
        Limits { ponder: true, nodes: Some(10), ..Limits::default() },
        Limits { ponder: true, clock, ..Limits::default() },
        Limits { infinite: true, ..all },
    ] {
        let is_pondering = limits.ponder;
        engine.go(limits, Instant::now());
        std::thread::sleep(Duration::from_millis(100));
        assert!(!received.try_iter().any(|event| matches!(event, Event::BestMove(_))));
        if is_pondering {
            engine.ponder_hit();
        } else {
            engine.stop();
        }
        assert!(best_move(&received).best.is_some());
    }
}

#[test]
fn a_new_game_makes_the_search_repeatable() {
    let (mut engine, received) = engine();
    let mut nodes = || {
        engine.new_game();
        engine.go(depth(6), Instant::now());
        best_move(&received).nodes
    };
    let first = nodes();
    assert_eq!(first, nodes());
}

#[test]
fn the_benchmark_counts_the_same_every_time() {
    let run = || {
        let mut positions = Vec::new();
        let summary = bench::run(3, RuleSet::Wxf, |position| positions.push(position), || false);
        assert_eq!(summary.nodes, positions.iter().map(|position| position.nodes).sum::<u64>());
        assert_eq!(summary.to_string(), format!("{} nodes {} nps", summary.nodes, summary.nps()));
        positions
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
    let (mut engine, received) = engine();
    engine.go(infinite(), Instant::now());
    drop(engine);
    assert!(received.iter().any(|event| matches!(event, Event::BestMove(_))));
}

#[test]
fn a_start_that_leaves_the_waiting_side_in_check_is_not_searched() {
    let start = Position::from_recorded_fen("3k5/9/9/9/9/9/9/9/3R5/5K3 w").expect("a start");
    assert!(start.defect().is_some());
    let capture = start.parse_move("d1d9").expect_err("the king");
    assert_eq!(capture.to_string(), "move d1d9: a king is not captured");
    assert!(!start.legal_moves().contains(&"d1d9".parse().expect("a move")));
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let found = BlockingEngine::new().search(start, limits, || false, |_| {});
    assert_eq!((found.conclusion.best, found.conclusion.nodes), (None, 0));
}

#[test]
fn a_blocking_search_returns_its_own_answer() {
    let mut engine = BlockingEngine::new();
    let mate = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w").expect("a position");
    for earlier in [depth(1), infinite()] {
        engine.engine_mut().go(earlier, Instant::now());
        let found = engine.search(mate.clone(), depth(3), || false, |_| {});
        assert_eq!(found.conclusion.score, Score::Mate(1));
    }
}

#[test]
fn tables_of_a_folder_are_taken_back() {
    let (mut engine, _received) = engine();
    let folder = TableSource::Folder(env!("CARGO_MANIFEST_DIR").into());
    for other in [TableSource::BuiltIn, TableSource::User] {
        let problem = engine.use_tables(&folder).expect_err("no tables").to_string();
        assert!(problem.contains("holds no endgame tables"), "{problem}");
        assert_eq!(engine.options().tables, Some(folder.clone()));
        // The tables of the user, if there are any, may not be sound.
        let _ = engine.use_tables(&other);
        assert_eq!(engine.options().tables, None);
    }
}
