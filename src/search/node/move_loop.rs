//! Steps 14 to 22 of the search: the moves of a node, one after the other.

use xiangqi::board::{Checks, Move, SEE_VALUE};
use xiangqi::geometry::Piece;

use super::{Node, NodeType, NonPv, Pv};
use crate::search::histories::index::{MoveOrdering, PieceTo, piece_to};
use crate::search::info::Bound;
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::ordering::picker::{GenerationKind, MovePicker};
use crate::search::value::{EVALUATION_LIMIT, INFINITE, RULE_BAND, is_decisive, mated_in};
use crate::search::worker::Worker;

/// A move of a node before it is made.
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

/// The result of step 16.
enum Extension {
    /// Search the move this many plies deeper, or shallower if negative.
    Plies(i32),
    /// Leave the node with this value: several moves beat beta.
    Multicut(i32),
}

impl Worker {
    /// Steps 14 to 22: searches the moves of a node and returns its value.
    pub(super) fn search_moves<N: NodeType>(&mut self, mut node: Node) -> i32 {
        let node = &mut node;
        let ordering = self.move_ordering();
        let tt_capture = node.tt_move.is_some_and(|mv| self.position.is_capture(mv));
        let mut has_chase_information = false;
        let mut picker =
            MovePicker::new(&self.position, node.tt_move, ordering, GenerationKind::All);

        // Step 14. The next move.
        while let Some(mv) = picker.next(&self.position, self.move_scores()) {
            if Some(mv) == node.excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            node.move_count += 1;
            if N::ROOT {
                self.report_current_move(mv, self.pv_index + node.move_count as usize);
            }
            let checks = picker.checks(&self.position);
            self.prefetch(mv);
            let Some(candidate) = self.candidate(node, &ordering, checks, mv) else { continue };

            // Step 15. Pruning of the move, once there is one that does not lose.
            if !N::ROOT && node.best.value > -RULE_BAND {
                if candidate.captured.is_none() && candidate.number > self.quiet_move_limit(node) {
                    picker.skip_quiets();
                }
                if self.is_pruned(node, &candidate, picker.is_good_capture()) {
                    continue;
                }
            }

            // Step 16. Extensions.
            let extension = match self.extension::<N>(node, &candidate) {
                Extension::Plies(plies) => plies,
                Extension::Multicut(value) => return value,
            };
            if self.stopped {
                return 0;
            }

            // Step 17. The rules need the chases of a position only below quiet moves: a capture
            // ends all repetitions.
            if candidate.captured.is_none() && !has_chase_information {
                has_chase_information = true;
                self.game_history.note(&self.position);
            }

            // Steps 18 to 20. The search of the move.
            let nodes_before = self.nodes();
            self.make(mv);
            self.stack.at(self.ply - 1).move_number = candidate.number;
            let reduction = self.reduction::<N>(node, &ordering, &candidate, tt_capture);
            let value = self.search_move::<N>(node, &candidate, extension, reduction);
            self.unmake();
            if self.stopped {
                return 0;
            }

            // Step 21. The best move so far.
            if N::ROOT {
                self.update_root_move(node, &candidate, value, self.nodes() - nodes_before);
            }
            if self.take_value::<N>(node, &candidate, value) {
                break;
            }
        }
        // Step 22. Histories and transposition table.
        self.finish_node::<N>(node)
    }

    /// Step 14: returns true for a root move that has no principal variation yet.
    fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Step 14: looks up a move before it is made.
    #[inline(always)]
    fn candidate(
        &self,
        node: &Node,
        ordering: &MoveOrdering,
        checks: &Checks,
        mv: Move,
    ) -> Option<Candidate> {
        let piece = self.position.piece_on(mv.from())?;
        let captured = self.position.captured(mv);
        let moved = piece_to(piece, mv.to());
        let history = match captured {
            Some(captured) => self.histories.capture(piece, mv.to(), captured.kind()),
            None => {
                let &MoveOrdering { keys, previous, .. } = ordering;
                self.histories.continuation(previous[0], moved)
                    + self.histories.continuation(previous[1], moved)
                    + self.histories.pawn(keys, moved)
            }
        };
        let number = node.move_count;
        let reduction = self.place_reduction(node, number);
        let gives_check = checks.has(&self.position, mv);
        Some(Candidate { mv, moved, captured, gives_check, history, number, reduction })
    }

    /// Step 15: returns the number of moves after which late move pruning leaves out quiet moves.
    #[inline(always)]
    fn quiet_move_limit(&self, node: &Node) -> i32 {
        (self.parameters.late_move_base + node.depth * node.depth) / (2 - i32::from(node.improving))
    }

    /// Step 15: returns true if futility, history or exchanges prune a move. The best value rises to
    /// what a futile quiet move could have reached.
    #[inline(always)]
    fn is_pruned(&self, node: &mut Node, candidate: &Candidate, is_good_capture: bool) -> bool {
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
                && futility <= node.alpha
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
            if node.best.mv.is_none() {
                futility += parameters.futility_no_best;
            }
            if !node.in_check && lmr_depth < parameters.futility_depth && futility <= node.alpha {
                node.best.value = node.best.value.max(futility.min(EVALUATION_LIMIT - 1));
                return true;
            }
        }
        let margin = parameters.see_quiet * lmr_depth.max(0) * lmr_depth.max(0);
        !self.position.see_at_least(mv, -margin)
    }

    /// Step 16: returns the extension of a move. The move of the table is extended if it is singular,
    /// a check if it loses no material.
    #[inline(always)]
    fn extension<N: NodeType>(&mut self, node: &Node, candidate: &Candidate) -> Extension {
        let is_too_deep = self.ply >= 2 * self.root_depth as usize;
        if !N::ROOT && Some(candidate.mv) == node.tt_move && node.excluded.is_none() && !is_too_deep
        {
            match self.singular_extension::<N>(node, candidate.mv) {
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

    /// Step 16: tests by a reduced search without the table's move how much better than all others
    /// it is.
    fn singular_extension<N: NodeType>(&mut self, node: &Node, mv: Move) -> Extension {
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
        let value = self.negamax::<NonPv>(target - 1, target, (node.depth - 1) / 2, node.cut_node);
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

    /// Step 18: returns the reduction of a place in the move order, in 1024ths of a ply. Step 15 uses
    /// it too.
    #[inline(always)]
    fn place_reduction(&self, node: &Node, number: i32) -> i32 {
        let parameters = &self.parameters;
        let scale = self.reductions.of(node.depth, number);
        let window = node.beta - node.alpha;
        let mut reduction =
            parameters.lmr_base + scale - parameters.lmr_window * window / self.root_window;
        if !node.improving {
            reduction += scale * parameters.lmr_not_improving / 1024;
        }
        reduction
    }

    /// Step 18: returns the reduction of a move, which is made, in 1024ths of a ply.
    #[inline(always)]
    fn reduction<N: NodeType>(
        &mut self,
        node: &Node,
        ordering: &MoveOrdering,
        candidate: &Candidate,
        tt_capture: bool,
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
            if node.entry.is_some_and(|entry| entry.bound.has_lower() && entry.value > node.alpha) {
                reduction -= parameters.lmr_tt_pv_value;
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= parameters.lmr_tt_pv_depth;
            }
        }
        if tt_capture && candidate.captured.is_none() {
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
        reduction -= self.reduction_history(ordering, candidate) * 1024 / parameters.lmr_history;
        if all_node && reduction > 0 {
            reduction += reduction * parameters.lmr_all_node / 1024 / (node.depth + 1);
        }
        reduction
    }

    /// Step 18: returns the history of a move, which is made, for its reduction.
    #[inline(always)]
    fn reduction_history(&self, ordering: &MoveOrdering, candidate: &Candidate) -> i32 {
        let parameters = &self.parameters;
        let &Candidate { mv, moved, .. } = candidate;
        if let Some(captured) = candidate.captured {
            return parameters.lmr_capture * SEE_VALUE[captured.kind().index()] / 64
                + candidate.history
                + parameters.lmr_capture_offset;
        }
        let &MoveOrdering { keys, previous, .. } = ordering;
        let mover = !self.position.side();
        (parameters.lmr_main * self.histories.main(mover, mv)
            + parameters.lmr_pawn * self.histories.pawn(keys, moved)
            + parameters.lmr_continuation_4 * self.histories.continuation(previous[3], moved))
            / 64
            + self.histories.continuation(previous[0], moved)
            + self.histories.continuation(previous[1], moved)
            + parameters.lmr_quiet_offset
    }

    /// Steps 18 to 20: searches a move, which is made, and returns its value.
    #[inline(always)]
    fn search_move<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        extension: i32,
        reduction: i32,
    ) -> i32 {
        let alpha = node.alpha;
        let new_depth = node.depth - 1 + extension;
        let mut value = -INFINITE;
        if node.depth >= 2 && candidate.number > 1 + i32::from(N::ROOT) {
            value = self.search_reduced::<N>(node, candidate, new_depth, reduction);
        } else if !N::PV || candidate.number > 1 {
            // Step 19. Null window search, shallower if the move promises little.
            let parameters = &self.parameters;
            let less = i32::from(reduction > parameters.full_reduction_1)
                + i32::from(reduction > parameters.full_reduction_2 && new_depth > 2);
            value = -self.negamax::<NonPv>(-alpha - 1, -alpha, new_depth - less, !node.cut_node);
        }
        // Step 20. Open window search, for the first move and for each that beats alpha.
        if N::PV && (candidate.number == 1 || value > alpha) {
            value = -self.negamax::<Pv>(-node.beta, -alpha, new_depth, false);
        }
        value
    }

    /// Step 18: searches a late move with a null window at reduced depth (or deeper, if it promises
    /// much), and again (step 19) if it beats alpha.
    #[inline(always)]
    fn search_reduced<N: NodeType>(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        new_depth: i32,
        reduction: i32,
    ) -> i32 {
        let (alpha, best_value) = (node.alpha, node.best.value);
        let deepest = new_depth + 1 + i32::from(N::PV);
        let reduced = (new_depth - reduction / 1024).min(deepest).max(1);
        self.stack.at(self.ply - 1).reduction = new_depth - reduced;
        let mut value = -self.negamax::<NonPv>(-alpha - 1, -alpha, reduced, true);
        self.stack.at(self.ply - 1).reduction = 0;
        if value > alpha && !self.stopped {
            let parameters = &self.parameters;
            let high = parameters.lmr_deeper_base + parameters.lmr_deeper_slope * new_depth;
            let deeper = i32::from(reduced < new_depth && value > best_value + high);
            let shallower = i32::from(value < best_value + parameters.lmr_shallower);
            let new_depth = new_depth + deeper - shallower;
            if new_depth > reduced {
                value = -self.negamax::<NonPv>(-alpha - 1, -alpha, new_depth, !node.cut_node);
            }
            if candidate.captured.is_none() {
                let bonus = self.parameters.lmr_bonus;
                self.update_continuations(self.ply - 1, candidate.moved, bonus);
            }
        }
        value
    }

    /// Step 21: records the result of a root move, searched with this many nodes.
    fn update_root_move(&mut self, node: &Node, candidate: &Candidate, value: i32, nodes: u64) {
        let is_best = candidate.number == 1 || value > node.alpha;
        if is_best && candidate.number > 1 && self.pv_index == 0 {
            self.best_move_changes += 1.0;
        }
        let searched = self.root_moves.iter_mut().find(|root_move| root_move.mv == candidate.mv);
        let Some(root_move) = searched else { return };
        root_move.nodes += nodes;
        if is_best {
            let bound = Bound::of(value, node.alpha, node.beta);
            root_move.set_best(value, bound, self.sel_depth, self.pv.at(1));
        } else {
            root_move.value = -INFINITE;
        }
    }

    /// Step 21: updates the node with the value of a searched move. Returns true on a beta cutoff.
    #[inline(always)]
    fn take_value<N: NodeType>(
        &mut self,
        node: &mut Node,
        candidate: &Candidate,
        value: i32,
    ) -> bool {
        let Node { alpha, best, .. } = node;
        let old_alpha = *alpha;
        if self.update_best::<N>(best, alpha, node.beta, candidate.mv, value) {
            return true;
        }
        if Some(candidate.mv) != node.best.mv {
            let is_capture = candidate.captured.is_some();
            let searched = if is_capture { &mut node.captures } else { &mut node.quiets };
            // Moves beyond the capacity get no malus.
            let _ = searched.try_push(candidate.mv);
        }
        let parameters = &self.parameters;
        let range = parameters.raised_alpha_min..=parameters.raised_alpha_max;
        if node.alpha > old_alpha && range.contains(&node.depth) && !is_decisive(value) {
            // A second move that beats the best one is less likely.
            node.depth -= 1;
        }
        false
    }

    /// Step 22: updates the histories, stores the node and returns its value.
    #[inline(always)]
    fn finish_node<N: NodeType>(&mut self, node: &Node) -> i32 {
        let &Node { beta, depth, excluded, .. } = node;
        let (mut best_value, best_move) = (node.best.value, node.best.mv);
        // No move: lost, in check or not.
        if node.move_count == 0 {
            return if excluded.is_some() { node.alpha } else { mated_in(self.ply) };
        }
        if best_value >= beta {
            self.stack.at(self.ply).cutoffs += 1;
            if !is_decisive(best_value) && !is_decisive(beta) {
                // A value far above beta is less certain than it looks.
                best_value = (3 * best_value + beta) / 4;
            }
        }
        if let Some(mv) = best_move {
            self.update_histories(mv, node);
        } else if !N::ROOT {
            self.reward_previous_move(node, best_value);
        }
        let bound = TtBound::of(best_value, beta, N::PV && best_move.is_some());
        self.path_dependence = node.best.path_dependence;
        if excluded.is_none() {
            if !(N::ROOT && self.pv_index > 0) {
                self.store(TtEntry {
                    mv: best_move,
                    value: best_value,
                    eval: node.raw_eval,
                    depth,
                    bound,
                    is_pv: node.tt_pv,
                });
            }
            self.update_correction(node, best_value, best_move, bound);
        }
        best_value
    }
}
