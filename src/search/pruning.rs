//! Reasons to leave a node without looking at all its moves: razoring, reverse futility, null move,
//! ProbCut, and the singularity of the table's move.

use std::sync::Arc;

use super::context::SearchContext;
use super::negamax::{Node, NodeType, NonPv};
use super::picker::{MovePicker, Wanted};
use super::table::TtBound;
use super::value::{EVALUATION_LIMIT, RULE_BAND, is_decisive};
use super::worker::Worker;
use crate::board::Move;
use crate::geometry::PieceKind::{Cannon, Knight, Rook};

/// What the search without the table's move found.
pub(super) enum Singular {
    /// Search the move this many plies deeper (or less deep).
    Extend(i32),
    /// Leave the node with this value.
    Cut(i32),
}

impl Worker {
    /// Step 5: reasons to leave the node without looking at its moves.
    pub(super) fn prune_node(&mut self, context: &Arc<SearchContext>, node: &Node) -> Option<i32> {
        let &Node { alpha, beta, depth, eval, improving, cut_node, table_move, entry, .. } = node;
        let ply = self.ply;

        // Razoring: so far below alpha that only captures could help.
        let parameters = &self.parameters;
        if eval < alpha - parameters.razor_base - parameters.razor_slope * depth * depth {
            let value = self.quiescence::<NonPv>(context, alpha, alpha + 1, 0);
            if value <= alpha && !is_decisive(value) {
                return Some(value);
            }
        }

        // Reverse futility: so far above beta that the opponent will not come back.
        let parameters = &self.parameters;
        let margin = parameters.rfp_margin * (depth - i32::from(improving)).max(0);
        if depth <= parameters.rfp_depth
            && eval - margin >= beta
            && eval < EVALUATION_LIMIT
            && beta > -RULE_BAND
        {
            return Some(beta + (eval - beta) / 3);
        }

        // Null move: if even passing keeps us above beta, so does a move. Without attackers left
        // passing may be the best move there is, so it is not tried.
        let static_eval = self.stack.at(ply).eval.unwrap_or(eval);
        let earlier_null = self.stack.before(ply, 1).mv.is_none();
        if cut_node
            && eval >= beta
            && static_eval >= beta - 20 * depth + 160
            && !earlier_null
            && beta > -RULE_BAND
            && ply >= self.no_null_before
            && self.has_attackers()
        {
            let reduction = parameters.null_base
                + depth / parameters.null_divisor
                + ((eval - beta) / parameters.null_eval_divisor).clamp(0, 4);
            self.make_null();
            let value = -self.negamax::<NonPv>(context, -beta, 1 - beta, depth - reduction, false);
            self.unmake_null();
            if self.stopped {
                return Some(0);
            }
            if value >= beta {
                let value = if is_decisive(value) { beta } else { value };
                if self.no_null_before > 0 || depth < 14 {
                    return Some(value);
                }
                // Far from the horizon a wrong cut is dear: verify without null moves.
                self.no_null_before = ply + 3 * ((depth - reduction).max(1) as usize) / 4;
                let verified =
                    self.negamax::<NonPv>(context, beta - 1, beta, depth - reduction, false);
                self.no_null_before = 0;
                if verified >= beta {
                    return Some(value);
                }
            }
        }

        // ProbCut: a good capture that beats a raised beta at reduced depth beats beta.
        let raised = beta + self.parameters.probcut_margin - 50 * i32::from(improving);
        let hopeless = entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.value < raised);
        if depth >= 5 && !is_decisive(beta) && !hopeless {
            return self.probcut(context, raised, depth, table_move, static_eval);
        }
        None
    }

    pub(super) fn probcut(
        &mut self,
        context: &Arc<SearchContext>,
        raised: i32,
        depth: i32,
        table_move: Option<Move>,
        static_eval: i32,
    ) -> Option<i32> {
        let hints = self.hints(false);
        let table_move = table_move.filter(|mv| self.position.is_capture(*mv));
        let mut picker = MovePicker::new(&self.position, table_move, hints, Wanted::Captures, 0);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if !self.position.see_at_least(mv, raised - static_eval) {
                continue;
            }
            self.make(context, mv);
            let mut value = -self.quiescence::<NonPv>(context, -raised, 1 - raised, 0);
            if value >= raised {
                value = -self.negamax::<NonPv>(context, -raised, 1 - raised, depth - 4, true);
            }
            self.unmake();
            if self.stopped {
                return Some(0);
            }
            if value >= raised && !is_decisive(value) {
                self.dependence = i32::MAX;
                let raw = None;
                self.store(context, Some(mv), value, raw, depth - 3, TtBound::Lower, false);
                return Some(value);
            }
        }
        None
    }

    /// Whether the table's move is much better than all others, by a reduced search without it.
    pub(super) fn singularity<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        mv: Move,
    ) -> Singular {
        let Some(entry) = node.entry else { return Singular::Extend(0) };
        if node.depth < 6
            || entry.depth < node.depth - 3
            || !entry.bound.has_lower()
            || is_decisive(entry.value)
        {
            return Singular::Extend(0);
        }
        let ply = self.ply;
        let margin = self.parameters.singular_margin * node.depth / 16;
        let target = entry.value - margin;
        self.stack.at(ply).excluded = Some(mv);
        let value =
            self.negamax::<NonPv>(context, target - 1, target, (node.depth - 1) / 2, node.cut_node);
        self.stack.at(ply).excluded = None;
        if value < target {
            let double = !N::PV && value < target - self.parameters.double_margin;
            Singular::Extend(if double { 2 } else { 1 })
        } else if value >= node.beta && !is_decisive(value) {
            // Multicut: another move beats beta too.
            Singular::Cut(value)
        } else if entry.value >= node.beta {
            Singular::Extend(-2)
        } else if node.cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }

    fn make_null(&mut self) {
        let frame = self.stack.at(self.ply);
        frame.mv = None;
        frame.moved = None;
        self.position.make_null();
        self.history.push(&self.position);
        self.ply += 1;
    }

    fn unmake_null(&mut self) {
        self.ply -= 1;
        self.history.pop(&self.position);
        self.position.unmake();
    }

    fn has_attackers(&self) -> bool {
        let own = self.position.board().color(self.position.side());
        let board = self.position.board();
        (board.kind(Rook) | board.kind(Knight) | board.kind(Cannon)).intersects(own)
    }
}
