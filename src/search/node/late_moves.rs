//! Steps 16 to 18 of the search: a move is searched less deep the later it comes, with a null window,
//! and again if it turns out better than that.

use std::sync::Arc;

use super::best_move::BestMove;
use super::kinds::{Node, NodeType, NonPv, Pv};
use super::moves::{Candidate, MoveLoop};
use crate::board::SEE_VALUE;
use crate::search::context::SearchContext;
use crate::search::histories::index::MoveOrdering;
use crate::search::value::INFINITE;
use crate::search::worker::Worker;

impl Worker {
    /// Steps 16 to 18: the value of a move, which is made.
    #[inline(always)]
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        extension: i32,
    ) -> i32 {
        let alpha = moves.best.alpha;
        let new_depth = node.depth - 1 + extension;
        let reduction = self.reduction::<N>(node, moves, candidate);
        let mut value = -INFINITE;
        if node.depth >= 2 && candidate.number > 1 + i32::from(N::ROOT) {
            value = self.search_reduced::<N>(context, node, moves, candidate, new_depth, reduction);
        } else if !N::PV || candidate.number > 1 {
            // Step 17. Null window search, a little less deep if the move promises little.
            let parameters = &self.parameters;
            let less = i32::from(reduction > parameters.full_reduction_1)
                + i32::from(reduction > parameters.full_reduction_2 && new_depth > 2);
            let cut_node = !node.cut_node;
            value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth - less, cut_node);
        }
        // Step 18. Open window search, for the first move and for each that beats alpha.
        if N::PV && (candidate.number == 1 || value > alpha) {
            value = -self.negamax::<Pv>(context, -node.beta, -alpha, new_depth, false);
        }
        value
    }

    /// Step 16: searches a late move less deep (or deeper, if it promises much), and again
    /// (step 17) if it beats alpha.
    #[inline(always)]
    fn search_reduced<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        new_depth: i32,
        reduction: i32,
    ) -> i32 {
        let BestMove { alpha, value: best_value, .. } = moves.best;
        let deepest = new_depth + 1 + i32::from(N::PV);
        let reduced = (new_depth - reduction / 1024).min(deepest).max(1);
        self.stack.at(self.ply - 1).reduction = new_depth - reduced;
        let mut value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, reduced, true);
        self.stack.at(self.ply - 1).reduction = 0;
        if value > alpha && !self.stopped {
            let parameters = &self.parameters;
            let high = parameters.lmr_deeper_base + parameters.lmr_deeper_slope * new_depth;
            let deeper = i32::from(reduced < new_depth && value > best_value + high);
            let shallower = i32::from(value < best_value + parameters.lmr_shallower);
            let new_depth = new_depth + deeper - shallower;
            if new_depth > reduced {
                let cut_node = !node.cut_node;
                value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth, cut_node);
            }
            if candidate.captured.is_none() {
                let bonus = self.parameters.lmr_bonus;
                self.update_continuations(self.ply - 1, candidate.moved, bonus);
            }
        }
        value
    }

    /// Step 16: the reduction of a move, which is made, in 1024ths of a ply.
    #[inline(always)]
    fn reduction<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
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
            if node.entry.is_some_and(|entry| entry.value > moves.best.alpha) {
                reduction -= parameters.lmr_tt_pv_value;
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= parameters.lmr_tt_pv_depth;
            }
        }
        if moves.tt_capture && candidate.captured.is_none() {
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
        reduction -= self.reduction_history(moves, candidate) * 1024 / parameters.lmr_history;
        if all_node && reduction > 0 {
            reduction += reduction * parameters.lmr_all_node / 1024 / (node.depth + 1);
        }
        reduction
    }

    /// Step 16: the history of a move, which is made, for its reduction.
    #[inline(always)]
    fn reduction_history(&self, moves: &MoveLoop, candidate: &Candidate) -> i32 {
        let parameters = &self.parameters;
        let &Candidate { mv, moved, .. } = candidate;
        if let Some(captured) = candidate.captured {
            return parameters.lmr_capture * SEE_VALUE[captured.kind().index()] / 64
                + candidate.history
                + parameters.lmr_capture_offset;
        }
        let MoveOrdering { keys, previous, .. } = moves.ordering;
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
