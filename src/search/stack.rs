//! The search stack: one frame per ply with what other nodes of the path need to know.

use xiangqi::board::Move;

use super::histories::index::{ContinuationRow, PieceTo, PositionKeys};
use super::value::MAX_PLY;

/// Frames before the root, so that a node can look at earlier plies without a bounds test.
const FRAMES_BEFORE_ROOT: usize = 8;

/// The frame of one ply.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The corrected evaluation, in the quiescence search bounded by the entry of the table; `None` in
    /// check.
    pub(super) eval: Option<i32>,
    /// The move that is being searched; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// The piece of that move on its target square; `None` for a null move.
    pub(super) moved: Option<PieceTo>,
    /// The row of that move in the continuation history.
    pub(super) row: ContinuationRow,
    /// The place of that move in the order, from 1; 0 outside of the loop over the moves.
    pub(super) move_number: i32,
    /// By how many plies that move is searched less deep.
    pub(super) reduction: i32,
    /// The hashes of the position.
    pub(super) keys: PositionKeys,
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
    /// The move which a singular search leaves out.
    pub(super) excluded: Option<Move>,
    /// Whether the node is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// Beta cutoffs at this ply since its grandparent node was entered.
    pub(super) cutoffs: u32,
}

/// The frames of all plies.
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    pub(super) fn new() -> Stack {
        Stack(vec![Frame::default(); MAX_PLY + FRAMES_BEFORE_ROOT + 4])
    }

    /// Empties all frames.
    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frame of a ply.
    #[inline]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + FRAMES_BEFORE_ROOT]
    }

    /// The frame `plies` plies before `ply`, at most eight.
    #[inline]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + FRAMES_BEFORE_ROOT - plies]
    }
}
