//! Step 16 of the search: extensions.

use xiangqi::board::Move;

use super::{Candidate, Node, NodeType, NonPv};
use crate::search::value::is_decisive;
use crate::search::worker::Worker;

/// The result of step 16.
pub(super) enum Extension {
    /// Search the move this many plies deeper, or shallower if negative.
    Plies(i32),
    /// Leave the node with this value: several moves beat beta.
    Multicut(i32),
}

impl Worker {
    /// Step 16: returns the extension of a move. The move of the table is extended if it is
    /// singular, a check if it loses no material.
    #[inline(always)]
    pub(super) fn extension<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
    ) -> Extension {
        let is_too_deep = self.ply >= 2 * self.root_depth as usize;
        if !N::ROOT && Some(candidate.mv) == node.tt_move && node.excluded.is_none() && !is_too_deep
        {
            match self.singular_extension::<N>(node, candidate.mv) {
                Extension::Plies(0) => {}
                extension => return extension,
            }
        }
        let may_extend_check = candidate.gives_check
            && node.depth < self.parameters.check_extension_depth
            && !is_too_deep;
        let extends = may_extend_check && self.position.see_at_least(candidate.mv, 0);
        Extension::Plies(extends.into())
    }

    /// Step 16: tests by a reduced search without the table's move how much better than all others
    /// it is.
    fn singular_extension<N: NodeType>(&mut self, node: &Node, mv: Move) -> Extension {
        let parameters = &self.parameters;
        let Some(entry) = node.entry else { return Extension::Plies(0) };
        if node.depth < parameters.singular_depth
            || entry.depth < node.depth - parameters.singular_entry_depth
            || !entry.bound.has_lower()
            || is_decisive(entry.value)
        {
            return Extension::Plies(0);
        }
        let ply = self.ply;
        let margin = parameters.singular_margin * node.depth / 16;
        let target = entry.value - margin;
        self.stack.at(ply).excluded = Some(mv);
        let value = self.negamax::<NonPv>(target - 1, target, (node.depth - 1) / 2, node.cut_node);
        self.stack.at(ply).excluded = None;
        if value < target {
            let parameters = &self.parameters;
            let is_below = |margin| i32::from(!N::PV && value < target - margin);
            let more = is_below(parameters.double_margin) + is_below(parameters.triple_margin);
            Extension::Plies(1 + more)
        } else if value >= node.beta && !is_decisive(value) {
            Extension::Multicut(value)
        } else if entry.value >= node.beta {
            Extension::Plies(-self.parameters.negative_high)
        } else if node.cut_node {
            Extension::Plies(-self.parameters.negative_cut_node)
        } else {
            Extension::Plies(0)
        }
    }
}
