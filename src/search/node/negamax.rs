//! One node of the search: a fail-soft principal variation search in negamax form.
//!
//! The techniques are those of strong alpha-beta engines, above all Stockfish; each is described at
//! <https://www.chessprogramming.org> under the name used here. The steps, in the order in which
//! they are taken:
//!
//! | step | | file |
//! |---|---|---|
//! | 1 | quiescence search at the horizon | here, `quiescence` |
//! | 2 | node count, stop, principal variation | here |
//! | 3 | repetitions, natural-move limit, dead draws, endgame tables | here, `rule_values` |
//! | 4 | mate distance pruning | here |
//! | 5 | transposition table | here |
//! | 6 | static evaluation | here, `static_eval` |
//! | 7 | razoring | `pruning` |
//! | 8 | reverse futility pruning | `pruning` |
//! | 9 | null move pruning | `pruning` |
//! | 10 | ProbCut | `pruning` |
//! | 11 | internal iterative reduction | here |
//! | 12 | the next move | `move_loop`, `ordering/picker` |
//! | 13 | pruning of the move: late moves, futility, history, exchanges | `move_pruning` |
//! | 14 | extensions: singular moves and checks | `extensions` |
//! | 15 | chase information for the repetition rules | `move_loop` |
//! | 16 | late move reductions | `late_moves` |
//! | 17 | null window search | `late_moves` |
//! | 18 | open window search | `late_moves` |
//! | 19 | the best move so far | `best_move` |
//! | 20 | histories and transposition table | `move_loop`, `history_updates` |

use std::sync::Arc;

use super::kinds::{Node, NodeType};
use super::static_eval::StaticEval;
use crate::board::Move;
use crate::search::context::SearchContext;
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::value::{MATE, mated_in};
use crate::search::worker::Worker;

/// The depth of an entry which holds only the static evaluation, less than that of any search.
const EVALUATION_DEPTH: i32 = -2;

impl Worker {
    /// The value of the position for the side to move, searched `depth` plies deep with the window
    /// from `alpha` to `beta` (fail-soft: the value may lie outside).
    pub(in crate::search) fn negamax<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        // Step 1. At the horizon the quiescence search takes over.
        if depth <= 0 {
            return self.quiescence::<N>(context, alpha, beta, 0);
        }

        // Step 2. Count the node, look for a stop, begin an empty principal variation.
        self.begin_node::<N>(context);
        if N::PV {
            self.sel_depth = self.sel_depth.max(self.ply + 1);
        }
        if self.stopped {
            return 0;
        }

        if !N::ROOT {
            // Step 3. Repetitions, the natural-move limit, dead draws, endgame tables.
            if let Some(value) = self.rule_value(context, beta) {
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
        let excluded = self.stack.at(self.ply).excluded;
        let (entry, tt_pv) = self.probe_table::<N>(context, excluded);
        if !N::PV
            && let Some(value) = self.tt_cutoff(context, entry, beta, depth)
        {
            return value;
        }

        // Step 6. The static evaluation.
        let (raw_eval, eval) = self.node_eval(context, entry, tt_pv);
        let depth = if excluded.is_none() { depth + self.hindsight(depth) } else { depth };
        let mut node = Node {
            alpha,
            beta,
            depth,
            cut_node,
            in_check: self.position.in_check(),
            improving: self.is_improving(),
            tt_pv,
            raw_eval,
            static_eval: self.stack.at(self.ply).eval,
            eval,
            entry,
            tt_move: self.tt_move::<N>(entry),
            excluded,
        };
        self.stack.at(self.ply + 2).cutoffs = 0;

        // Steps 7 to 10. Pruning of the whole node.
        if !N::PV
            && let Some(value) = self.prune_node(context, &node)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // Step 11. Internal iterative reduction.
        node.depth -= self.internal_reduction::<N>(&node);

        // An evaluation above beta promises as much as one that improves.
        node.improving |= node.static_eval.is_some_and(|eval| eval >= beta);

        // Steps 12 to 20. The moves.
        self.search_moves::<N>(context, node)
    }

    /// Step 2: counts the node and begins an empty principal variation.
    #[inline(always)]
    pub(super) fn begin_node<N: NodeType>(&mut self, context: &SearchContext) {
        self.count_node(context);
        self.path_dependence = i32::MAX;
        if N::PV {
            self.pv.clear(self.ply);
        }
    }

    /// Step 5: the table's entry, and whether the node is or was on a principal variation. A singular
    /// search leaves out a move that the entry rests on, so it uses none.
    #[inline(always)]
    fn probe_table<N: NodeType>(
        &mut self,
        context: &SearchContext,
        excluded: Option<Move>,
    ) -> (Option<TtEntry>, bool) {
        if excluded.is_some() {
            return (None, self.stack.at(self.ply).tt_pv);
        }
        let entry = self.probe(context);
        let tt_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);
        self.stack.at(self.ply).tt_pv = tt_pv;
        (entry, tt_pv)
    }

    /// Step 5: the best move of an earlier search; at the root, that of the last iteration.
    #[inline(always)]
    fn tt_move<N: NodeType>(&self, entry: Option<TtEntry>) -> Option<Move> {
        if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root_move| root_move.mv)
        } else {
            entry.and_then(|entry| entry.mv)
        }
    }

    /// Step 11: without a move from the table the node has not been searched before, and is searched
    /// a ply less deep.
    #[inline(always)]
    fn internal_reduction<N: NodeType>(&self, node: &Node) -> i32 {
        let is_reduced = !N::ROOT
            && node.tt_move.is_none()
            && node.excluded.is_none()
            && (N::PV || node.cut_node)
            && node.depth >= self.parameters.iir_depth;
        is_reduced.into()
    }

    /// Step 5: the value of the table's entry if it is deep enough and fails high or low.
    #[inline(always)]
    fn tt_cutoff(
        &mut self,
        context: &SearchContext,
        entry: Option<TtEntry>,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        let entry = entry?;
        if entry.depth < depth
            || !entry.decides(beta)
            || self.nears_natural_limit(context)
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

    /// Step 6: evaluates the node. Returns the evaluation before any correction, if it was
    /// computed, and the best estimate of the node's value.
    #[inline(always)]
    fn node_eval(
        &mut self,
        context: &SearchContext,
        entry: Option<TtEntry>,
        tt_pv: bool,
    ) -> (Option<i32>, i32) {
        let ply = self.ply;
        if self.position.in_check() {
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
            self.store(
                context,
                TtEntry {
                    mv: None,
                    value: 0,
                    eval: Some(raw),
                    depth: EVALUATION_DEPTH,
                    bound: TtBound::None,
                    is_pv: tt_pv,
                },
            );
        }
        (Some(raw), refined)
    }
}
