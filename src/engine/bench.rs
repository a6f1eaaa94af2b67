//! The benchmark: a fixed list of positions searched to a fixed depth by one thread. The number of
//! nodes is the same on every machine, and changes with every change of search or evaluation.

use std::time::{Duration, Instant};

use crossbeam_channel::unbounded;

use super::{Engine, Event};
use crate::board::{Position, START_FEN};
use crate::search::Limits;

/// The depth without a depth; all positions take two to four seconds.
pub const DEFAULT_DEPTH: u32 = 10;

/// The positions.
pub const POSITIONS: &[&str] = &[START_FEN];

/// How often a running search is asked to stop, if it shall.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// What the benchmark counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time for all positions.
    pub time: Duration,
}

impl Summary {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches all positions with an engine of its own, one thread and the default hash. Says a line
/// for each, then the sum the way OpenBench reads it: `<N> nodes <M> nps`.
pub fn run(depth: u32, mut say: impl FnMut(String), stopped: impl Fn() -> bool) -> Summary {
    let (events, heard) = unbounded();
    let mut engine = Engine::new(events);
    let start = Instant::now();
    let mut nodes = 0;
    for (number, fen) in POSITIONS.iter().enumerate() {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if stopped() {
            break;
        }
        engine.set_position(position);
        engine.go(Limits { depth: Some(depth), ..Limits::default() }, Instant::now());
        let conclusion = loop {
            match heard.recv_timeout(STOP_INTERVAL) {
                Ok(Event::BestMove(conclusion)) => break conclusion,
                Err(_) if stopped() => engine.stop(),
                _ => {}
            }
        };
        nodes += conclusion.nodes;
        let best = conclusion.best.map_or_else(|| "none".to_owned(), |mv| mv.to_string());
        say(format!("{:2}  {best}  {:>9}  {fen}", number + 1, conclusion.nodes));
    }
    let summary = Summary { nodes, time: start.elapsed() };
    say(format!("{} nodes {} nps", summary.nodes, summary.nps()));
    summary
}
