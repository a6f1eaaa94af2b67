//! The search stack: one frame per ply with what other nodes of the path need to know.

use super::histories::PieceTo;
use super::value::MAX_PLY;
use crate::board::Move;

/// Frames before the root, so that a node can look at earlier plies without a bounds test.
const FRAMES_BEFORE_ROOT: usize = 6;

/// The frame of one ply.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// The corrected evaluation; `None` in check.
    pub(super) eval: Option<i32>,
    /// The move that is being searched; `None` for a null move.
    pub(super) mv: Option<Move>,
    /// The piece of that move on its target square; `None` for a null move.
    pub(super) moved: Option<PieceTo>,
    /// The move which a singular search leaves out.
    pub(super) excluded: Option<Move>,
    /// The last two quiet moves that caused a beta cutoff at this ply.
    pub(super) killers: [Option<Move>; 2],
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

    /// The frame `plies` plies before `ply`, at most six.
    #[inline]
    pub(super) fn before(&self, ply: usize, plies: usize) -> &Frame {
        &self.0[ply + FRAMES_BEFORE_ROOT - plies]
    }
}
