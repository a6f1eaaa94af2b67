//! Reports of a search, while it runs and when it ends.

use std::time::Duration;

use xiangqi::Score;
use xiangqi::board::Move;
use xiangqi::rules::search::Tally;

use super::root::{RootMove, table_line};
use super::value::{INFINITE, is_decisive};
use super::worker::Worker;

/// Time after which searches report the current root move, as in Stockfish.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

/// Minimum time between two reports of the current root move within one iteration, so that fast
/// iterations do not flood the client.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(100);

/// Relation of a reported value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Bound {
    /// The value is exact.
    #[default]
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl Bound {
    /// Returns the relation of a value to the true one after both are negated.
    #[must_use]
    pub const fn reversed(self) -> Bound {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }

    /// Returns the relation of a value to the true one after a search with this window.
    pub(crate) const fn of(value: i32, alpha: i32, beta: i32) -> Bound {
        if value <= alpha {
            Bound::Upper
        } else if value >= beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// A principal variation with its score and search statistics.
#[derive(Clone, Debug)]
pub struct PvInfo {
    /// The depth of the iteration.
    pub depth: u32,
    /// Maximum depth reached in the iteration, in plies.
    pub sel_depth: u32,
    /// The rank of the variation, from 1.
    pub multi_pv: usize,
    /// The value of the variation.
    pub score: Score,
    /// Relation of the score to the true value.
    pub bound: Bound,
    /// True for the lines at the end of an iteration, and for an exact line in their place: that of
    /// another thread or of a level.
    pub ends_iteration: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Filling of the transposition table, in permille.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tb_hits: u64,
    /// Time since the start of the search.
    pub time: Duration,
    /// Moves of the variation.
    pub pv: Vec<Move>,
}

impl PvInfo {
    /// Creates the line of rank 1 of a search that is known only by its depth; its statistics are
    /// zero.
    pub fn new(depth: u32, score: Score, bound: Bound, pv: Vec<Move>) -> PvInfo {
        PvInfo {
            depth,
            sel_depth: depth.max(pv.len() as u32),
            multi_pv: 1,
            score,
            bound,
            ends_iteration: false,
            nodes: 0,
            hashfull: 0,
            tb_hits: 0,
            time: Duration::ZERO,
            pv,
        }
    }

    /// Returns the nodes per second since the start of the search; the first millisecond counts in
    /// full.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(0.001)) as u64
    }
}

/// Root move under search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentMove {
    /// The depth of the iteration.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Place in the order of this iteration, from 1.
    pub number: usize,
}

/// A report of a running search.
#[derive(Clone, Debug)]
pub enum SearchInfo {
    /// A principal variation, after each iteration.
    Pv(PvInfo),
    /// The root move under search; only reported by long searches.
    CurrentMove(CurrentMove),
}

/// The result of one worker's search.
#[derive(Clone, Debug)]
pub struct WorkerResult {
    /// The best move; `None` if there is no legal one (or none that is allowed).
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// The value of the best move.
    pub score: Score,
    /// Relation of the score to the true one: the value of an interrupted iteration may be a bound.
    pub bound: Bound,
    /// The score if it is exact, else that of the last finished iteration; `None` if none was
    /// finished.
    pub exact: Option<Score>,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
    /// Nodes of this worker.
    pub nodes: u64,
    /// Work of the repetition rules.
    pub judging: Tally,
}

impl Worker {
    /// Reports the best `count` root moves with their principal variations, at the end of an
    /// iteration or from the middle of one.
    pub(crate) fn report_pvs(&self, count: usize, ends_iteration: bool) {
        if self.id != 0 {
            return;
        }
        for (index, root_move) in self.root_moves.iter().take(count).enumerate() {
            if root_move.best_value() != -INFINITE {
                let pv = self.pv_of(root_move);
                let info = root_move.pv_info(&self.context, self.root_depth, index + 1, pv);
                (self.context.reporter)(SearchInfo::Pv(PvInfo { ends_iteration, ..info }));
            }
        }
    }

    /// Returns the principal variation of a root move. That of a mate in the endgame tables is
    /// theirs, since the search may find a longer one.
    pub(crate) fn pv_of(&self, root_move: &RootMove) -> Vec<Move> {
        let searched = root_move.best_pv();
        match root_move.table_value {
            Some(value) if is_decisive(value) => {
                table_line(&self.context.options.tables, &self.position, searched)
            }
            _ => searched.to_vec(),
        }
    }

    /// Reports the root move searched next, if the search has run for some seconds. `number` is its
    /// place in the order of this iteration, from 1.
    pub(crate) fn report_current_move(&mut self, mv: Move, number: usize) {
        let time = self.context.start.elapsed();
        let is_due = number == 1 || time >= self.next_current_move;
        if self.id == 0 && time >= CURRENT_MOVE_DELAY && is_due {
            self.next_current_move = time + CURRENT_MOVE_INTERVAL;
            let depth = self.root_depth as u32;
            (self.context.reporter)(SearchInfo::CurrentMove(CurrentMove { depth, mv, number }));
        }
    }
}
