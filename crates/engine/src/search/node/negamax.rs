//! Steps 1 to 13 of the search: a node before its moves. The pruning of the node, steps 9 to 12, is
//! in `node_pruning`.

use xiangqi::board::Move;

use super::{BestMove, Node, NodeType, SearchedMoves};
use crate::nnue::LARGEST_EVALUATION;
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::value::{INFINITE, MATE, is_decisive, mated_in};
use crate::search::worker::Worker;

/// The depth of an entry with the static evaluation alone, less than that of any search.
const EVALUATION_DEPTH: i32 = -2;

/// The static evaluation of a node in centipawns, from the mover's view.
#[derive(Clone, Copy)]
pub(super) struct StaticEval {
    /// The result of the evaluator; the transposition table stores this one.
    pub(super) raw: i32,
    /// With the correction histories added.
    pub(super) corrected: i32,
    /// The value of the table's entry if its bound shows that it is nearer to the true value, else
    /// the same as `corrected`.
    pub(super) refined: i32,
}

impl Worker {
    /// Returns the value of the position for the side to move, searched `depth` plies deep with the
    /// window from `alpha` to `beta` (fail-soft: the value may lie outside).
    pub(in crate::search) fn negamax<N: NodeType>(
        &mut self,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        // Step 1. The quiescence search takes over at the horizon.
        if depth <= 0 {
            return self.quiescence::<N>(alpha, beta, 0);
        }

        // Step 2. Count the node, look for a stop, begin an empty principal variation.
        self.begin_node::<N>();
        if N::PV {
            self.sel_depth = self.sel_depth.max(self.ply + 1);
        }
        if self.stopped {
            return 0;
        }

        let excluded = self.stack.at(self.ply).excluded;
        if !N::ROOT {
            // Step 3. Repetitions, the natural-move limit, dead draws, endgame tables. A singular
            // search is of a node that they did not decide; its lower window would change the
            // answer.
            if excluded.is_none()
                && let Some(value) = self.rule_value(beta)
            {
                return value;
            }
            // Step 4. Mate distance pruning: nothing below beats a shorter mate already found.
            alpha = alpha.max(mated_in(self.ply));
            beta = beta.min(MATE - self.ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 5. The transposition table. Its entry is still on the way from memory.
        self.enter_node();
        let (entry, tt_pv) = self.probe_table::<N>(excluded);
        if !N::PV
            && let Some(value) = self.tt_cutoff(entry, beta, depth)
        {
            return value;
        }

        // Steps 6 and 7. The static evaluation, and its feedback on the previous move.
        let in_check = self.position.in_check();
        let (raw_eval, eval) = self.node_eval(entry, in_check, tt_pv);

        // Step 8. Hindsight. A singular search has the depth of its node.
        let depth = if excluded.is_none() { depth + self.hindsight(depth) } else { depth };

        let mut node = Node {
            alpha,
            beta,
            depth,
            cut_node,
            in_check,
            improving: self.is_improving(),
            tt_pv,
            raw_eval,
            static_eval: self.stack.at(self.ply).eval,
            eval,
            entry,
            tt_move: self.tt_move::<N>(entry),
            tt_capture: false,
            excluded,
            best: BestMove::new(-INFINITE),
            move_count: 0,
            has_chase_information: false,
            quiets: SearchedMoves::new(),
            captures: SearchedMoves::new(),
        };
        self.stack.at(self.ply + 2).cutoffs = 0;

        // Steps 9 to 12. Pruning of the whole node.
        if !N::PV
            && let Some(value) = self.prune_node(&node)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // Step 13. Internal iterative reduction.
        node.depth -= self.internal_reduction::<N>(&node);

        // An evaluation above beta promises as much as one that improves.
        node.improving |= node.static_eval.is_some_and(|eval| eval >= beta);

        // Steps 14 to 22. The moves.
        self.search_moves::<N>(node)
    }

    /// Step 2: counts the node and begins an empty principal variation.
    #[inline(always)]
    pub(super) fn begin_node<N: NodeType>(&mut self) {
        self.count_node();
        self.path_dependence = i32::MAX;
        if N::PV {
            self.pv.clear(self.ply);
        }
    }

    /// Step 5: returns the table's entry, and whether the node is or was on a principal variation.
    /// A singular search leaves out a move that the entry rests on, so it uses none.
    #[inline(always)]
    fn probe_table<N: NodeType>(&mut self, excluded: Option<Move>) -> (Option<TtEntry>, bool) {
        if excluded.is_some() {
            return (None, self.stack.at(self.ply).tt_pv);
        }
        let entry = self.probe();
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);
        self.stack.at(self.ply).tt_pv = tt_pv;
        (entry, tt_pv)
    }

    /// Step 5: returns the value of the table's entry if it is deep enough and fails high or low.
    #[inline(always)]
    fn tt_cutoff(&mut self, entry: Option<TtEntry>, beta: i32, depth: i32) -> Option<i32> {
        let entry = entry?;
        if entry.depth < depth
            || !entry.decides(beta)
            || self.nears_natural_limit()
            || self.game_history.has_occurred(&self.position)
        {
            return None;
        }
        if let Some(mv) = entry.mv.filter(|mv| self.is_quiet_cutoff(*mv, entry.value, beta)) {
            self.update_after_tt_cutoff(mv, depth);
        }
        Some(entry.value)
    }

    fn is_quiet_cutoff(&self, mv: Move, value: i32, beta: i32) -> bool {
        value >= beta && !self.position.is_capture(mv) && self.position.is_pseudo_legal(mv)
    }

    /// Step 5: returns the best move of an earlier search; at the root, that of the last iteration.
    #[inline(always)]
    fn tt_move<N: NodeType>(&self, entry: Option<TtEntry>) -> Option<Move> {
        if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root_move| root_move.mv)
        } else {
            entry.and_then(|entry| entry.mv)
        }
    }

    /// Steps 6 and 7: evaluates the node, and updates the history of the previous move by the
    /// change of the evaluation. Returns the evaluation before any correction, if it was computed,
    /// and the best estimate of the node's value.
    #[inline(always)]
    fn node_eval(
        &mut self,
        entry: Option<TtEntry>,
        in_check: bool,
        tt_pv: bool,
    ) -> (Option<i32>, i32) {
        let ply = self.ply;
        if in_check {
            self.stack.at(ply).eval = None;
            return (None, 0);
        }
        if self.stack.at(ply).excluded.is_some() {
            // The node itself has evaluated this position.
            return (None, self.stack.at(ply).eval.unwrap_or(0));
        }
        let StaticEval { raw, corrected, refined } = self.static_eval(entry);
        self.stack.at(ply).eval = Some(corrected);
        self.update_by_eval_change(corrected, entry.is_some());
        if entry.is_none() {
            self.store(TtEntry {
                mv: None,
                value: 0,
                eval: Some(raw),
                depth: EVALUATION_DEPTH,
                bound: TtBound::None,
                is_pv: tt_pv,
            });
        }
        (Some(raw), refined)
    }

    /// Step 6: evaluates the position, which must not be in check.
    #[inline(always)]
    pub(super) fn static_eval(&mut self, entry: Option<TtEntry>) -> StaticEval {
        let raw = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate());
        let corrected = self.corrected(raw);
        let refined = match entry {
            Some(entry) if entry.decides(corrected + 1) && !is_decisive(entry.value) => entry.value,
            _ => corrected,
        };
        StaticEval { raw, corrected, refined }
    }

    /// Step 6: adds the correction histories to an evaluation, kept out of the bands of won games.
    fn corrected(&self, raw: i32) -> i32 {
        let correction = self.corrections.correction(&self.correction_context(), &self.parameters);
        let value = raw + correction;
        value.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION)
    }

    /// Step 6: returns true if the static evaluation is better than two plies before, or four if
    /// the mover was in check then.
    fn is_improving(&self) -> bool {
        let now = self.stack.before(self.ply, 0).eval;
        let before = self.stack.before(self.ply, 2).eval.or(self.stack.before(self.ply, 4).eval);
        match (now, before) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Step 8: returns the correction of the depth of a node whose move was reduced: deeper if that
    /// move did not make things worse for its side, shallower if both evaluations sum above a
    /// margin.
    #[inline(always)]
    fn hindsight(&self, depth: i32) -> i32 {
        let parameters = &self.parameters;
        let previous = self.stack.before(self.ply, 1);
        let (Some(now), Some(before)) = (self.stack.before(self.ply, 0).eval, previous.eval) else {
            return 0;
        };
        let sum = now + before;
        if previous.reduction >= parameters.hindsight_deeper && sum <= 0 {
            1
        } else if previous.reduction >= parameters.hindsight_shallower
            && depth >= 2
            && sum > parameters.hindsight_margin
        {
            -1
        } else {
            0
        }
    }

    /// Step 13: returns the reduction of a node without a move from the table: it has not been
    /// searched before.
    #[inline(always)]
    fn internal_reduction<N: NodeType>(&self, node: &Node) -> i32 {
        let is_reduced = !N::ROOT
            && node.tt_move.is_none()
            && node.excluded.is_none()
            && (N::PV || node.cut_node)
            && node.depth >= self.parameters.iir_depth;
        is_reduced.into()
    }
}
