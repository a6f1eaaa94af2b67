//! What a search tells the outside.

use std::time::Duration;

use super::value::{MATE, MATE_BAND, RULE_BAND, RULE_WIN};
use crate::board::Move;
use crate::rules::Tally;

/// A value for people and programs, from the mover's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Mate in so many of the mover's moves; negative: being mated in so many of the opponent's.
    /// Zero: the mover is mated, or has no move, now.
    Mate(i32),
    /// A repetition that the rules decide, in so many plies; negative: lost.
    Rule(i32),
}

impl Score {
    /// The score of a search value.
    pub(super) fn from_value(value: i32) -> Score {
        // A move that no search has reached yet has no value; nothing is worse than being mated.
        let value = value.max(-MATE);
        if value >= MATE_BAND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BAND {
            Score::Mate(-(MATE + value) / 2)
        } else if value >= RULE_BAND {
            Score::Rule((RULE_WIN - value).max(1))
        } else if value <= -RULE_BAND {
            Score::Rule(-(RULE_WIN + value).max(1))
        } else {
            Score::Cp(value)
        }
    }

    /// The score in centipawns where there is no way to say more: mates lie near 30000 and
    /// repetitions near 20000, nearer ones further out.
    pub fn centipawns(self) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(0) => -30_000,
            Score::Mate(moves) => moves.signum() * (30_000 - 2 * moves.abs()),
            Score::Rule(plies) => plies.signum() * (20_000 - plies.abs()),
        }
    }
}

/// Whether the true value can be better or worse than the reported one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value is exact.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// A principal variation and what the search knows of it.
#[derive(Clone, Debug)]
pub struct PvInfo {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest line of the iteration, in plies.
    pub sel_depth: u32,
    /// The rank of the line, from 1.
    pub multi_pv: usize,
    /// The value of the line.
    pub score: Score,
    /// What is known of it.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// How full the table is, in permille.
    pub hashfull: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The line.
    pub pv: Vec<Move>,
}

/// The root move that is being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentMove {
    /// The depth of the iteration.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Its place in the order of this iteration, from 1.
    pub number: usize,
}

/// What a running search reports.
#[derive(Clone, Debug)]
pub enum SearchInfo {
    /// A principal variation, after each iteration.
    Pv(PvInfo),
    /// The root move that is being searched; only reported by long searches.
    CurrentMove(CurrentMove),
}

/// The result of one worker's search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best move; `None` if there is no legal one (or none that is allowed).
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// The value of the best move.
    pub score: Score,
    /// The last depth that was finished.
    pub depth: u32,
    /// The line of the best move.
    pub pv: Vec<Move>,
    /// Nodes of this worker.
    pub nodes: u64,
    /// What it took to judge their repetitions.
    pub judging: Tally,
}
