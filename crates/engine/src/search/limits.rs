//! Limits of a `go`.

use std::time::Duration;

use xiangqi::board::Move;

/// Default time lost per move between engine and client.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(30);

/// Clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// Limits of a `go`. The search ends at the first limit it reaches; without any limit it runs until
/// stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Maximum depth of the iterative deepening, in plies.
    pub depth: Option<u32>,
    /// Total nodes of all threads.
    pub nodes: Option<u64>,
    /// Nodes after which no new iteration begins, for self-play.
    pub soft_nodes: Option<u64>,
    /// Time for this move only.
    pub move_time: Option<Duration>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// Search until a mate in this many moves is found.
    pub mate: Option<u32>,
    /// True to report no result before `stop`.
    pub infinite: bool,
    /// True to search on the opponent's time: no result before `stop` or `ponderhit`, at which the
    /// clock starts.
    pub ponder: bool,
    /// Search only these root moves; empty means all.
    pub search_moves: Vec<Move>,
    /// Do not search these root moves.
    pub banned_moves: Vec<Move>,
    /// Number of principal variations to report; 0 is the same as 1.
    pub multi_pv: usize,
}

impl Limits {
    /// Returns whether a root move may be searched.
    pub fn allows(&self, mv: Move) -> bool {
        (self.search_moves.is_empty() || self.search_moves.contains(&mv))
            && !self.banned_moves.contains(&mv)
    }

    /// Returns whether nodes, depth or a mate end the search, and no time does: then one thread
    /// gives the same result each time.
    pub fn is_counted(&self) -> bool {
        let counted = self.nodes.or(self.soft_nodes).is_some();
        let is_timed = self.move_time.is_some() || self.clock.is_some();
        (counted || self.depth.is_some() || self.mate.is_some())
            && !is_timed
            && !self.infinite
            && !self.ponder
    }
}
