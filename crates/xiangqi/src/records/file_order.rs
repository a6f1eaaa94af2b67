//! The order in which XQF and CBR list the moves of a tree: a move, all that continues it, then the
//! alternatives to it.

use super::builder::GameBuilder;
use super::{Game, NodeId, RecordError};
use crate::board::Move;

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

/// A move of a file with its record.
pub(super) struct ListedMove {
    /// The move, or the text of squares that are none.
    pub(super) mv: Result<Move, String>,
    pub(super) comment: String,
    pub(super) has_continuation: bool,
    pub(super) has_alternative: bool,
}

/// Adds all moves of a file: the main line, then the variations.
pub(super) fn add_listed(
    builder: &mut GameBuilder,
    defects: &mut Vec<RecordError>,
    mut next: impl FnMut() -> Result<ListedMove, RecordError>,
) {
    // The places where alternatives leave the lines before them; `None` after a defect.
    let mut waiting: Vec<Option<NodeId>> = Vec::new();
    let mut here = Some(builder.node());
    let mut is_variation = false;
    loop {
        let record = match next() {
            Ok(record) => record,
            Err(defect) => return defects.push(defect.of_line(is_variation)),
        };
        if record.has_alternative {
            waiting.push(here);
        }
        if let Some(place) = here {
            builder.go_to(place);
            here = match builder.play_squares(record.mv) {
                Ok(()) => {
                    builder.game.add_comment(builder.node(), &record.comment);
                    Some(builder.node())
                }
                Err(defect) => {
                    defects.push(defect.of_line(is_variation));
                    None
                }
            };
        }
        if !record.has_continuation {
            let Some(place) = waiting.pop() else { return };
            here = place;
            is_variation = true;
        }
    }
}
