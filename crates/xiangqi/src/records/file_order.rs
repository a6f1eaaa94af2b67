//! The order in which XQF and CBR list the moves of a tree: a move, all that continues it, then the
//! alternatives to it.

use super::{Game, NodeId};

/// A node with what its record announces.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedNode {
    pub(super) id: NodeId,
    /// True if a move follows this one.
    pub(super) has_continuation: bool,
    /// True if an alternative to this move comes later.
    pub(super) has_alternative: bool,
}

/// Returns all nodes of a game in the order of the files, the root first.
pub(super) fn listed(game: &Game) -> impl Iterator<Item = ListedNode> + '_ {
    // The nodes that are still to be listed, the next one last, each with its number among the
    // children of its parent.
    let mut waiting = vec![(NodeId::ROOT, 0)];
    std::iter::from_fn(move || {
        let (id, number) = waiting.pop()?;
        let siblings = game.children(game.parent(id));
        let alternative = match id {
            NodeId::ROOT => None,
            _ => siblings.get(number + 1).copied(),
        };
        waiting.extend(alternative.map(|other| (other, number + 1)));
        let continuation = game.children(id).first().copied();
        waiting.extend(continuation.map(|next| (next, 0)));
        Some(ListedNode {
            id,
            has_continuation: continuation.is_some(),
            has_alternative: alternative.is_some(),
        })
    })
}
