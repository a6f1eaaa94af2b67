//! The quiescence search: captures until the position is quiet, so that the static evaluation can
//! be trusted.

use super::context::SearchContext;
use super::node::NodeType;
use super::picker::{GenerationKind, MovePicker};
use super::transposition::{TtBound, TtEntry};
use super::value::{INFINITE, MAX_PLY, RULE_BAND, is_by_rule, mated_in};
use super::worker::Worker;
use crate::board::{Move, SEE_VALUE};

/// The depths of entries from the quiescence search: with quiet checks, and without.
const DEPTH_WITH_CHECKS: i32 = 0;
const DEPTH_WITHOUT_CHECKS: i32 = -1;

/// A node of the quiescence search and the state of the loop over its moves.
struct QuiescenceNode {
    alpha: i32,
    beta: i32,
    /// At most 0; the depth of the first node is 0.
    depth: i32,
    in_check: bool,
    tt_move: Option<Move>,
    /// Captures that cannot raise the value from here to alpha are pruned.
    futility_base: i32,
    best_value: i32,
    best_move: Option<Move>,
    move_count: u32,
    /// The least [`Worker::path_dependence`] of the searched moves.
    path_dependence: i32,
}

impl Worker {
    /// The value of the position if only captures and, at `depth` 0, quiet checks are played; in
    /// check all moves.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        context: &SearchContext,
        mut alpha: i32,
        beta: i32,
        depth: i32,
    ) -> i32 {
        // As in step 2: node count, stop, principal variation.
        self.count_node(context);
        self.sel_depth = self.sel_depth.max(self.ply + 1);
        self.path_dependence = i32::MAX;
        if N::PV {
            self.pv.clear(self.ply);
        }
        if self.stopped {
            return 0;
        }

        // As in step 3: repetitions, natural-move limit, dead draws.
        if let Some(value) = self.rule_value(context, beta) {
            return value;
        }
        if self.ply >= MAX_PLY {
            return self.value_at_max_ply();
        }

        // As in step 5: the transposition table. An entry of any depth will do.
        self.enter_node();
        let entry = context.tt.probe(self.position.key(), self.ply);
        if let Some(entry) = entry.filter(|entry| !N::PV && entry.decides(beta)) {
            return entry.value;
        }
        let is_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);

        // As in step 6: the static evaluation. The side to move need not capture ("stand pat").
        let in_check = self.position.in_check();
        let old_alpha;
        let mut best_value = -INFINITE;
        let mut raw_eval = None;
        if in_check {
            self.stack.at(self.ply).eval = None;
            old_alpha = alpha;
        } else {
            let eval = self.static_eval(entry);
            raw_eval = Some(eval.raw);
            best_value = eval.refined;
            if best_value >= beta {
                if entry.is_none() {
                    let bound = TtBound::Lower;
                    self.store(
                        context,
                        TtEntry {
                            mv: None,
                            value: best_value,
                            eval: raw_eval,
                            depth: DEPTH_WITHOUT_CHECKS,
                            bound,
                            is_pv,
                        },
                    );
                }
                return best_value;
            }
            alpha = alpha.max(best_value);
            old_alpha = alpha;
            self.stack.at(self.ply).eval = Some(best_value);
        }

        let mut node = QuiescenceNode {
            alpha,
            beta,
            depth,
            in_check,
            tt_move: entry.and_then(|entry| entry.mv),
            futility_base: best_value + self.parameters.quiescence_futility,
            best_value,
            best_move: None,
            move_count: 0,
            path_dependence: i32::MAX,
        };
        self.search_captures::<N>(context, &mut node);
        if self.stopped {
            return 0;
        }
        if in_check && node.move_count == 0 {
            return mated_in(self.ply);
        }
        let QuiescenceNode { best_value, best_move, .. } = node;
        let bound = TtBound::of(best_value, beta, N::PV && node.alpha > old_alpha);
        self.path_dependence = node.path_dependence;
        self.store(
            context,
            TtEntry {
                mv: best_move,
                value: best_value,
                eval: raw_eval,
                depth: if depth >= 0 { DEPTH_WITH_CHECKS } else { DEPTH_WITHOUT_CHECKS },
                bound,
                is_pv,
            },
        );
        best_value
    }

    /// The loop over the moves of a node.
    #[inline(always)]
    fn search_captures<N: NodeType>(&mut self, context: &SearchContext, node: &mut QuiescenceNode) {
        let kind = if node.in_check {
            GenerationKind::All
        } else if node.depth >= 0 {
            GenerationKind::CapturesAndChecks
        } else {
            GenerationKind::Captures
        };
        let ordering = self.move_ordering();
        let mut picker = MovePicker::new(&self.position, node.tt_move, ordering, kind);
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            node.move_count += 1;
            if node.best_value > -RULE_BAND {
                if !node.in_check {
                    if self.is_futile(node, mv, picker.is_good_capture()) {
                        continue;
                    }
                } else if !self.position.is_capture(mv) {
                    // One quiet evasion is enough to see that the check does not mate.
                    picker.skip_quiets();
                }
            }
            self.make(context, mv);
            let value = -self.quiescence::<N>(context, -node.beta, -node.alpha, node.depth - 1);
            self.unmake();
            if self.stopped {
                return;
            }
            if is_by_rule(value) {
                node.path_dependence = node.path_dependence.min(self.path_dependence);
            }
            if value > node.best_value {
                node.best_value = value;
                if value > node.alpha {
                    node.best_move = Some(mv);
                    if N::PV {
                        self.pv.update(self.ply, mv);
                    }
                    if value >= node.beta {
                        return;
                    }
                    node.alpha = value;
                }
            }
        }
    }

    /// Whether a move outside of check cannot reach alpha or loses material. The best value rises
    /// to what a futile capture could have reached. A good capture is known to lose no material.
    #[inline(always)]
    fn is_futile(&self, node: &mut QuiescenceNode, mv: Move, is_good_capture: bool) -> bool {
        if let Some(captured) = self.position.captured(mv) {
            let futility = node.futility_base + SEE_VALUE[captured.kind().index()];
            if futility <= node.alpha && !self.position.gives_check(mv) {
                node.best_value = node.best_value.max(futility);
                return true;
            }
            if node.futility_base <= node.alpha && !self.position.see_at_least(mv, 1) {
                node.best_value = node.best_value.max(node.futility_base);
                return true;
            }
        }
        !is_good_capture && !self.position.see_at_least(mv, 0)
    }
}
