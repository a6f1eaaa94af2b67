//! The moves of a node: which are left out, how deep the others are searched, and what the best of
//! them teaches. Steps 6 to 8 of the search; those before are in `negamax`.

use std::sync::Arc;

use super::context::SearchContext;
use super::histories::{PieceTo, piece_to};
use super::learning::Tried;
use super::negamax::{Node, NodeType, NonPv, Pv};
use super::picker::{Hints, MovePicker, Wanted};
use super::pruning::Singular;
use super::table::TtBound;
use super::value::{EVALUATION_LIMIT, INFINITE, RULE_BAND, is_by_rule, is_decisive, mated_in};
use super::worker::Worker;
use crate::board::{Checks, Move, SEE_VALUE};
use crate::geometry::Piece;

/// A move before it is made, and what is known of it.
struct Candidate {
    mv: Move,
    /// The piece on its target, for the histories.
    moved: PieceTo,
    captured: Option<Piece>,
    gives_check: bool,
    history: i32,
    /// Its place in the order, from 1.
    count: i32,
    /// What its place takes off the depth, in 1024ths of a ply.
    reduction: i32,
}

/// What the loop has come to.
struct Findings {
    best: i32,
    best_move: Option<Move>,
    /// Moves looked at.
    count: i32,
    quiets: Tried,
    captures: Tried,
    /// See [`Worker::dependence`].
    dependence: i32,
}

/// Where the loop stands when it comes to a late move.
struct Late {
    alpha: i32,
    best: i32,
    /// The depth to search to without a reduction.
    new_depth: i32,
    /// Whether the table's move is a capture.
    tt_capture: bool,
}

impl Worker {
    /// Steps 6 to 8: the moves, their extensions and reductions, what is learned from them.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        raw_eval: Option<i32>,
        static_eval: Option<i32>,
    ) -> i32 {
        let ply = self.ply;
        let hints = self.hints(true);
        let mut alpha = node.alpha;
        let mut found = Findings {
            best: -INFINITE,
            best_move: None,
            count: 0,
            quiets: Tried::new(),
            captures: Tried::new(),
            dependence: i32::MAX,
        };
        let mut noted = false;
        let tt_capture = node.table_move.is_some_and(|mv| self.position.is_capture(mv));
        let checks = Checks::of(&self.position);
        let mut picker = MovePicker::new(&self.position, node.table_move, hints, Wanted::All, 0);

        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if Some(mv) == node.excluded {
                continue;
            }
            if N::ROOT && !self.root_moves[self.pv_index..].iter().any(|root| root.mv == mv) {
                continue;
            }
            found.count += 1;
            if N::ROOT {
                self.announce(context, mv, self.pv_index + found.count as usize);
            }
            let Some(candidate) = self.candidate(node, &hints, &checks, mv, found.count) else {
                continue;
            };

            // 6a. Pruning of single moves, once one is known that does not lose.
            if !N::ROOT && found.best > -RULE_BAND {
                if candidate.captured.is_none() && candidate.count > self.late_moves(node) {
                    picker.skip_quiets();
                }
                if self.is_pruned(node, &candidate, alpha, &mut found.best) {
                    continue;
                }
            }

            // 7a. Extensions.
            let extension = match self.extension::<N>(context, node, &candidate) {
                Singular::Extend(plies) => plies,
                Singular::Cut(value) => return value,
            };
            if self.stopped {
                return 0;
            }

            // 6b. Chase information, from the first quiet move on.
            if candidate.captured.is_none() && !noted {
                noted = true;
                self.history.note(&self.position);
            }

            let new_depth = node.depth - 1 + extension;
            let nodes_before = context.counters[self.id].nodes();
            self.make(context, mv);
            let mut value = -INFINITE;
            if node.depth >= 2 && candidate.count > 1 + i32::from(N::ROOT) {
                let late = Late { alpha, best: found.best, new_depth, tt_capture };
                value = self.search_late(context, node, &hints, &candidate, late);
            } else if !N::PV || candidate.count > 1 {
                value =
                    -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth, !node.cut_node);
            }
            if N::PV && (candidate.count == 1 || value > alpha) {
                value = -self.negamax::<Pv>(context, -node.beta, -alpha, new_depth, false);
            }
            self.unmake();
            if self.stopped {
                return 0;
            }
            if is_by_rule(value) {
                found.dependence = found.dependence.min(self.dependence);
            }

            if N::ROOT {
                let spent = context.counters[self.id].nodes() - nodes_before;
                self.note_root_move(mv, value, spent, candidate.count == 1 || value > alpha);
            }
            if value > found.best {
                found.best = value;
                if value > alpha {
                    found.best_move = Some(mv);
                    if N::PV {
                        self.lines.update(ply, mv);
                    }
                    if value >= node.beta {
                        break;
                    }
                    alpha = value;
                }
            }
            if Some(mv) != found.best_move {
                let Findings { captures, quiets, .. } = &mut found;
                let tried = if candidate.captured.is_some() { captures } else { quiets };
                let _ = tried.try_push(mv);
            }
        }
        self.conclude::<N>(context, node, &hints, found, raw_eval, static_eval)
    }

    /// What is known of a move before it is made.
    #[inline(always)]
    fn candidate(
        &self,
        node: &Node,
        hints: &Hints,
        checks: &Checks,
        mv: Move,
        count: i32,
    ) -> Option<Candidate> {
        let piece = self.position.piece_on(mv.from())?;
        let captured = self.position.captured(mv);
        let moved = piece_to(piece, mv.to());
        let history = match captured {
            Some(captured) => self.histories.capture(piece, mv.to(), captured.kind()),
            None => {
                self.histories.butterfly(self.position.side(), mv)
                    + self.histories.continuation(hints.earlier[0], moved)
                    + self.histories.continuation(hints.earlier[1], moved)
            }
        };
        let mut reduction = self.reductions[(node.depth.min(63) * 64 + count.min(63)) as usize];
        if !node.improving {
            reduction += self.parameters.lmr_not_improving;
        }
        let gives_check = checks.has(&self.position, mv);
        Some(Candidate { mv, moved, captured, gives_check, history, count, reduction })
    }

    /// The number of moves after which no more quiet ones are looked at.
    #[inline(always)]
    fn late_moves(&self, node: &Node) -> i32 {
        (self.parameters.late_move_base + node.depth * node.depth) / (2 - i32::from(node.improving))
    }

    /// Step 6a: whether a move is left out. `best` is raised to what it might have come to.
    #[inline(always)]
    fn is_pruned(&self, node: &Node, candidate: &Candidate, alpha: i32, best: &mut i32) -> bool {
        let parameters = &self.parameters;
        let &Candidate { mv, captured, gives_check, history, .. } = candidate;
        let lmr_depth = (node.depth - 1 - candidate.reduction / 1024).max(0);
        if let Some(victim) = captured {
            let futile = node.eval
                + parameters.capture_futility_base
                + parameters.capture_futility_slope * lmr_depth
                + SEE_VALUE[victim.kind().index()]
                + history / 16;
            if !node.in_check && !gives_check && lmr_depth < 7 && futile <= alpha {
                return true;
            }
            let margin = parameters.see_capture * node.depth + history / 32;
            return node.depth < 9 && !self.position.see_at_least(mv, -margin.max(0));
        }
        if !gives_check {
            if lmr_depth < 7 && history < -parameters.history_margin * node.depth {
                return true;
            }
            let futile = node.eval
                + parameters.futility_base
                + parameters.futility_slope * lmr_depth
                + history / 128;
            if !node.in_check && lmr_depth < 9 && futile <= alpha {
                *best = (*best).max(futile.min(EVALUATION_LIMIT));
                return true;
            }
        }
        let margin = parameters.see_quiet * lmr_depth * lmr_depth;
        lmr_depth < 9 && !self.position.see_at_least(mv, -margin)
    }

    /// Step 7a: the table's move may be singular; checks are looked into.
    #[inline(always)]
    fn extension<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        candidate: &Candidate,
    ) -> Singular {
        let too_deep = self.ply >= 2 * self.root_depth as usize;
        if !N::ROOT && Some(candidate.mv) == node.table_move && node.excluded.is_none() && !too_deep
        {
            match self.singularity::<N>(context, node, candidate.mv) {
                Singular::Extend(0) => {}
                found => return found,
            }
        }
        let checks = candidate.gives_check && node.depth < 10 && !too_deep;
        Singular::Extend((checks && self.position.see_at_least(candidate.mv, 0)).into())
    }

    /// Step 7b: late moves are searched less deep until one proves better. The move is made.
    #[inline(always)]
    fn search_late(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        hints: &Hints,
        candidate: &Candidate,
        late: Late,
    ) -> i32 {
        let Late { alpha, best, new_depth, tt_capture } = late;
        let reduction = self.reduction(node, hints, candidate, tt_capture).max(0) / 1024;
        let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
        let mut value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, reduced, true);
        if value > alpha && reduced < new_depth {
            let deeper = i32::from(value > best + 40 + 2 * new_depth);
            let shallower = i32::from(value < best + new_depth);
            let again = new_depth + deeper - shallower;
            if again > reduced {
                let cut_node = !node.cut_node;
                value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, again, cut_node);
            }
            if candidate.captured.is_none() {
                let bonus = self.bonus(node.depth);
                let bonus = if value <= alpha {
                    -bonus
                } else if value >= node.beta {
                    bonus
                } else {
                    0
                };
                self.update_continuations(hints, candidate.moved, bonus);
            }
        }
        value
    }

    /// By how much a late move is searched less deep, in 1024ths of a ply. The move is made.
    #[inline(always)]
    fn reduction(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: &Candidate,
        tt_capture: bool,
    ) -> i32 {
        let cuts_below = self.stack.at(self.ply).cuts;
        let parameters = &self.parameters;
        let mut reduction = candidate.reduction;
        if node.cut_node {
            reduction += parameters.lmr_cut_node;
        }
        if node.tt_pv {
            reduction -= parameters.lmr_tt_pv;
        }
        if tt_capture && candidate.captured.is_none() {
            reduction += parameters.lmr_tt_capture;
        }
        if candidate.gives_check {
            reduction -= parameters.lmr_check;
        }
        if cuts_below > 3 {
            reduction += 800;
        }
        let mv = Some(candidate.mv);
        if hints.killers.contains(&mv) || hints.counter == mv {
            reduction -= 800;
        }
        let history = candidate.history * 1024 / parameters.lmr_history;
        reduction - if candidate.captured.is_some() { 700 + history / 2 } else { history }
    }

    /// Step 8: the value of the node, and what was learned.
    #[inline(always)]
    fn conclude<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        hints: &Hints,
        found: Findings,
        raw_eval: Option<i32>,
        static_eval: Option<i32>,
    ) -> i32 {
        let &Node { beta, depth, excluded, .. } = node;
        let Findings { mut best, best_move, count, quiets, captures, dependence } = found;
        // No move: lost, in check or not.
        if count == 0 {
            return if excluded.is_some() { node.alpha } else { mated_in(self.ply) };
        }
        if best >= beta {
            self.stack.at(self.ply).cuts += 1 + u32::from(node.table_move.is_none());
            if !is_decisive(best) && !is_decisive(beta) {
                // A value far above beta is less certain than it looks.
                best = (best * depth + beta) / (depth + 1);
            }
        }
        if let Some(mv) = best_move {
            self.learn(mv, depth + i32::from(best > beta + 90), hints, &quiets, &captures);
        } else if !N::ROOT {
            self.reward_earlier(depth);
        }
        let bound = if best >= beta {
            TtBound::Lower
        } else if N::PV && best_move.is_some() {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        self.dependence = dependence;
        if excluded.is_none() {
            if !(N::ROOT && self.pv_index > 0) {
                self.store(context, best_move, best, raw_eval, depth, bound, node.tt_pv);
            }
            self.learn_correction(static_eval, best, best_move, bound, depth);
        }
        best
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
