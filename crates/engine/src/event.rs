//! Reports of the engine while it works.

use std::time::Duration;

use xiangqi::board::{Move, Position};

use crate::search::{Bound, CurrentMove, Limits, PvInfo, Score, SearchInfo};

/// A report of the engine. A search ends with exactly one [`Event::BestMove`], any
/// other work with exactly one [`Event::Done`].
#[derive(Clone, Debug)]
pub enum Event {
    /// A principal variation.
    Pv(PvInfo),
    /// Root move under search in a long search.
    CurrentMove(CurrentMove),
    /// End of a search.
    BestMove(Conclusion),
    /// Message for people about the next move.
    Message(String),
    /// A line of text from work that is not a search.
    Text(String),
    /// End of work that is not a search.
    Done,
}

impl From<SearchInfo> for Event {
    fn from(info: SearchInfo) -> Event {
        match info {
            SearchInfo::Pv(report) => Event::Pv(report),
            SearchInfo::CurrentMove(current) => Event::CurrentMove(current),
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Conclusion {
    /// Move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// The expected answer.
    pub ponder: Option<Move>,
    /// The score of the best move from the view of the side to move.
    pub score: Score,
    /// Relation of the score to the true one: a stopped search may have only a bound.
    pub bound: Bound,
    /// The last depth that was finished.
    pub depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the `go` was read.
    pub time: Duration,
    /// True if a thread panicked, which is a bug; the others' result still counts.
    pub broken: bool,
}

impl Conclusion {
    /// Creates the end of a search without a result: a move that the limits allow.
    pub(crate) fn broken(position: &Position, limits: &Limits) -> Conclusion {
        let best = position.legal_moves().into_iter().find(|&mv| limits.allows(mv));
        Conclusion { best, broken: true, ..Conclusion::default() }
    }
}
