//! The search proper: negamax with principal variation windows. Here a node up to its moves; these
//! are in `move_loop`.
//!
//! The techniques are those of strong alpha-beta engines, Stockfish above all; see
//! <https://www.chessprogramming.org> under the names used here. The steps are numbered.

use std::sync::Arc;

use super::context::SearchContext;
use super::histories::piece_to;
use super::picker::Hints;
use super::table::{TtBound, TtEntry};
use super::value::{EVALUATION_LIMIT, MATE, MAX_PLY, RULE_WIN, is_decisive, mated_in};
use super::worker::Worker;
use crate::board::Move;
use crate::rules::{Verdict, is_dead, reaches_natural_limit};

/// What a node is to the principal variation, known at compile time.
pub(super) trait NodeType {
    /// On the principal variation: an open window.
    const PV: bool;
    /// The root.
    const ROOT: bool;
}

/// The root.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What a node knows of itself when the move loop begins.
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    pub(super) improving: bool,
    pub(super) tt_pv: bool,
    pub(super) eval: i32,
    pub(super) entry: Option<TtEntry>,
    pub(super) table_move: Option<Move>,
    pub(super) excluded: Option<Move>,
}

impl Worker {
    /// The value of the position for the mover within `alpha` and `beta` (fail-soft), searched
    /// `depth` plies deep.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        cut_node: bool,
    ) -> i32 {
        // 0. The horizon.
        if depth <= 0 {
            return self.quiescence::<N>(context, alpha, beta, 0);
        }
        self.count_node(context);
        self.dependence = i32::MAX;
        if N::PV {
            self.lines.clear(self.ply);
            self.sel_depth = self.sel_depth.max(self.ply + 1);
        }
        if self.stopped {
            return 0;
        }
        let in_check = self.position.in_check();
        if !N::ROOT {
            // 1. Repetitions, the natural-move limit, dead positions.
            if let Some(value) = self.rule_value(context, beta) {
                return value;
            }
            if self.ply >= MAX_PLY {
                return if in_check { 0 } else { self.evaluator.evaluate(&self.position) };
            }
            // 2. Mate distance: no line from here beats a mate already found.
            alpha = alpha.max(mated_in(self.ply));
            beta = beta.min(MATE - self.ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // 3. The table.
        let ply = self.ply;
        let excluded = self.stack.at(ply).excluded;
        let key = self.position.key();
        let entry = if excluded.is_none() { context.table.probe(key, ply) } else { None };
        let table_move = if N::ROOT {
            self.root_moves.get(self.pv_index).map(|root_move| root_move.mv)
        } else {
            entry.and_then(|entry| entry.mv)
        };
        let tt_pv = match excluded {
            Some(_) => self.stack.at(ply).tt_pv,
            None => N::PV || entry.is_some_and(|entry| entry.is_pv),
        };
        self.stack.at(ply).tt_pv = tt_pv;
        if let Some(entry) = entry.filter(|entry| !N::PV && entry.depth >= depth) {
            let cuts =
                if entry.value >= beta { entry.bound.has_lower() } else { entry.bound.has_upper() };
            if cuts && !self.nears_natural_limit(context) {
                if let Some(mv) =
                    entry.mv.filter(|mv| entry.value >= beta && !self.position.is_capture(*mv))
                    && self.position.is_pseudo_legal(mv)
                {
                    self.reward_quiet(mv, depth);
                }
                return entry.value;
            }
        }

        // 4. The static evaluation.
        let mut raw_eval = None;
        let mut eval = 0;
        if in_check {
            self.stack.at(ply).eval = None;
        } else if excluded.is_some() {
            eval = self.stack.at(ply).eval.unwrap_or(0);
        } else {
            let raw = entry
                .and_then(|entry| entry.eval)
                .unwrap_or_else(|| self.evaluator.evaluate(&self.position));
            raw_eval = Some(raw);
            let corrected = self.corrected(raw);
            self.stack.at(ply).eval = Some(corrected);
            eval = corrected;
            match entry {
                Some(entry) => {
                    let tighter = if entry.value > eval {
                        entry.bound.has_lower()
                    } else {
                        entry.bound.has_upper()
                    };
                    if tighter && !is_decisive(entry.value) {
                        eval = entry.value;
                    }
                }
                None => self.store(context, None, 0, raw_eval, -6, TtBound::None, tt_pv),
            }
        }
        let static_eval = self.stack.at(ply).eval;
        let improving = self.is_improving(ply);
        self.stack.at(ply + 1).killers = [None; 2];
        self.stack.at(ply + 2).cuts = 0;

        let mut node = Node {
            alpha,
            beta,
            depth,
            cut_node,
            in_check,
            improving,
            tt_pv,
            eval,
            entry,
            table_move,
            excluded,
        };

        // 5. Pruning of the whole node.
        if !N::PV
            && !in_check
            && excluded.is_none()
            && let Some(value) = self.prune_node(context, &node)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // Internal iterative reduction: without a move from the table the node is worth less.
        if !N::ROOT
            && table_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
            && depth >= 4
        {
            node.depth -= 1;
        }
        self.search_moves::<N>(context, &node, raw_eval, static_eval)
    }

    /// Step 1: the value of the node if the rules end the game here, or would if it went on so.
    pub(super) fn rule_value(&mut self, context: &SearchContext, beta: i32) -> Option<i32> {
        let options = &context.options;
        let draw = self.draw_value(context);
        if let Some(ruling) = self.history.judge_prune(&self.position, draw, beta) {
            return Some(match ruling.verdict {
                Verdict::Draw => draw,
                Verdict::Win => self.depend_on(ruling.since, RULE_WIN - self.ply as i32),
                Verdict::Loss => self.depend_on(ruling.since, self.ply as i32 - RULE_WIN),
            });
        }
        if reaches_natural_limit(&self.position, options.natural_move_limit) {
            let mated = self.position.in_check() && !self.position.has_legal_move();
            return Some(if mated { mated_in(self.ply) } else { draw });
        }
        let has_captured = self.position.state().captured.is_some();
        (has_captured && is_dead(self.position.board())).then_some(draw)
    }

    /// Notes that the value hangs on a state of the game, by its index.
    fn depend_on(&mut self, state: usize, value: i32) -> i32 {
        let root = self.position.ply() - self.ply;
        self.dependence = state as i32 - root as i32;
        value
    }

    /// Whether values from the table, which know no counters, could hide the natural-move limit.
    fn nears_natural_limit(&self, context: &SearchContext) -> bool {
        let limit = context.options.natural_move_limit;
        limit > 0 && self.position.quiet_plies() + 16 > limit
    }

    fn is_improving(&self, ply: usize) -> bool {
        let now = self.stack.before(ply, 0).eval;
        let before = self.stack.before(ply, 2).eval.or(self.stack.before(ply, 4).eval);
        match (now, before) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// The evaluation as the histories correct it, out of the decisive bands.
    pub(super) fn corrected(&self, raw: i32) -> i32 {
        let earlier = self.stack.before(self.ply, 1).moved;
        let value = raw + self.histories.correction(&self.position, earlier);
        value.clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1)
    }

    /// What the picker may know of this node.
    pub(super) fn hints(&mut self, refutations: bool) -> Hints {
        let ply = self.ply;
        let earlier = [1, 2, 4].map(|plies| self.stack.before(ply, plies).moved);
        let (killers, counter) = if refutations {
            (self.stack.at(ply).killers, self.histories.counter(earlier[0]))
        } else {
            ([None; 2], None)
        };
        Hints { killers, counter, earlier, check_bonus: self.parameters.check_bonus }
    }

    /// Makes a legal move.
    #[inline]
    pub(super) fn make(&mut self, context: &SearchContext, mv: Move) {
        context.table.prefetch(self.position.key_after(mv));
        let delta = self.position.make(mv);
        self.history.push(&self.position);
        self.evaluator.push(delta);
        let frame = self.stack.at(self.ply);
        frame.mv = Some(mv);
        frame.moved = Some(piece_to(delta.piece, mv.to()));
        self.ply += 1;
    }

    /// Takes it back.
    #[inline]
    pub(super) fn unmake(&mut self) {
        self.ply -= 1;
        self.evaluator.pop();
        self.history.pop(&self.position);
        self.position.unmake();
    }
}
