//! The principal variations of the current path: one line a ply, each the best move of its node
//! followed by the line of the node behind it.

use arrayvec::ArrayVec;

use super::value::MAX_PLY;
use crate::board::Move;

type Line = ArrayVec<Move, MAX_PLY>;

/// See the module.
pub(super) struct Lines(Vec<Line>);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines(vec![Line::new(); MAX_PLY + 2])
    }

    /// Forgets the line of a ply.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes the line of `ply` this move and what follows it.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(rest.iter().take(room).copied());
    }

    /// The line of a ply.
    pub(super) fn of(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
