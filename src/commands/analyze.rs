//! `cannonade analyze`: a search whose result is a table for people.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use clap::builder::RangedI64ValueParser;
use crossbeam_channel::{RecvTimeoutError, unbounded};

use super::interrupt::on_interrupt;
use super::{Failure, Output};
use crate::board::{Move, Position, START_FEN};
use crate::engine::{Conclusion, Engine, Event, OptionRow};
use crate::search::{Bound, Limits, PvInfo, Score};

/// Seconds to search if no limit is given.
const DEFAULT_SECONDS: f64 = 5.0;

/// Moves shown of each line.
const MOVES_SHOWN: usize = 12;

/// How often Ctrl-C is looked for.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade analyze --time 10 --threads 4
  cannonade analyze --moves 'h2e2 h9g7' --depth 16 --multipv 3
  cannonade analyze --fen '3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w' --nodes 1000000

Scores are in pawns, from the view of the side to move. Ctrl-C ends the search early.")]
pub(super) struct Arguments {
    /// The position as a FEN [default: the starting position]
    #[arg(long, default_value = START_FEN, hide_default_value = true)]
    fen: String,
    /// Moves made from there, such as 'h2e2 h9g7'
    #[arg(long, num_args = 1.., value_name = "MOVES")]
    moves: Vec<String>,
    /// Seconds to search [default: 5 if there is no other limit]
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    time: Option<f64>,
    /// Depth to search to
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Nodes to search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Number of best lines to show
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = within_bounds("MultiPV"))]
    multipv: u32,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within_bounds("Threads"))]
    threads: u32,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = within_bounds("Hash"))]
    hash: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = position(arguments)?;
    let time = seconds(arguments)?;
    let (sender, events) = unbounded();
    let mut engine = Engine::new(sender);
    for (name, value) in
        [("Threads", arguments.threads), ("Hash", arguments.hash), ("MultiPV", arguments.multipv)]
    {
        engine.set_option(name, &value.to_string()).map_err(Failure::input)?;
    }

    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Without the handler Ctrl-C ends the process, which is not much worse.
    let _ = on_interrupt(move || flag.store(true, Ordering::Relaxed));

    let mut output = Output::new();
    output.line(format_args!(
        "{}\n{}, {} to move\n",
        position.board(),
        position.fen(),
        position.side()
    ));
    output.line("depth    time       nodes   score  line");
    engine.set_position(position.clone());
    let limits = Limits {
        depth: arguments.depth,
        nodes: arguments.nodes,
        move_time: time,
        ..Limits::default()
    };
    engine.go(limits, Instant::now());
    loop {
        match events.recv_timeout(POLL_INTERVAL) {
            Ok(Event::Pv(report)) if report.bound == Bound::Exact => {
                output.line(row(&report));
            }
            Ok(Event::BestMove(conclusion)) => {
                output.line(format_args!("\n{}", summary(&conclusion, &position)));
                return output.finish();
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(anyhow!("the search ended").into()),
        }
        if interrupted.load(Ordering::Relaxed) || output.is_closed() {
            engine.stop();
        }
    }
}

/// Reads a number within the bounds of an option of the engine.
fn within_bounds(option: &str) -> RangedI64ValueParser<u32> {
    let bounds = OptionRow::find(option).and_then(OptionRow::bounds);
    let (min, max) = bounds.unwrap_or((1, i64::from(u32::MAX)));
    RangedI64ValueParser::new().range(min..=max)
}

fn position(arguments: &Arguments) -> Result<Position, Failure> {
    let mut position = Position::from_fen(&arguments.fen).map_err(Failure::input)?;
    for text in arguments.moves.iter().flat_map(|moves| moves.split_whitespace()) {
        let mv = position.parse_move(text).map_err(Failure::input)?;
        position.make(mv);
    }
    Ok(position)
}

/// The time to search; `None` if there is another limit.
fn seconds(arguments: &Arguments) -> Result<Option<Duration>, Failure> {
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none();
    let Some(seconds) = arguments.time.or(unlimited.then_some(DEFAULT_SECONDS)) else {
        return Ok(None);
    };
    Duration::try_from_secs_f64(seconds).map(Some).map_err(|_| {
        Failure::input(anyhow!("--time {seconds}: expected a number of seconds such as 2.5"))
    })
}

fn row(report: &PvInfo) -> String {
    let line: Vec<String> = report.pv.iter().take(MOVES_SHOWN).map(Move::to_string).collect();
    let depth = format!("{}/{}", report.depth, report.sel_depth);
    let time = format!("{:.2} s", report.time.as_secs_f64());
    let more = if report.pv.len() > MOVES_SHOWN { " .." } else { "" };
    format!(
        "{depth:>6} {time:>8} {:>11} {:>7}  {}{more}",
        report.nodes,
        score(report.score),
        line.join(" ")
    )
}

/// A score for people.
fn score(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+mate{moves}"),
        Score::Mate(moves) => format!("-mate{}", -moves),
        Score::Rule(plies) if plies > 0 => "+rule".to_owned(),
        Score::Rule(_) => "-rule".to_owned(),
    }
}

fn summary(conclusion: &Conclusion, position: &Position) -> String {
    let Some(best) = conclusion.best else {
        return format!("No legal move: {} has lost.", position.side());
    };
    let answer = conclusion.ponder.map(|mv| format!(", expecting {mv}")).unwrap_or_default();
    let seconds = conclusion.time.as_secs_f64();
    let nps = conclusion.nodes as f64 / seconds.max(1e-3);
    format!(
        "Best move: {best}{answer}\n{} nodes in {seconds:.2} s, {:.0} thousand per second",
        conclusion.nodes,
        nps / 1e3
    )
}
