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
        if mates_by(position, offered, mv, moves, budget) {
            return true;
        }
    }
    false
}

/// Returns whether the check begins a mate within this many own moves.
fn mates_by(
    position: &mut Position,
    offered: &[Move],
    check: Move,
    moves: u32,
    budget: &mut Budget,
) -> bool {
    position.play_unchecked(check);
    let mates = if moves > 1 {
        mates_after_every_reply(position, offered, moves - 1, budget)
    } else {
        !position.has_legal_move()
    };
    position.unmake();
    mates
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

/// Returns the moves of the shortest mate that [`mates_by_checks`] finds, with the replies that
/// resist longest; none if it finds no mate.
pub(super) fn mating_line(
    position: &mut Position,
    offered: &[Move],
    budget: &mut Budget,
) -> Vec<Move> {
    let mut line = Vec::new();
    add_mate(position, offered, budget, &mut line);
    line
}

fn add_mate(position: &mut Position, offered: &[Move], budget: &mut Budget, line: &mut Vec<Move>) {
    let Some(moves) = moves_to_mate(position, offered, budget) else { return };
    let check = position.legal_moves().into_iter().find(|&mv| {
        position.gives_check(mv)
            && !offered.contains(&mv)
            && mates_by(position, offered, mv, moves, budget)
    });
    let Some(check) = check else { return };
    line.push(check);
    position.play_unchecked(check);
    let longest = position.legal_moves().into_iter().max_by_key(|&reply| {
        position.play_unchecked(reply);
        let moves = moves_to_mate(position, offered, budget);
        position.unmake();
        moves
    });
    if let Some(reply) = longest {
        line.push(reply);
        position.play_unchecked(reply);
        add_mate(position, offered, budget, line);
        position.unmake();
    }
    position.unmake();
}

/// Returns the number of own moves that the shortest mate takes.
fn moves_to_mate(position: &mut Position, offered: &[Move], budget: &mut Budget) -> Option<u32> {
    (1..=MATE_MOVES).find(|&moves| mates_by_checks(position, offered, moves, budget))
}
