//! What a `go` asks for.

use std::time::Duration;

use crate::board::Move;

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` is sudden death.
    pub moves_to_go: Option<u32>,
}

/// What a `go` asks for; the search ends at the first limit it meets. Without any limit it runs
/// until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Depth of the iterative deepening.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Nodes after which no new depth is begun, for self-play at an even pace.
    pub soft_nodes: Option<u64>,
    /// Time for exactly this move.
    pub move_time: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// Search until a mate in this many moves is found.
    pub mate: Option<u32>,
    /// PvInfo no result before `stop`.
    pub infinite: bool,
    /// Think on the opponent's time: report no result before `stop` or `ponderhit`, and start the
    /// clock at the latter.
    pub ponder: bool,
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Leave these root moves out.
    pub banned_moves: Vec<Move>,
    /// Lines to report.
    pub multi_pv: usize,
}
