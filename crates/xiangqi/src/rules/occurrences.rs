//! The earlier occurrences of a position, and the loop that they close.

use std::collections::HashMap;

use crate::board::{Move, Position};

/// The occurrence of a position at which a game ends, unless it is played otherwise.
pub const DEFAULT_OCCURRENCES: usize = 3;

/// Returns whether a legal move leads to a position that has occurred in the game.
pub fn repeats(position: &Position, mv: Move) -> bool {
    let key = position.key_after(mv);
    position.states().iter().any(|state| state.key == key)
}

/// Returns for each state of a game whether its position has occurred before, as [`occurrences`]
/// finds it, in time that grows as the length of the game.
pub(super) fn recurrences(position: &Position) -> Vec<bool> {
    let mut last = HashMap::new();
    let states = position.states().iter().enumerate();
    let recurs = states.map(|(ply, state)| {
        let earlier = last.insert(state.key, ply);
        earlier.is_some_and(|earlier| ply - earlier <= usize::from(state.reversible_plies))
    });
    recurs.collect()
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

/// Returns the ply at which the loop begins that the last move has closed, if the position has
/// occurred before. A repetition is ruled over its last three occurrences, or two if there are no
/// more; of equal turns the loop is the last one.
pub fn loop_start(position: &Position) -> Option<usize> {
    let last = occurrences(position).next()?;
    let first = occurrences(position).take(DEFAULT_OCCURRENCES - 1).last()?;
    let is_same_turn =
        moves_since(position, first).take(last - first).eq(moves_since(position, last));
    Some(if is_same_turn { last } else { first })
}

/// Returns the moves after a ply.
pub(super) fn moves_since(position: &Position, ply: usize) -> impl Iterator<Item = Move> + '_ {
    position.states()[ply + 1..].iter().filter_map(|state| state.mv)
}
