//! The search proper: negamax with principal variation windows.
//!
//! The techniques are those of strong alpha-beta engines, Stockfish above all; see
//! <https://www.chessprogramming.org> under the names used here. The steps are numbered.

use std::sync::Arc;

use super::context::SearchContext;
use super::histories::piece_to;
use super::learning::Tried;
use super::picker::{Hints, MovePicker, Wanted};
use super::pruning::Singular;
use super::table::{Entry, EntryBound};
use super::value::{
    EVALUATION_LIMIT, INFINITE, MATE, MAX_PLY, RULE_BAND, RULE_WIN, is_by_rule, is_decisive,
    mated_in,
};
use super::worker::Worker;
use crate::board::{Checks, Move, SEE_VALUE};
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
    pub(super) entry: Option<Entry>,
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
                None => self.store(context, None, 0, raw_eval, -6, EntryBound::None, tt_pv),
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

    /// Steps 6 to 8: the moves, their extensions and reductions, what is learned from them.
    fn search_moves<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        raw_eval: Option<i32>,
        static_eval: Option<i32>,
    ) -> i32 {
        let &Node { beta, depth, in_check, improving, excluded, .. } = node;
        let ply = self.ply;
        let hints = self.hints(true);
        let mut alpha = node.alpha;
        let mut best = -INFINITE;
        let mut best_move = None;
        let mut count = 0;
        let mut noted = false;
        let mut quiets = Tried::new();
        let mut captures = Tried::new();
        let mut dependence = i32::MAX;
        let tt_capture = node.table_move.is_some_and(|mv| self.position.is_capture(mv));
        let checks = Checks::of(&self.position);
        let mut picker = MovePicker::new(&self.position, node.table_move, hints, Wanted::All, 0);

        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if Some(mv) == excluded {
                continue;
            }
            if N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            count += 1;
            if N::ROOT {
                self.announce(context, mv, self.pv_index + count as usize);
            }
            let Some(piece) = self.position.piece_on(mv.from()) else { continue };
            let captured = self.position.captured(mv);
            let gives_check = checks.has(&self.position, mv);
            let moved = piece_to(piece, mv.to());
            let history = match captured {
                Some(captured) => self.histories.capture(piece, mv.to(), captured.kind()),
                None => {
                    self.histories.butterfly(self.position.side(), mv)
                        + self.histories.continuation(hints.earlier[0], moved)
                        + self.histories.continuation(hints.earlier[1], moved)
                }
            };
            let mut reduction = self.reductions[(depth.min(63) * 64 + count.min(63)) as usize];
            if !improving {
                reduction += self.parameters.lmr_not_improving;
            }

            // 6a. Pruning of single moves, once one is known that does not lose.
            if !N::ROOT && best > -RULE_BAND {
                let lmr_depth = (depth - 1 - reduction / 1024).max(0);
                if captured.is_none() {
                    let late = (self.parameters.late_move_base + depth * depth)
                        / (2 - i32::from(improving));
                    if count > late {
                        picker.skip_quiets();
                    }
                    if !gives_check {
                        if lmr_depth < 7 && history < -self.parameters.history_margin * depth {
                            continue;
                        }
                        let futile = node.eval
                            + self.parameters.futility_base
                            + self.parameters.futility_slope * lmr_depth
                            + history / 128;
                        if !in_check && lmr_depth < 9 && futile <= alpha {
                            best = best.max(futile.min(EVALUATION_LIMIT));
                            continue;
                        }
                    }
                    let margin = self.parameters.see_quiet * lmr_depth * lmr_depth;
                    if lmr_depth < 9 && !self.position.see_at_least(mv, -margin) {
                        continue;
                    }
                } else if let Some(victim) = captured {
                    let futile = node.eval
                        + self.parameters.capture_futility_base
                        + self.parameters.capture_futility_slope * lmr_depth
                        + SEE_VALUE[victim.kind().index()]
                        + history / 16;
                    if !in_check && !gives_check && lmr_depth < 7 && futile <= alpha {
                        continue;
                    }
                    let margin = self.parameters.see_capture * depth + history / 32;
                    if depth < 9 && !self.position.see_at_least(mv, -margin.max(0)) {
                        continue;
                    }
                }
            }

            // 7a. Extensions: the table's move may be singular; checks are looked into.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == node.table_move
                && excluded.is_none()
                && ply < 2 * self.root_depth as usize
            {
                match self.singularity::<N>(context, node, mv) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(value) => return value,
                }
                if self.stopped {
                    return 0;
                }
            }
            if extension == 0
                && gives_check
                && depth < 10
                && ply < 2 * self.root_depth as usize
                && self.position.see_at_least(mv, 0)
            {
                extension = 1;
            }

            // 6b. Chase information, from the first quiet move on.
            if captured.is_none() && !noted {
                noted = true;
                self.history.note(&self.position);
            }

            let new_depth = depth - 1 + extension;
            let nodes_before = context.counters[self.id].nodes();
            self.make(context, mv);

            // 7b. Reductions: late moves are searched less deep until one proves better.
            let mut value = -INFINITE;
            if depth >= 2 && count > 1 + i32::from(N::ROOT) {
                if node.cut_node {
                    reduction += self.parameters.lmr_cut_node;
                }
                if node.tt_pv {
                    reduction -= self.parameters.lmr_tt_pv;
                }
                if tt_capture && captured.is_none() {
                    reduction += self.parameters.lmr_tt_capture;
                }
                if gives_check {
                    reduction -= self.parameters.lmr_check;
                }
                if self.stack.at(ply + 1).cuts > 3 {
                    reduction += 800;
                }
                if hints.killers.contains(&Some(mv)) || hints.counter == Some(mv) {
                    reduction -= 800;
                }
                reduction -= if captured.is_some() {
                    700 + history * 1024 / self.parameters.lmr_history / 2
                } else {
                    history * 1024 / self.parameters.lmr_history
                };
                let reduced =
                    (new_depth - reduction.max(0) / 1024).clamp(1.min(new_depth), new_depth);
                value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, reduced, true);
                if value > alpha && reduced < new_depth {
                    let deeper = i32::from(value > best + 40 + 2 * new_depth);
                    let shallower = i32::from(value < best + new_depth);
                    let again = new_depth + deeper - shallower;
                    if again > reduced {
                        value = -self.negamax::<NonPv>(
                            context,
                            -alpha - 1,
                            -alpha,
                            again,
                            !node.cut_node,
                        );
                    }
                    if captured.is_none() {
                        let bonus = self.bonus(depth);
                        let bonus = if value <= alpha {
                            -bonus
                        } else if value >= beta {
                            bonus
                        } else {
                            0
                        };
                        self.update_continuations(&hints, moved, bonus);
                    }
                }
            } else if !N::PV || count > 1 {
                value =
                    -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth, !node.cut_node);
            }
            if N::PV && (count == 1 || value > alpha) {
                value = -self.negamax::<Pv>(context, -beta, -alpha, new_depth, false);
            }
            self.unmake();
            if self.stopped {
                return 0;
            }
            if is_by_rule(value) {
                dependence = dependence.min(self.dependence);
            }

            if N::ROOT {
                let spent = context.counters[self.id].nodes() - nodes_before;
                self.note_root_move(mv, value, spent, count == 1 || value > alpha);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.lines.update(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if Some(mv) != best_move {
                let tried = if captured.is_some() { &mut captures } else { &mut quiets };
                let _ = tried.try_push(mv);
            }
        }

        // 8. No move: lost, in check or not. Then what was learned.
        if count == 0 {
            return if excluded.is_some() { alpha } else { mated_in(ply) };
        }
        if best >= beta {
            self.stack.at(ply).cuts += 1 + u32::from(node.table_move.is_none());
            if !is_decisive(best) && !is_decisive(beta) {
                // A value far above beta is less certain than it looks.
                best = (best * depth + beta) / (depth + 1);
            }
        }
        if let Some(mv) = best_move {
            self.learn(mv, depth + i32::from(best > beta + 90), &hints, &quiets, &captures);
        } else if !N::ROOT {
            self.reward_earlier(depth);
        }
        let bound = if best >= beta {
            EntryBound::Lower
        } else if N::PV && best_move.is_some() {
            EntryBound::Exact
        } else {
            EntryBound::Upper
        };
        self.dependence = dependence;
        if excluded.is_none() {
            if !(N::ROOT && self.pv_index > 0) {
                let tt_pv = node.tt_pv;
                self.store(context, best_move, best, raw_eval, depth, bound, tt_pv);
            }
            self.learn_correction(static_eval, best, best_move, bound, depth);
        }
        best
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

    fn note_root_move(&mut self, mv: Move, value: i32, nodes: u64, is_best: bool) {
        let sel_depth = self.sel_depth;
        let line = self.lines.of(1).to_vec();
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        if is_best {
            root.value = value;
            root.sel_depth = sel_depth;
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend(line);
        } else {
            root.value = -INFINITE;
        }
    }
}
