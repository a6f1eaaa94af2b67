//! The search of all positions of a game for its curve.

use std::time::Duration;

use xiangqi::records::NodeId;

use crate::contest::WebGame;
use crate::search_request::is_searchable;

/// The positions still to be valued for the curve of a game.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// From the last one to the first: table entries from the end of a game help before it.
    left: Vec<NodeId>,
    /// The time for each position.
    time: Duration,
    total: usize,
}

impl Sweep {
    /// Creates the sweep of the shown line; `None` if there is nothing to search.
    pub(super) fn of_line(game: &WebGame, time: Duration) -> Option<Sweep> {
        let left = game.line();
        Sweep { total: left.len(), left, time }.without_ended(game)
    }

    /// Creates the rest of a sweep of `total` positions.
    pub(super) fn resumed(
        left: Vec<NodeId>,
        time: Duration,
        total: usize,
        game: &WebGame,
    ) -> Option<Sweep> {
        Sweep { total: total.max(left.len()), left, time }.without_ended(game)
    }

    /// Returns the positions that are still to be searched.
    pub(super) fn left(&self) -> &[NodeId] {
        &self.left
    }

    /// Returns the time for each position.
    pub(super) fn time(&self) -> Duration {
        self.time
    }

    /// Returns the position to search next, and the time for it.
    pub(super) fn next(&self) -> Option<(NodeId, Duration)> {
        Some((*self.left.last()?, self.time))
    }

    /// Returns the number of positions done, and of all.
    pub(crate) fn progress(&self) -> [usize; 2] {
        [self.total - self.left.len(), self.total]
    }

    /// Returns the rest when a position is done; `None` if it was the last one.
    pub(super) fn after(mut self, done: NodeId, game: &WebGame) -> Option<Sweep> {
        self.left.retain(|&node| node != done);
        self.without_ended(game)
    }

    /// Skips the next positions that the engine does not search, and those that were removed;
    /// `None` if none is left.
    pub(super) fn without_ended(mut self, game: &WebGame) -> Option<Sweep> {
        while let Some(&node) = self.left.last() {
            if game.holds(node) && is_searchable(&game.position_at(node)) {
                return Some(self);
            }
            self.left.pop();
        }
        None
    }
}
