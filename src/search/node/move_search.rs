//! Steps 18 to 20 of the search: the searches of one move.

use super::{Candidate, Node, NodeType, NonPv, Pv};
use crate::search::value::INFINITE;
use crate::search::worker::Worker;

impl Worker {
    /// Steps 18 to 20: searches a move, which is made, and returns its value.
    #[inline(always)]
    pub(super) fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        reduction: i32,
    ) -> i32 {
        let alpha = node.alpha;
        let new_depth = node.depth - 1 + extension;
        let mut value = -INFINITE;
        if node.depth >= 2 && candidate.number > 1 + i32::from(N::ROOT) {
            value = self.search_reduced::<N>(node, candidate, new_depth, reduction);
        } else if !N::PV || candidate.number > 1 {
            // Step 19. Null window search, shallower if the move promises little.
            let parameters = &self.parameters;
            let less = i32::from(reduction > parameters.full_reduction_1)
                + i32::from(reduction > parameters.full_reduction_2 && new_depth > 2);
            value = -self.negamax::<NonPv>(-alpha - 1, -alpha, new_depth - less, !node.cut_node);
        }
        // Step 20. Open window search, for the first move and for each that beats alpha.
        if N::PV && (candidate.number == 1 || value > alpha) {
            value = -self.negamax::<Pv>(-node.beta, -alpha, new_depth, false);
        }
        value
    }

    /// Step 18: searches a late move with a null window at reduced depth (or deeper, if it promises
    /// much), and again (step 19) if it beats alpha.
    #[inline(always)]
    fn search_reduced<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        new_depth: i32,
        reduction: i32,
    ) -> i32 {
        let (alpha, best_value) = (node.alpha, node.best.value);
        let deepest = new_depth + 1 + i32::from(N::PV);
        let reduced = (new_depth - reduction / 1024).min(deepest).max(1);
        self.stack.at(self.ply - 1).reduction = new_depth - reduced;
        let mut value = -self.negamax::<NonPv>(-alpha - 1, -alpha, reduced, true);
        self.stack.at(self.ply - 1).reduction = 0;
        if value > alpha && !self.stopped {
            let parameters = &self.parameters;
            let high = parameters.lmr_deeper_base + parameters.lmr_deeper_slope * new_depth;
            let deeper = i32::from(reduced < new_depth && value > best_value + high);
            let shallower = i32::from(value < best_value + parameters.lmr_shallower);
            let new_depth = new_depth + deeper - shallower;
            if new_depth > reduced {
                value = -self.negamax::<NonPv>(-alpha - 1, -alpha, new_depth, !node.cut_node);
            }
            if candidate.captured.is_none() {
                let bonus = self.parameters.lmr_bonus;
                self.update_continuations(self.ply - 1, candidate.moved, bonus);
            }
        }
        value
    }
}
