//! The earlier occurrences of a position.

use crate::board::{Move, Position};

/// Returns whether a legal move leads to a position that has occurred in the game.
pub fn repeats(position: &Position, mv: Move) -> bool {
    let key = position.key_after(mv);
    position.states().iter().any(|state| state.key == key)
}

/// Returns the plies of the earlier occurrences of the position, the last one first.
pub fn occurrences(position: &Position) -> impl Iterator<Item = usize> + '_ {
    let states = position.states();
    let now = states.len() - 1;
    let oldest = now - usize::from(position.state().reversible_plies).min(now);
    (oldest..(now + 1).saturating_sub(4))
        .rev()
        .filter(move |&ply| (now - ply).is_multiple_of(2) && states[ply].key == states[now].key)
}
