//! What a node leaves for the nodes below and beside it, one frame a ply.

use super::histories::PieceTo;
use super::value::MAX_PLY;
use crate::board::Move;

/// Frames before the root, so that a node may look at earlier plies without a test.
const BEFORE: usize = 6;

/// The frame of one ply.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The corrected evaluation; `None` in check.
    pub(super) eval: Option<i32>,
    /// The move that is being searched.
    pub(super) mv: Option<Move>,
    /// The piece of that move on its target; `None` after a null move.
    pub(super) moved: Option<PieceTo>,
    /// The move left out while its singularity is tested.
    pub(super) excluded: Option<Move>,
    /// Quiet moves that cut at this ply.
    pub(super) killers: [Option<Move>; 2],
    /// Whether the node is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// How often the nodes below were cut.
    pub(super) cuts: u32,
}

/// See the module.
pub(super) struct Stack(Vec<Frame>);

impl Stack {
    pub(super) fn new() -> Stack {
        Stack(vec![Frame::default(); MAX_PLY + BEFORE + 4])
    }

    /// Empties all frames.
    pub(super) fn clear(&mut self) {
        self.0.fill(Frame::default());
    }

    /// The frame of a ply.
    #[inline]
    pub(super) fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[ply + BEFORE]
    }

    /// The frame `plies` before a ply, at most six.
    #[inline]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + BEFORE - plies]
    }
}
