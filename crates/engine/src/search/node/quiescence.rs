//! The quiescence search: captures until the position is quiet, so that the static evaluation can
//! be trusted.

use xiangqi::board::{Move, SEE_VALUE};

use super::{BestMove, NodeType};
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::ordering::picker::{GenerationKind, MovePicker};
use crate::search::value::{EVALUATION_LIMIT, INFINITE, RULE_BAND, mated_in};
use crate::search::worker::Worker;

/// The depths of entries from the quiescence search: with quiet checks, and without.
const DEPTH_WITH_CHECKS: i32 = 0;
const DEPTH_WITHOUT_CHECKS: i32 = -1;

/// The depth down to which a side that has just given check may check again.
const SECOND_CHECK_DEPTH: i32 = -2;

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
    best: BestMove,
    move_count: u32,
}

impl Worker {
    /// Returns the value of the position if only captures and, at `depth` 0 or soon after another
    /// check, quiet checks are played; in check all moves.
    pub(super) fn quiescence<N: NodeType>(&mut self, alpha: i32, beta: i32, depth: i32) -> i32 {
        // As in step 2: node count, stop, principal variation.
        self.begin_node::<N>();
        self.sel_depth = self.sel_depth.max(self.ply + 1);
        if self.stopped {
            return 0;
        }

        // As in step 3: repetitions, natural-move limit, dead draws, endgame tables.
        if let Some(value) = self.rule_value(beta) {
            return value;
        }

        // As in step 5: the transposition table. An entry of any depth will do. A value that
        // ignores a repetition or a near natural-move limit does little harm in a leaf, and looking
        // for both in every leaf takes time.
        self.enter_node();
        let entry = self.probe();
        if let Some(entry) = entry.filter(|entry| !N::PV && entry.decides(beta)) {
            return entry.value;
        }
        let is_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);

        // As in step 6: the static evaluation. The side to move need not capture ("stand pat").
        let in_check = self.position.in_check();
        let eval = (!in_check).then(|| self.static_eval(entry));
        let raw_eval = eval.map(|eval| eval.raw);
        let entry_of =
            |mv, value, depth, bound| TtEntry { mv, value, eval: raw_eval, depth, bound, is_pv };
        let stand_pat = eval.map_or(-INFINITE, |eval| eval.refined);
        if stand_pat >= beta {
            if entry.is_none() {
                let bound = TtBound::Lower;
                self.store(entry_of(None, stand_pat, DEPTH_WITHOUT_CHECKS, bound));
            }
            return stand_pat;
        }

        // As in steps 14 to 22: the moves.
        let alpha = alpha.max(stand_pat);
        let mut node = QuiescenceNode {
            alpha,
            beta,
            depth,
            in_check,
            tt_move: entry.and_then(|entry| entry.mv),
            futility_base: stand_pat + self.parameters.quiescence_futility,
            best: BestMove::new(stand_pat),
            move_count: 0,
        };
        self.search_captures::<N>(&mut node);
        if self.stopped {
            return 0;
        }
        if in_check && node.move_count == 0 {
            return mated_in(self.ply);
        }
        let BestMove { value, mv, path_dependence } = node.best;
        let bound = TtBound::of(value, beta, N::PV && node.alpha > alpha);
        self.path_dependence = path_dependence;
        let depth = if depth >= 0 { DEPTH_WITH_CHECKS } else { DEPTH_WITHOUT_CHECKS };
        self.store(entry_of(mv, value, depth, bound));
        value
    }

    /// Searches the moves of a node.
    #[inline(always)]
    fn search_captures<N: NodeType>(&mut self, node: &mut QuiescenceNode) {
        let gave_check = self.stack.before(self.ply, 1).in_check;
        let kind = if node.in_check {
            GenerationKind::All
        } else if node.depth >= 0 || (gave_check && node.depth >= SECOND_CHECK_DEPTH) {
            GenerationKind::CapturesAndChecks
        } else {
            GenerationKind::Captures
        };
        let ordering = self.move_ordering();
        let mut picker = MovePicker::new(&self.position, node.tt_move, ordering, kind);
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            node.move_count += 1;
            self.prefetch(mv);
            if node.best.value > -RULE_BAND {
                if !node.in_check {
                    if self.is_futile(node, mv, picker.is_good_capture()) {
                        continue;
                    }
                } else if !self.position.is_capture(mv) {
                    // A quiet evasion that does not lose shows that the check does not mate.
                    picker.skip_quiets();
                }
            }
            self.make(mv);
            let QuiescenceNode { alpha, best, .. } = node;
            let value = -self.quiescence::<N>(-node.beta, -*alpha, node.depth - 1);
            self.unmake();
            if self.stopped || self.update_best::<N>(best, alpha, node.beta, mv, value) {
                return;
            }
        }
    }

    /// Returns true if a move outside of check cannot reach alpha or loses material. The best value
    /// rises to what a futile capture could have reached, short of a won game. A good capture is
    /// known to lose no material.
    #[inline(always)]
    fn is_futile(&self, node: &mut QuiescenceNode, mv: Move, is_good_capture: bool) -> bool {
        if let Some(captured) = self.position.captured(mv) {
            let futility = node.futility_base + SEE_VALUE[captured.kind().index()];
            if futility <= node.alpha && !self.position.gives_check(mv) {
                node.best.value = node.best.value.max(futility.min(EVALUATION_LIMIT - 1));
                return true;
            }
            if node.futility_base <= node.alpha && !self.position.see_at_least(mv, 1) {
                let base = node.futility_base.min(EVALUATION_LIMIT - 1);
                node.best.value = node.best.value.max(base);
                return true;
            }
        }
        !is_good_capture && !self.position.see_at_least(mv, 0)
    }
}
