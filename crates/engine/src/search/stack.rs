//! Search stack: one frame per ply with the data that other nodes of the path read.

use xiangqi::board::Move;

use super::histories::index::{ContinuationRow, PieceTo, PositionKeys};
use super::value::MAX_PLY;

/// Frames before the root, so that a node can read earlier plies without a bounds test.
const FRAMES_BEFORE_ROOT: usize = 8;

#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// Corrected evaluation; `None` in check. The quiescence search sets none.
    pub(super) eval: Option<i32>,
    /// Move under search; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// Piece of that move on its target square; `None` for a null move.
    pub(super) moved: Option<PieceTo>,
    /// Row of that move in the continuation history.
    pub(super) row: ContinuationRow,
    /// Place of that move in the order, from 1; 0 outside of the move loop.
    pub(super) move_number: i32,
    /// Reduction of that move in plies.
    pub(super) reduction: i32,
    /// Hashes of the position.
    pub(super) keys: PositionKeys,
    /// True if the side to move is in check.
    pub(super) in_check: bool,
    /// Move excluded by a singular search.
    pub(super) excluded: Option<Move>,
    /// True if the node is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// Beta cutoffs at this ply since its grandparent node was entered.
    pub(super) cutoffs: u32,
}

pub(super) struct Stack(Vec<Frame>);

impl Stack {
    pub(super) fn new() -> Stack {
        Stack(vec![Frame::default(); MAX_PLY + FRAMES_BEFORE_ROOT + 4])
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// Returns the frame of a ply.
    #[inline]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + FRAMES_BEFORE_ROOT]
    }

    /// Returns the frame `plies` plies before `ply`, at most eight.
    #[inline]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + FRAMES_BEFORE_ROOT - plies]
    }
}
