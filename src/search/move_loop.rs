//! Steps 12 to 20 of the search: the moves of a node.

use std::sync::Arc;

use super::context::SearchContext;
use super::histories::{PieceTo, piece_to};
use super::history_updates::SearchedMoves;
use super::node::{Node, NodeType, NonPv, Pv};
use super::picker::{GenerationKind, MoveOrdering, MovePicker};
use super::transposition::{TtBound, TtEntry};
use super::value::{EVALUATION_LIMIT, INFINITE, RULE_BAND, is_by_rule, is_decisive, mated_in};
use super::worker::Worker;
use crate::board::{Checks, Move, SEE_VALUE};
use crate::geometry::Piece;

/// A move before it is made, and what is known of it.
struct Candidate {
    mv: Move,
    /// The piece on its target square, for the histories.
    moved: PieceTo,
    captured: Option<Piece>,
    gives_check: bool,
    /// The sum of its histories.
    history: i32,
    /// Its place in the order, from 1.
    number: i32,
    /// The late move reduction of its place, in 1024ths of a ply.
    reduction: i32,
}

/// The state of the loop over the moves.
struct MoveLoop {
    ordering: MoveOrdering,
    /// Whether the move of the transposition table is a capture.
    tt_capture: bool,
    /// The lower end of the window; it rises with each new best move.
    alpha: i32,
    best_value: i32,
    best_move: Option<Move>,
    /// Moves so far, pruned ones included.
    move_count: i32,
    quiets: SearchedMoves,
    captures: SearchedMoves,
    /// The least [`Worker::path_dependence`] of the searched moves.
    path_dependence: i32,
}

/// The result of step 14.
enum Extension {
    /// Search the move this many plies deeper, or less deep if negative.
    Plies(i32),
    /// Leave the node with this value: several moves beat beta.
    Multicut(i32),
}

impl Worker {
    /// Steps 12 to 20: searches the moves of a node. Returns the value of the node.
    pub(super) fn search_moves<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
    ) -> i32 {
        let mut moves = MoveLoop {
            ordering: self.full_move_ordering(),
            tt_capture: node.tt_move.is_some_and(|mv| self.position.is_capture(mv)),
            alpha: node.alpha,
            best_value: -INFINITE,
            best_move: None,
            move_count: 0,
            quiets: SearchedMoves::new(),
            captures: SearchedMoves::new(),
            path_dependence: i32::MAX,
        };
        let mut has_chase_information = false;
        let checks = Checks::of(&self.position);
        let mut picker =
            MovePicker::new(&self.position, node.tt_move, moves.ordering, GenerationKind::All);

        // Step 12. The next move.
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            if Some(mv) == node.excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            moves.move_count += 1;
            if N::ROOT {
                self.report_current_move(context, mv, self.pv_index + moves.move_count as usize);
            }
            let Some(candidate) = self.candidate(node, &moves, &checks, mv) else { continue };

            // Step 13. Pruning of the move, once there is one that does not lose.
            if !N::ROOT && moves.best_value > -RULE_BAND {
                if candidate.captured.is_none() && candidate.number > self.quiet_move_limit(node) {
                    picker.skip_quiets();
                }
                if self.is_pruned(node, &candidate, &mut moves) {
                    continue;
                }
            }

            // Step 14. Extensions.
            let extension = match self.extension::<N>(context, node, &candidate) {
                Extension::Plies(plies) => plies,
                Extension::Multicut(value) => return value,
            };
            if self.stopped {
                return 0;
            }

            // Step 15. The rules need the chases of a position only below quiet moves: a capture
            // ends all repetitions.
            if candidate.captured.is_none() && !has_chase_information {
                has_chase_information = true;
                self.game_history.note(&self.position);
            }

            // Steps 16 to 18. The search of the move.
            let nodes_before = self.nodes(context);
            self.make(context, mv);
            let value = self.search_move::<N>(context, node, &moves, &candidate, extension);
            self.unmake();
            if self.stopped {
                return 0;
            }
            if N::ROOT {
                let nodes = self.nodes(context) - nodes_before;
                let is_best = candidate.number == 1 || value > moves.alpha;
                self.update_root_move(mv, value, nodes, is_best);
            }

            // Step 19. The best move so far.
            if self.update_best::<N>(node, &mut moves, &candidate, value) {
                break;
            }
        }
        // Step 20. Histories and transposition table.
        self.finish_node::<N>(context, node, moves)
    }

    /// Step 12: whether the move is a root move that has no principal variation yet.
    fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Step 12: what is known of a move before it is made.
    #[inline(always)]
    fn candidate(
        &self,
        node: &Node,
        moves: &MoveLoop,
        checks: &Checks,
        mv: Move,
    ) -> Option<Candidate> {
        let piece = self.position.piece_on(mv.from())?;
        let captured = self.position.captured(mv);
        let moved = piece_to(piece, mv.to());
        let history = match captured {
            Some(captured) => self.histories.capture(piece, mv.to(), captured.kind()),
            None => {
                self.histories.butterfly(self.position.side(), mv)
                    + self.histories.continuation(moves.ordering.previous[0], moved)
                    + self.histories.continuation(moves.ordering.previous[1], moved)
            }
        };
        let number = moves.move_count;
        let mut reduction = self.reductions.of(node.depth, number);
        if !node.improving {
            reduction += self.parameters.lmr_not_improving;
        }
        let gives_check = checks.has(&self.position, mv);
        Some(Candidate { mv, moved, captured, gives_check, history, number, reduction })
    }

    /// Step 13: late move pruning leaves out the quiet moves after this many moves.
    #[inline(always)]
    fn quiet_move_limit(&self, node: &Node) -> i32 {
        (self.parameters.late_move_base + node.depth * node.depth) / (2 - i32::from(node.improving))
    }

    /// Step 13: whether futility, history or exchanges prune a move. The best value rises to what
    /// a futile quiet move could have reached.
    #[inline(always)]
    fn is_pruned(&self, node: &Node, candidate: &Candidate, moves: &mut MoveLoop) -> bool {
        let parameters = &self.parameters;
        let &Candidate { mv, captured, gives_check, history, .. } = candidate;
        let lmr_depth = (node.depth - 1 - candidate.reduction / 1024).max(0);
        if let Some(victim) = captured {
            let futility = node.eval
                + parameters.capture_futility_base
                + parameters.capture_futility_slope * lmr_depth
                + SEE_VALUE[victim.kind().index()]
                + history * parameters.capture_futility_history / 1024;
            if !node.in_check
                && !gives_check
                && lmr_depth < parameters.capture_futility_depth
                && futility <= moves.alpha
            {
                return true;
            }
            let margin = parameters.see_capture * node.depth
                + history * parameters.see_capture_history / 1024;
            return node.depth < parameters.see_capture_depth
                && !self.position.see_at_least(mv, -margin.max(0));
        }
        if !gives_check {
            if lmr_depth < parameters.history_depth
                && history < -parameters.history_margin * node.depth
            {
                return true;
            }
            let futility = node.eval
                + parameters.futility_base
                + parameters.futility_slope * lmr_depth
                + history * parameters.futility_history / 1024;
            if !node.in_check && lmr_depth < parameters.futility_depth && futility <= moves.alpha {
                moves.best_value = moves.best_value.max(futility.min(EVALUATION_LIMIT));
                return true;
            }
        }
        let margin = parameters.see_quiet * lmr_depth * lmr_depth;
        lmr_depth < parameters.see_quiet_depth && !self.position.see_at_least(mv, -margin)
    }

    /// Step 14: the extension of a move. The move of the table is extended if it is singular, a
    /// check if it loses no material.
    #[inline(always)]
    fn extension<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        candidate: &Candidate,
    ) -> Extension {
        let is_too_deep = self.ply >= 2 * self.root_depth as usize;
        if !N::ROOT && Some(candidate.mv) == node.tt_move && node.excluded.is_none() && !is_too_deep
        {
            match self.singular_extension::<N>(context, node, candidate.mv) {
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

    /// Step 14: whether the table's move is much better than all others, by a reduced search
    /// without it.
    fn singular_extension<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        mv: Move,
    ) -> Extension {
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
        let value =
            self.negamax::<NonPv>(context, target - 1, target, (node.depth - 1) / 2, node.cut_node);
        self.stack.at(ply).excluded = None;
        if value < target {
            let double = !N::PV && value < target - self.parameters.double_margin;
            Extension::Plies(if double { 2 } else { 1 })
        } else if value >= node.beta && !is_decisive(value) {
            Extension::Multicut(value)
        } else if entry.value >= node.beta {
            Extension::Plies(-2)
        } else if node.cut_node {
            Extension::Plies(-1)
        } else {
            Extension::Plies(0)
        }
    }

    /// Steps 16 to 18: the value of a move, which is made.
    #[inline(always)]
    fn search_move<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        extension: i32,
    ) -> i32 {
        let alpha = moves.alpha;
        let new_depth = node.depth - 1 + extension;
        let mut value = -INFINITE;
        if node.depth >= 2 && candidate.number > 1 + i32::from(N::ROOT) {
            value = self.search_reduced(context, node, moves, candidate, new_depth);
        } else if !N::PV || candidate.number > 1 {
            // Step 17. Null window search.
            value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth, !node.cut_node);
        }
        // Step 18. Open window search, for the first move and for each that beats alpha.
        if N::PV && (candidate.number == 1 || value > alpha) {
            value = -self.negamax::<Pv>(context, -node.beta, -alpha, new_depth, false);
        }
        value
    }

    /// Step 16: searches a late move less deep, and again (step 17) if it beats alpha.
    #[inline(always)]
    fn search_reduced(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        new_depth: i32,
    ) -> i32 {
        let &MoveLoop { alpha, best_value, .. } = moves;
        let reduction = self.reduction(node, moves, candidate).max(0) / 1024;
        let reduced = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
        let mut value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, reduced, true);
        if value > alpha && reduced < new_depth {
            let parameters = &self.parameters;
            let high = parameters.lmr_deeper_base + parameters.lmr_deeper_slope * new_depth;
            let low = parameters.lmr_shallower_slope * new_depth;
            let deeper = i32::from(value > best_value + high);
            let shallower = i32::from(value < best_value + low);
            let new_depth = new_depth + deeper - shallower;
            if new_depth > reduced {
                let cut_node = !node.cut_node;
                value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth, cut_node);
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
                self.update_continuations(&moves.ordering, candidate.moved, bonus);
            }
        }
        value
    }

    /// Step 16: the reduction of a late move, which is made, in 1024ths of a ply.
    #[inline(always)]
    fn reduction(&mut self, node: &Node, moves: &MoveLoop, candidate: &Candidate) -> i32 {
        let cutoffs_below = self.stack.at(self.ply).cutoffs as i32;
        let parameters = &self.parameters;
        let mut reduction = candidate.reduction;
        if node.cut_node {
            reduction += parameters.lmr_cut_node;
        }
        if node.tt_pv {
            reduction -= parameters.lmr_tt_pv;
        }
        if moves.tt_capture && candidate.captured.is_none() {
            reduction += parameters.lmr_tt_capture;
        }
        if candidate.gives_check {
            reduction -= parameters.lmr_check;
        }
        if cutoffs_below > parameters.lmr_cutoff_count {
            reduction += parameters.lmr_cutoffs;
        }
        if moves.ordering.is_refutation(candidate.mv) {
            reduction -= parameters.lmr_refutation;
        }
        let history = candidate.history * 1024 / parameters.lmr_history;
        if candidate.captured.is_some() {
            reduction - parameters.lmr_capture - history * parameters.lmr_capture_history / 1024
        } else {
            reduction - history
        }
    }

    /// Step 18: records the result of a root move.
    fn update_root_move(&mut self, mv: Move, value: i32, nodes: u64, is_best: bool) {
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.nodes += nodes;
        if is_best {
            root_move.set_best(value, self.sel_depth, self.pv.at(1));
        } else {
            root_move.value = -INFINITE;
        }
    }

    /// Step 19: updates the loop with the value of a searched move. Returns whether it causes a
    /// beta cutoff.
    #[inline(always)]
    fn update_best<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &mut MoveLoop,
        candidate: &Candidate,
        value: i32,
    ) -> bool {
        let mv = candidate.mv;
        if is_by_rule(value) {
            moves.path_dependence = moves.path_dependence.min(self.path_dependence);
        }
        if value > moves.best_value {
            moves.best_value = value;
            if value > moves.alpha {
                moves.best_move = Some(mv);
                if N::PV {
                    self.pv.update(self.ply, mv);
                }
                if value >= node.beta {
                    return true;
                }
                moves.alpha = value;
            }
        }
        if Some(mv) != moves.best_move {
            let is_capture = candidate.captured.is_some();
            let searched = if is_capture { &mut moves.captures } else { &mut moves.quiets };
            // Moves beyond the capacity get no malus.
            let _ = searched.try_push(mv);
        }
        false
    }

    /// Step 20: updates the histories, stores the node and returns its value.
    #[inline(always)]
    fn finish_node<N: NodeType>(
        &mut self,
        context: &SearchContext,
        node: &Node,
        moves: MoveLoop,
    ) -> i32 {
        let &Node { beta, depth, excluded, .. } = node;
        let MoveLoop { mut best_value, best_move, .. } = moves;
        // No move: lost, in check or not.
        if moves.move_count == 0 {
            return if excluded.is_some() { node.alpha } else { mated_in(self.ply) };
        }
        if best_value >= beta {
            self.stack.at(self.ply).cutoffs += 1 + u32::from(node.tt_move.is_none());
            if !is_decisive(best_value) && !is_decisive(beta) {
                // A value far above beta is less certain than it looks.
                best_value = (best_value * depth + beta) / (depth + 1);
            }
        }
        if let Some(mv) = best_move {
            let depth = depth + i32::from(best_value > beta + self.parameters.bonus_high_margin);
            self.update_histories(mv, depth, &moves.ordering, &moves.quiets, &moves.captures);
        } else if !N::ROOT {
            self.reward_previous_move(depth);
        }
        let bound = TtBound::of(best_value, beta, N::PV && best_move.is_some());
        self.path_dependence = moves.path_dependence;
        if excluded.is_none() {
            if !(N::ROOT && self.pv_index > 0) {
                self.store(
                    context,
                    TtEntry {
                        mv: best_move,
                        value: best_value,
                        eval: node.raw_eval,
                        depth,
                        bound,
                        is_pv: node.tt_pv,
                    },
                );
            }
            self.update_correction(node.static_eval, best_value, best_move, bound, depth);
        }
        best_value
    }
}
