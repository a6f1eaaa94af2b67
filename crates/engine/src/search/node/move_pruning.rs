//! Step 15 of the search: pruning of a move before it is made.

use xiangqi::board::SEE_VALUE;

use super::{Candidate, Node};
use crate::search::value::EVALUATION_LIMIT;
use crate::search::worker::Worker;

impl Worker {
    /// Step 15: returns the number of moves after which late move pruning leaves out quiet moves.
    #[inline(always)]
    pub(super) fn quiet_move_limit(&self, node: &Node) -> i32 {
        (self.parameters.late_move_base + node.depth * node.depth) / (2 - i32::from(node.improving))
    }

    /// Step 15: returns true if futility, history or exchanges prune a move. The best value rises
    /// to what a futile quiet move could have reached. A check is not pruned, whatever it loses: it
    /// may mate.
    #[inline(always)]
    pub(super) fn is_pruned(
        &self,
        node: &mut Node,
        candidate: &Candidate,
        is_good_capture: bool,
    ) -> bool {
        let parameters = &self.parameters;
        let &Candidate { mv, captured, gives_check, history, .. } = candidate;
        if gives_check {
            return false;
        }
        let mut reduction = candidate.reduction;
        if node.tt_pv {
            reduction += parameters.prune_tt_pv;
        }
        let lmr_depth = node.depth - 1 - reduction / 1024;
        if let Some(victim) = captured {
            let lmr_depth = lmr_depth.max(0);
            let futility = node.eval
                + parameters.capture_futility_base
                + parameters.capture_futility_slope * lmr_depth
                + SEE_VALUE[victim.kind().index()]
                + history * parameters.capture_futility_history / 1024;
            if !node.in_check
                && lmr_depth < parameters.capture_futility_depth
                && futility <= node.alpha
            {
                return true;
            }
            let margin = parameters.see_capture * node.depth
                + history * parameters.see_capture_history / 1024;
            return !is_good_capture
                && node.depth < parameters.see_capture_depth
                && !self.position.see_at_least(mv, -margin.max(0));
        }
        if lmr_depth >= parameters.prune_quiet_depth {
            return false;
        }
        if history < -parameters.history_margin * node.depth {
            return true;
        }
        // The histories shift the reduced depth, and with it the margins.
        let main = self.histories.main(self.position.side(), mv);
        let lmr_depth =
            lmr_depth + (history + parameters.prune_main * main / 64) / parameters.prune_history;
        let mut futility =
            node.eval + parameters.futility_base + parameters.futility_slope * lmr_depth;
        if node.best.mv.is_none() {
            futility += parameters.futility_no_best;
        }
        if !node.in_check && lmr_depth < parameters.futility_depth && futility <= node.alpha {
            node.best.value = node.best.value.max(futility.min(EVALUATION_LIMIT - 1));
            return true;
        }
        let margin = parameters.see_quiet * lmr_depth.max(0) * lmr_depth.max(0);
        !self.position.see_at_least(mv, -margin)
    }
}
