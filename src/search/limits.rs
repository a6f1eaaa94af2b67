//! The limits of a `go`.

use std::time::Duration;

use xiangqi::board::Move;

/// The default of the time that is lost per move between engine and client.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(30);

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of a `go`. The search ends at the first limit it reaches; without any limit it runs
/// until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The greatest depth of the iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins, for self-play.
    pub soft_nodes: Option<u64>,
    /// Time for this move alone.
    pub move_time: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// Search until a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Report no result before `stop`.
    pub infinite: bool,
    /// Search on the opponent's time: report no result before `stop` or `ponderhit`; the clock
    /// starts at `ponderhit`.
    pub ponder: bool,
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Do not search these root moves.
    pub banned_moves: Vec<Move>,
    /// Principal variations to report; 0 is the same as 1.
    pub multi_pv: usize,
}
