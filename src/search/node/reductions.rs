//! Step 18 of the search: late move reductions.
//!
//! The reduction of a move is the sum of
//!
//! 1. the base, `lmr_factor * ln(depth) * ln(move number)`, which `reduction_table` holds;
//! 2. corrections by the place: the width of the window, and whether the node improves. Step 15
//!    prunes by the sum up to here;
//! 3. corrections by the kind of the node, the table's entry, the cutoffs below, and the move;
//! 4. the histories of the move.

use xiangqi::board::SEE_VALUE;

use super::{Candidate, Node, NodeType};
use crate::search::histories::index::MoveOrdering;
use crate::search::worker::Worker;

impl Worker {
    /// Step 18: returns the reduction of a place in the move order, in 1024ths of a ply. Step 15
    /// uses it too.
    #[inline(always)]
    pub(super) fn place_reduction(&self, node: &Node, number: i32) -> i32 {
        let parameters = &self.parameters;
        let scale = self.reductions.of(node.depth, number);
        let window = node.beta - node.alpha;
        let mut reduction =
            parameters.lmr_base + scale - parameters.lmr_window * window / self.root_window;
        if !node.improving {
            reduction += scale * parameters.lmr_not_improving / 1024;
        }
        reduction
    }

    /// Step 18: returns the reduction of a move, which is made, in 1024ths of a ply.
    #[inline(always)]
    pub(super) fn reduction<N: NodeType>(
        &mut self,
        node: &Node,
        ordering: &MoveOrdering,
        candidate: &Candidate,
        tt_capture: bool,
    ) -> i32 {
        let cutoffs_below = self.stack.at(self.ply).cutoffs as i32;
        let parameters = &self.parameters;
        let all_node = !N::PV && !node.cut_node;
        let mut reduction = candidate.reduction;
        if node.cut_node {
            reduction += parameters.lmr_cut_node;
            if node.tt_move.is_none() {
                reduction += parameters.lmr_cut_node_no_tt_move;
            }
        }
        if node.tt_pv {
            reduction -= parameters.lmr_tt_pv;
            if N::PV {
                reduction -= parameters.lmr_pv;
            }
            if node.entry.is_some_and(|entry| entry.bound.has_lower() && entry.value > node.alpha) {
                reduction -= parameters.lmr_tt_pv_value;
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= parameters.lmr_tt_pv_depth;
            }
        }
        if tt_capture && candidate.captured.is_none() {
            reduction += parameters.lmr_tt_capture;
        }
        if candidate.gives_check {
            reduction -= parameters.lmr_check;
        }
        if cutoffs_below > parameters.lmr_cutoffs_some {
            reduction += parameters.lmr_cutoffs;
        }
        if cutoffs_below > parameters.lmr_cutoffs_many {
            reduction += parameters.lmr_more_cutoffs;
            if all_node {
                reduction += parameters.lmr_cutoffs_all_node;
            }
        }
        if Some(candidate.mv) == node.tt_move {
            reduction -= parameters.lmr_tt_move;
        }
        reduction -= self.reduction_history(ordering, candidate) * 1024 / parameters.lmr_history;
        if all_node && reduction > 0 {
            reduction += reduction * parameters.lmr_all_node / 1024 / (node.depth + 1);
        }
        reduction
    }

    /// Step 18: returns the history of a move, which is made, for its reduction.
    #[inline(always)]
    fn reduction_history(&self, ordering: &MoveOrdering, candidate: &Candidate) -> i32 {
        let parameters = &self.parameters;
        let &Candidate { mv, moved, .. } = candidate;
        if let Some(captured) = candidate.captured {
            return parameters.lmr_capture * SEE_VALUE[captured.kind().index()] / 64
                + candidate.history
                + parameters.lmr_capture_offset;
        }
        let &MoveOrdering { keys, previous, .. } = ordering;
        let mover = !self.position.side();
        (parameters.lmr_main * self.histories.main(mover, mv)
            + parameters.lmr_pawn * self.histories.pawn(keys, moved)
            + parameters.lmr_continuation_4 * self.histories.continuation(previous[3], moved))
            / 64
            + self.histories.continuation(previous[0], moved)
            + self.histories.continuation(previous[1], moved)
            + parameters.lmr_quiet_offset
    }
}
