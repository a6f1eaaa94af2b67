//! What judging repetitions costs: how many nodes of the benchmark reach each part, and how long a
//! call of each takes. `cargo bench --bench rules`

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use cannonade::engine::bench::{DEFAULT_DEPTH, POSITIONS};
use cannonade::search::{Limits, SearchContext, SearchOptions, TranspositionTable, Worker};
use xiangqi::board::{Move, Position};
use xiangqi::rules::{History, RuleSet, Tally, get_chases, judge, last_occurrence};

/// Calls that are timed together.
const CALLS: u32 = 20_000;

/// Rounds; the fastest one counts, since a machine may be slower than it is but not faster.
const ROUNDS: usize = 7;

fn main() {
    let (nodes, tally) = search_all();
    println!("{nodes} nodes");
    for (part, count) in [
        ("filter not passed as new", tally.searched),
        ("loop judged", tally.judged),
        ("first quiet move noted", tally.noted),
        ("chase information found", tally.found),
    ] {
        println!("{part:<30} {:8.4} % of nodes", 100.0 * count as f64 / nodes as f64);
    }

    let walks: Vec<_> = POSITIONS.iter().filter_map(|fen| wander(fen)).collect();
    let loops: Vec<_> = POSITIONS.iter().filter_map(|fen| shuffle(fen)).collect();
    println!("\n{} positions, {} loops of four plies", walks.len(), loops.len());
    let follow = average(&walks, |position, history| {
        history.pop(position);
        history.push(position);
    });
    show("follow a move and back", follow);
    show(
        "judge_prune, new position",
        average(&walks, |position, history| {
            black_box(history.judge_prune(position, 0, 1));
        }),
    );
    show(
        "search for an earlier occurrence",
        average(&walks, |position, _| {
            black_box(last_occurrence(black_box(position)));
        }),
    );
    show(
        "get_chases",
        average(&walks, |position, _| {
            black_box(get_chases(black_box(position.board()), !position.side()));
        }),
    );
    show(
        "judge, nothing noted",
        average(&loops, |position, _| {
            black_box(judge(black_box(position), 4, RuleSet::Wxf));
        }),
    );
    show(
        "judge_prune, all noted",
        average(&loops, |position, history| {
            black_box(history.judge_prune(black_box(position), 0, 1));
        }),
    );
}

fn show(part: &str, nanoseconds: f64) {
    println!("{part:<34} {nanoseconds:8.1} ns");
}

/// The benchmark, as one worker searches it.
fn search_all() -> (u64, Tally) {
    let table = Arc::new(TranspositionTable::new(16));
    let mut worker = Worker::new(0);
    let (mut nodes, mut sum) = (0, Tally::default());
    for fen in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let limits = Limits { depth: Some(DEFAULT_DEPTH), ..Limits::default() };
        let (table, options) = (Arc::clone(&table), SearchOptions::default());
        table.new_search();
        let reporter = Box::new(|_| ());
        let context = SearchContext::new(limits, Instant::now(), options, table, 1, reporter);
        let outcome = worker.search(&Arc::new(context), position);
        nodes += outcome.nodes;
        let tally = outcome.judging;
        sum = Tally {
            searched: sum.searched + tally.searched,
            judged: sum.judged + tally.judged,
            noted: sum.noted + tally.noted,
            found: sum.found + tally.found,
        };
    }
    (nodes, sum)
}

/// Eight quiet moves to new positions.
fn wander(fen: &str) -> Option<Position> {
    let mut position = Position::from_fen(fen).ok()?;
    for step in 0..8 {
        let quiet = quiet_moves(&position);
        let new = quiet.into_iter().cycle().skip(7 * step).take(100).find(|&mv| {
            let mut after = position.clone();
            after.make(mv);
            after.states().iter().filter(|state| state.key == after.key()).count() == 1
                && after.state().reversible_plies > 0
        })?;
        position.make(new);
    }
    Some(position)
}

/// Both sides go somewhere and back.
fn shuffle(fen: &str) -> Option<Position> {
    let mut position = Position::from_fen(fen).ok()?;
    let first = quiet_moves(&position).into_iter().find(|&mv| goes_back(&position, mv))?;
    position.make(first);
    let second = quiet_moves(&position).into_iter().find(|&mv| goes_back(&position, mv))?;
    position.make(second);
    for mv in [first.reversed(), second.reversed()] {
        position.make(position.check_move(mv).ok()?);
    }
    Some(position)
}

fn goes_back(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.make(mv);
    after.state().reversible_plies > 0 && !after.in_check()
}

fn quiet_moves(position: &Position) -> Vec<Move> {
    position.legal_moves().into_iter().filter(|&mv| !position.is_capture(mv)).collect()
}

/// Nanoseconds a call takes on average.
fn average(positions: &[Position], call: impl Fn(&Position, &mut History)) -> f64 {
    let round = || {
        let mut spent = 0.0;
        for position in positions {
            let mut history = History::with_root(position, 0, RuleSet::Wxf);
            call(position, &mut history);
            let start = Instant::now();
            for _ in 0..CALLS {
                call(black_box(position), &mut history);
            }
            spent += start.elapsed().as_secs_f64();
        }
        1e9 * spent / f64::from(CALLS) / positions.len() as f64
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}
