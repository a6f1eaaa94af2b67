//! Steps 12 to 20 of the search: the moves of a node.

use std::sync::Arc;

use super::context::SearchContext;
use super::history_index::{MoveOrdering, PieceTo, piece_to};
use super::history_updates::SearchedMoves;
use super::node::{Node, NodeType, NonPv, Pv};
use super::picker::{GenerationKind, MovePicker};
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
    /// Its history for pruning: of a quiet move without the main history.
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
        mut node: Node,
    ) -> i32 {
        let node = &mut node;
        let mut moves = MoveLoop {
            ordering: self.move_ordering(),
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
            let checks = picker.checks(&self.position);
            let Some(candidate) = self.candidate(node, &moves, checks, mv) else { continue };

            // Step 13. Pruning of the move, once there is one that does not lose.
            if !N::ROOT && moves.best_value > -RULE_BAND {
                if candidate.captured.is_none() && candidate.number > self.quiet_move_limit(node) {
                    picker.skip_quiets();
                }
                let is_good_capture = picker.is_good_capture();
                if self.is_pruned(node, &candidate, is_good_capture, &mut moves) {
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
            self.stack.at(self.ply - 1).move_number = candidate.number;
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
            let old_alpha = moves.alpha;
            if self.update_best::<N>(node, &mut moves, &candidate, value) {
                break;
            }
            let parameters = &self.parameters;
            let range = parameters.raised_alpha_min..=parameters.raised_alpha_max;
            if moves.alpha > old_alpha && range.contains(&node.depth) && !is_decisive(value) {
                // A second move that beats the best one is less likely.
                node.depth -= 1;
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
                let MoveOrdering { keys, previous, .. } = moves.ordering;
                self.histories.continuation(previous[0], moved)
                    + self.histories.continuation(previous[1], moved)
                    + self.histories.pawn(keys, moved)
            }
        };
        let number = moves.move_count;
        let parameters = &self.parameters;
        let scale = self.reductions.of(node.depth, number);
        let window = node.beta - moves.alpha;
        let mut reduction =
            parameters.lmr_base + scale - parameters.lmr_window * window / self.root_window;
        if !node.improving {
            reduction += scale * parameters.lmr_not_improving / 1024;
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
    fn is_pruned(
        &self,
        node: &Node,
        candidate: &Candidate,
        is_good_capture: bool,
        moves: &mut MoveLoop,
    ) -> bool {
        let parameters = &self.parameters;
        let &Candidate { mv, captured, gives_check, history, .. } = candidate;
        let mut reduction = candidate.reduction;
        if node.tt_pv {
            reduction += parameters.prune_tt_pv;
        }
        let lmr_depth = node.depth - 1 - reduction / 1024;
        if let Some(victim) = captured {
            let lmr_depth = lmr_depth.max(0);
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
            return !is_good_capture
                && node.depth < parameters.see_capture_depth
                && !self.position.see_at_least(mv, -margin.max(0));
        }
        if lmr_depth >= parameters.prune_quiet_depth {
            return false;
        }
        if !gives_check && history < -parameters.history_margin * node.depth {
            return true;
        }
        // The histories shift the reduced depth, and with it the margins.
        let main = self.histories.main(self.position.side(), mv);
        let lmr_depth =
            lmr_depth + (history + parameters.prune_main * main / 64) / parameters.prune_history;
        if !gives_check {
            let mut futility =
                node.eval + parameters.futility_base + parameters.futility_slope * lmr_depth;
            if moves.best_move.is_none() {
                futility += parameters.futility_no_best;
            }
            if !node.in_check && lmr_depth < parameters.futility_depth && futility <= moves.alpha {
                moves.best_value = moves.best_value.max(futility.min(EVALUATION_LIMIT));
                return true;
            }
        }
        let margin = parameters.see_quiet * lmr_depth.max(0) * lmr_depth.max(0);
        !self.position.see_at_least(mv, -margin)
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
            let parameters = &self.parameters;
            let is_below = |margin| i32::from(!N::PV && value < target - margin);
            let more = is_below(parameters.double_margin) + is_below(parameters.triple_margin);
            Extension::Plies(1 + more)
        } else if value >= node.beta && !is_decisive(value) {
            Extension::Multicut(value)
        } else if entry.value >= node.beta {
            Extension::Plies(-self.parameters.negative_high)
        } else if node.cut_node {
            Extension::Plies(-self.parameters.negative_cut_node)
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
        let reduction = self.reduction::<N>(node, moves, candidate);
        let mut value = -INFINITE;
        if node.depth >= 2 && candidate.number > 1 + i32::from(N::ROOT) {
            value = self.search_reduced::<N>(context, node, moves, candidate, new_depth, reduction);
        } else if !N::PV || candidate.number > 1 {
            // Step 17. Null window search, a little less deep if the move promises little.
            let parameters = &self.parameters;
            let less = i32::from(reduction > parameters.full_reduction_1)
                + i32::from(reduction > parameters.full_reduction_2 && new_depth > 2);
            let cut_node = !node.cut_node;
            value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth - less, cut_node);
        }
        // Step 18. Open window search, for the first move and for each that beats alpha.
        if N::PV && (candidate.number == 1 || value > alpha) {
            value = -self.negamax::<Pv>(context, -node.beta, -alpha, new_depth, false);
        }
        value
    }

    /// Step 16: searches a late move less deep (or deeper, if it promises much), and again
    /// (step 17) if it beats alpha.
    #[inline(always)]
    fn search_reduced<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        new_depth: i32,
        reduction: i32,
    ) -> i32 {
        let &MoveLoop { alpha, best_value, .. } = moves;
        let deepest = new_depth + 1 + i32::from(N::PV);
        let reduced = (new_depth - reduction / 1024).min(deepest).max(1);
        self.stack.at(self.ply - 1).reduction = new_depth - reduced;
        let mut value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, reduced, true);
        self.stack.at(self.ply - 1).reduction = 0;
        if value > alpha && !self.stopped {
            let parameters = &self.parameters;
            let high = parameters.lmr_deeper_base + parameters.lmr_deeper_slope * new_depth;
            let deeper = i32::from(reduced < new_depth && value > best_value + high);
            let shallower = i32::from(value < best_value + parameters.lmr_shallower);
            let new_depth = new_depth + deeper - shallower;
            if new_depth > reduced {
                let cut_node = !node.cut_node;
                value = -self.negamax::<NonPv>(context, -alpha - 1, -alpha, new_depth, cut_node);
            }
            if candidate.captured.is_none() {
                let bonus = self.parameters.lmr_bonus;
                self.update_continuations(self.ply - 1, candidate.moved, bonus);
            }
        }
        value
    }

    /// Step 16: the reduction of a move, which is made, in 1024ths of a ply.
    #[inline(always)]
    fn reduction<N: NodeType>(
        &mut self,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
    ) -> i32 {
        let cutoffs_below = self.stack.at(self.ply).cutoffs as i32;
        let parameters = &self.parameters;
        let all_node = !N::PV && !node.cut_node;
        let mut reduction = candidate.reduction;
        if node.cut_node {
            reduction += parameters.lmr_cut_node;
            if node.tt_move.is_none() {
                reduction += parameters.lmr_cut_node_no_tt_move;
            }
        }
        if node.tt_pv {
            reduction -= parameters.lmr_tt_pv;
            if N::PV {
                reduction -= parameters.lmr_pv;
            }
            if node.entry.is_some_and(|entry| entry.value > moves.alpha) {
                reduction -= parameters.lmr_tt_pv_value;
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= parameters.lmr_tt_pv_depth;
            }
        }
        if moves.tt_capture && candidate.captured.is_none() {
            reduction += parameters.lmr_tt_capture;
        }
        if candidate.gives_check {
            reduction -= parameters.lmr_check;
        }
        if cutoffs_below > parameters.lmr_cutoffs_some {
            reduction += parameters.lmr_cutoffs;
        }
        if cutoffs_below > parameters.lmr_cutoffs_many {
            reduction += parameters.lmr_more_cutoffs;
            if all_node {
                reduction += parameters.lmr_cutoffs_all_node;
            }
        }
        if Some(candidate.mv) == node.tt_move {
            reduction -= parameters.lmr_tt_move;
        }
        reduction -= self.reduction_history(moves, candidate) * 1024 / parameters.lmr_history;
        if all_node && reduction > 0 {
            reduction += reduction * parameters.lmr_all_node / 1024 / (node.depth + 1);
        }
        reduction
    }

    /// Step 16: the history of a move, which is made, for its reduction.
    #[inline(always)]
    fn reduction_history(&self, moves: &MoveLoop, candidate: &Candidate) -> i32 {
        let parameters = &self.parameters;
        let &Candidate { mv, moved, .. } = candidate;
        if let Some(captured) = candidate.captured {
            return parameters.lmr_capture * SEE_VALUE[captured.kind().index()] / 64
                + candidate.history
                + parameters.lmr_capture_offset;
        }
        let MoveOrdering { keys, previous, .. } = moves.ordering;
        let mover = !self.position.side();
        (parameters.lmr_main * self.histories.main(mover, mv)
            + parameters.lmr_pawn * self.histories.pawn(keys, moved)
            + parameters.lmr_continuation_4 * self.histories.continuation(previous[3], moved))
            / 64
            + self.histories.continuation(previous[0], moved)
            + self.histories.continuation(previous[1], moved)
            + parameters.lmr_quiet_offset
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
            self.stack.at(self.ply).cutoffs += 1;
            if !is_decisive(best_value) && !is_decisive(beta) {
                // A value far above beta is less certain than it looks.
                best_value = (best_value * depth + beta) / (depth + 1);
            }
        }
        if let Some(mv) = best_move {
            self.update_histories(mv, node, &moves.quiets, &moves.captures);
        } else if !N::ROOT {
            self.reward_previous_move(node, best_value);
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
            self.update_correction(node, best_value, best_move, bound);
        }
        best_value
    }
}
