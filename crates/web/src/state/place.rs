//! A place in one of the games that a session has had.

use xiangqi::records::NodeId;

/// A node of one of the games that a session has had; nodes of different games may have the same
/// number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// The number of the game, see [`PlayedGame::number`](cannonade_game::PlayedGame::number).
    pub(super) game: u64,
    pub(super) node: NodeId,
}
