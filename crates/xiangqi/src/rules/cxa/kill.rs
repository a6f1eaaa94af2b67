//! Threats of mate: mates by checks alone if the side moves once more.

use crate::board::{Move, Position};

use super::gain::{Budget, SEARCH_NODES};

/// The own moves that a mate may take.
pub(super) const MATE_MOVES: u32 = 3;

/// Returns whether the side to move mates by checks within the limits on moves and nodes of this
/// reading of the rules.
pub(in crate::rules) fn mates_soon(position: &mut Position) -> bool {
    mates_by_checks(position, &[], MATE_MOVES, &mut Budget::new(SEARCH_NODES))
}

/// Returns whether the side to move mates within this many own moves, each of them a check. Moves
/// of `offered` take what was just offered to exchange and are not made. It is true only if the
/// mate was found; false also if the nodes ran out.
pub(super) fn mates_by_checks(
    position: &mut Position,
    offered: &[Move],
    moves: u32,
    budget: &mut Budget,
) -> bool {
    for mv in position.legal_moves() {
        if !position.gives_check(mv) || offered.contains(&mv) {
            continue;
        }
        if !budget.spend() {
            return false;
        }
        position.play_unchecked(mv);
        let mates = if moves > 1 {
            mates_after_every_reply(position, offered, moves - 1, budget)
        } else {
            !position.has_legal_move()
        };
        position.unmake();
        if mates {
            return true;
        }
    }
    false
}

fn mates_after_every_reply(
    position: &mut Position,
    offered: &[Move],
    moves: u32,
    budget: &mut Budget,
) -> bool {
    position.legal_moves().into_iter().all(|reply| {
        position.play_unchecked(reply);
        let mates = mates_by_checks(position, offered, moves, budget);
        position.unmake();
        mates
    })
}
