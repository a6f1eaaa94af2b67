//! The search stack, one frame per ply with the data that other nodes of the path read, and the
//! triangular table of principal variations.

use arrayvec::ArrayVec;
use xiangqi::board::Move;

use super::history::{ContinuationRow, PieceTo, PositionKeys};
use super::value::MAX_PLY;

/// Frames before the root, so that a node can read earlier plies without a bounds test.
const FRAMES_BEFORE_ROOT: usize = 8;

#[derive(Clone, Copy, Default)]
pub(crate) struct Frame {
    /// Corrected evaluation; `None` in check. The quiescence search sets none.
    pub(crate) eval: Option<i32>,
    /// Move under search; `None` for a null move.
    pub(crate) mv: Option<Move>,
    /// Piece of that move on its target square; `None` for a null move.
    pub(crate) moved: Option<PieceTo>,
    /// Row of that move in the continuation history.
    pub(crate) row: ContinuationRow,
    /// Place of that move in the order, from 1; 0 outside of the move loop.
    pub(crate) move_number: i32,
    /// Reduction of that move in plies.
    pub(crate) reduction: i32,
    /// Hashes of the position.
    pub(crate) keys: PositionKeys,
    /// True if the side to move is in check.
    pub(crate) in_check: bool,
    /// Move excluded by a singular search.
    pub(crate) excluded: Option<Move>,
    /// True if the node is or was on a principal variation.
    pub(crate) tt_pv: bool,
    /// Beta cutoffs at this ply since its grandparent node was entered.
    pub(crate) cutoffs: u32,
}

pub(crate) struct Stack(Vec<Frame>);

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack(vec![Frame::default(); MAX_PLY + FRAMES_BEFORE_ROOT + 4])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// Returns the frame of a ply.
    #[inline]
    pub(crate) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + FRAMES_BEFORE_ROOT]
    }

    /// Returns the frame `plies` plies before `ply`, at most eight.
    #[inline]
    pub(crate) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + FRAMES_BEFORE_ROOT - plies]
    }
}

type Variation = ArrayVec<Move, MAX_PLY>;

/// The triangular table of principal variations: for each ply of the current path the best move of
/// its node, followed by the principal variation of the node after that move.
pub(crate) struct PvTable(Vec<Variation>);

impl PvTable {
    pub(crate) fn new() -> PvTable {
        PvTable(vec![Variation::new(); MAX_PLY + 2])
    }

    /// Clears the variation of a ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the variation of `ply` to this move and the variation of the next ply.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (pv, rest) = (&mut upper[ply], &lower[0]);
        pv.clear();
        pv.push(mv);
        let free = pv.remaining_capacity();
        pv.extend(rest.iter().take(free).copied());
    }

    pub(crate) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_the_move_and_the_variation_of_the_next_ply() {
        let [first, second, third] =
            ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse::<Move>().expect("a move"));
        let mut pv = PvTable::new();
        pv.update(2, third);
        pv.update(1, second);
        pv.update(0, first);
        assert_eq!(pv.at(0), [first, second, third]);
        assert_eq!(pv.at(1), [second, third]);
        pv.clear(1);
        pv.update(0, third);
        assert_eq!(pv.at(0), [third]);
    }
}
