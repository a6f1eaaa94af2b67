//! A place in one of the games that a session has had.

use xiangqi::records::NodeId;

/// A node of one of the games that a session has had; nodes of different games may have the same
/// number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::web) struct Place {
    /// The number of the game, see [`PlayedGame::number`](crate::game::PlayedGame::number).
    pub(super) game: u64,
    pub(super) node: NodeId,
}
