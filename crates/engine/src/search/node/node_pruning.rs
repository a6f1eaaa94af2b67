//! Steps 9 to 12 of the search: pruning of a whole node before its moves.

use xiangqi::geometry::PieceKind::{Cannon, Knight, Rook};

use super::{Node, NonPv};
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::ordering::picker::{GenerationKind, MovePicker};
use crate::search::value::{EVALUATION_LIMIT, RULE_BAND, is_decisive};
use crate::search::worker::Worker;

impl Worker {
    /// Steps 9 to 12: returns the value of the node if a step prunes it. They apply to nodes with a
    /// null window outside of check.
    #[inline]
    pub(super) fn prune_node(&mut self, node: &Node) -> Option<i32> {
        if node.in_check || node.excluded.is_some() {
            return None;
        }
        if let Some(value) = self.razoring(node) {
            return Some(value);
        }
        if let Some(value) = self.reverse_futility(node) {
            return Some(value);
        }
        let static_eval = node.static_eval.unwrap_or(node.eval);
        if let Some(value) = self.null_move_pruning(node, static_eval) {
            return Some(value);
        }
        self.probcut(node, static_eval)
    }

    /// Step 9. Razoring: so far below alpha only captures could help, so they alone are searched.
    #[inline(always)]
    fn razoring(&mut self, node: &Node) -> Option<i32> {
        let &Node { alpha, depth, eval, .. } = node;
        let parameters = &self.parameters;
        if eval >= alpha - parameters.razor_base - parameters.razor_slope * depth * depth {
            return None;
        }
        let value = self.quiescence::<NonPv>(alpha, alpha + 1, 0);
        (value <= alpha && !is_decisive(value)).then_some(value)
    }

    /// Step 10. Reverse futility pruning: so far above beta the opponent is not expected to come
    /// back within the remaining depth.
    #[inline(always)]
    fn reverse_futility(&self, node: &Node) -> Option<i32> {
        let &Node { beta, depth, eval, improving, .. } = node;
        let parameters = &self.parameters;
        let margin = parameters.rfp_margin * (depth - i32::from(improving)).max(0);
        (depth <= parameters.rfp_depth
            && eval - margin >= beta
            && eval < EVALUATION_LIMIT
            && beta > -RULE_BAND)
            .then(|| beta + (eval - beta) / parameters.rfp_return_divisor)
    }

    /// Step 11. Null move pruning: if even passing the turn fails high, a move does too. Without
    /// attackers passing may be better than every move (zugzwang), so it is not tried then.
    #[inline(always)]
    fn null_move_pruning(&mut self, node: &Node, static_eval: i32) -> Option<i32> {
        let &Node { beta, depth, eval, cut_node, .. } = node;
        let ply = self.ply;
        let parameters = &self.parameters;
        let static_margin = parameters.null_static_base - parameters.null_static_slope * depth;
        let after_null_move = self.stack.before(ply, 1).mv.is_none();
        if !(cut_node
            && eval >= beta
            && static_eval >= beta + static_margin
            && !after_null_move
            && beta > -RULE_BAND
            && ply >= self.null_move_min_ply
            && self.has_attackers())
        {
            return None;
        }
        let reduction = parameters.null_base
            + depth / parameters.null_divisor
            + ((eval - beta) / parameters.null_eval_divisor).clamp(0, parameters.null_eval_max);
        self.context.tt.prefetch(self.position.key_after_null());
        self.make_null();
        let value = -self.negamax::<NonPv>(-beta, 1 - beta, depth - reduction, false);
        self.unmake_null();
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        let value = if is_decisive(value) { beta } else { value };
        if self.null_move_min_ply > 0 || depth < self.parameters.null_verify_depth {
            return Some(value);
        }
        // Far from the horizon a wrong cutoff costs much: verify it without null moves.
        let share = self.parameters.null_verify_share * (depth - reduction).max(1) / 1024;
        self.null_move_min_ply = ply + share as usize;
        let verified = self.negamax::<NonPv>(beta - 1, beta, depth - reduction, false);
        self.null_move_min_ply = 0;
        (verified >= beta).then_some(value)
    }

    /// Step 11: returns true if the side to move has a rook, knight or cannon.
    fn has_attackers(&self) -> bool {
        let own = self.position.board().color(self.position.side());
        let board = self.position.board();
        (board.kind(Rook) | board.kind(Knight) | board.kind(Cannon)).intersects(own)
    }

    /// Step 12. ProbCut: a capture that beats a raised beta at reduced depth is expected to beat
    /// beta at full depth.
    #[inline(always)]
    fn probcut(&mut self, node: &Node, static_eval: i32) -> Option<i32> {
        let &Node { beta, depth, improving, entry, .. } = node;
        let parameters = &self.parameters;
        let reduction = parameters.probcut_reduction;
        let raised =
            beta + parameters.probcut_margin - parameters.probcut_improving * i32::from(improving);
        let is_refuted =
            entry.is_some_and(|entry| entry.depth > depth - reduction && entry.value < raised);
        if depth < parameters.probcut_depth || is_decisive(beta) || is_refuted {
            return None;
        }
        let ordering = self.move_ordering();
        let tt_move = node.tt_move.filter(|mv| self.position.is_capture(*mv));
        let mut picker =
            MovePicker::new(&self.position, tt_move, ordering, GenerationKind::Captures);
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            self.prefetch(mv);
            if !self.position.see_at_least(mv, raised - static_eval) {
                continue;
            }
            self.make(mv);
            let mut value = -self.quiescence::<NonPv>(-raised, 1 - raised, 0);
            if value >= raised {
                value = -self.negamax::<NonPv>(-raised, 1 - raised, depth - reduction, true);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if value >= raised && !is_decisive(value) {
                self.path_dependence = i32::MAX;
                self.store(TtEntry {
                    mv: Some(mv),
                    value,
                    eval: node.raw_eval,
                    depth: depth - reduction + 1,
                    bound: TtBound::Lower,
                    is_pv: node.tt_pv,
                });
                return Some(value);
            }
        }
        None
    }
}
