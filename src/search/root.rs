//! The moves at the root and what is known of each.

use std::time::Duration;

use super::report::{Bound, CurrentMove, PvInfo, Score, SearchInfo};
use super::value::INFINITE;
use super::worker::Worker;
use super::{Limits, SearchContext};
use crate::board::{Move, Position};

/// A search that takes longer than this says which root move it looks at, as Stockfish does.
const ANNOUNCE_AFTER: Duration = Duration::from_secs(3);

/// How often it does so within one depth: no faster than a person reads, so that depths that fly
/// by flood no client.
const ANNOUNCE_INTERVAL: Duration = Duration::from_millis(100);

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The value of this iteration; minus infinite if only known to be worse than another.
    pub(super) value: i32,
    /// The value of the last iteration.
    pub(super) previous: i32,
    /// A running mean of its values, for the aspiration window.
    pub(super) mean: Option<i32>,
    pub(super) bound: Bound,
    pub(super) sel_depth: usize,
    pub(super) nodes: u64,
    pub(super) pv: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            mean: None,
            bound: Bound::Exact,
            sel_depth: 0,
            nodes: 0,
            pv: vec![mv],
        }
    }

    /// What is known of the move, whatever iteration it comes from.
    pub(super) fn best_value(&self) -> i32 {
        if self.value == -INFINITE { self.previous } else { self.value }
    }

    /// The report of this move as line number `multi_pv`.
    pub(super) fn report(&self, context: &SearchContext, depth: i32, multi_pv: usize) -> PvInfo {
        let time = context.start.elapsed();
        let nodes = context.nodes();
        let fresh = self.value != -INFINITE;
        PvInfo {
            depth: if fresh { depth } else { (depth - 1).max(1) } as u32,
            sel_depth: self.sel_depth as u32,
            multi_pv,
            score: Score::from_value(self.best_value()),
            bound: if fresh { self.bound } else { Bound::Exact },
            nodes,
            nps: per_second(nodes, time),
            hashfull: context.table.hashfull(),
            time,
            pv: self.pv.clone(),
        }
    }
}

fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(0.001)) as u64
}

/// The moves the search may choose from.
pub(super) fn root_moves(position: &Position, limits: &Limits) -> Vec<RootMove> {
    position
        .legal_moves()
        .into_iter()
        .filter(|mv| limits.search_moves.is_empty() || limits.search_moves.contains(mv))
        .filter(|mv| !limits.banned_moves.contains(mv))
        .map(RootMove::new)
        .collect()
}

impl Worker {
    /// Says which root move comes next, of a long search.
    pub(super) fn announce(&mut self, context: &SearchContext, mv: Move, number: usize) {
        let time = context.start.elapsed();
        let due = number == 1 || time >= self.next_announcement;
        if self.id == 0 && time >= ANNOUNCE_AFTER && due {
            self.next_announcement = time + ANNOUNCE_INTERVAL;
            let depth = self.root_depth as u32;
            (context.reporter)(SearchInfo::CurrentMove(CurrentMove { depth, mv, number }));
        }
    }
}
