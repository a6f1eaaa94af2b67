//! Steps 12 to 20 of the search: the moves of a node, one after the other.

use std::sync::Arc;

use super::best_move::BestMove;
use super::extensions::Extension;
use super::history_updates::SearchedMoves;
use super::kinds::{Node, NodeType};
use super::moves::{Candidate, MoveLoop};
use crate::board::{Checks, Move};
use crate::search::context::SearchContext;
use crate::search::histories::index::{MoveOrdering, piece_to};
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::ordering::picker::{GenerationKind, MovePicker};
use crate::search::value::{INFINITE, RULE_BAND, is_decisive, mated_in};
use crate::search::worker::Worker;

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
            best: BestMove::new(node.alpha, -INFINITE),
            move_count: 0,
            quiets: SearchedMoves::new(),
            captures: SearchedMoves::new(),
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
            self.prefetch(context, mv);
            let Some(candidate) = self.candidate(node, &moves, checks, mv) else { continue };

            // Step 13. Pruning of the move, once there is one that does not lose.
            if !N::ROOT && moves.best.value > -RULE_BAND {
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
            let value = self.make_and_search::<N>(context, node, &moves, &candidate, extension);
            if self.stopped {
                return 0;
            }

            // Step 19. The best move so far.
            if self.take_value::<N>(node, &mut moves, &candidate, value) {
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
                let MoveOrdering { keys, previous, .. } = moves.ordering;
                self.histories.continuation(previous[0], moved)
                    + self.histories.continuation(previous[1], moved)
                    + self.histories.pawn(keys, moved)
            }
        };
        let number = moves.move_count;
        let parameters = &self.parameters;
        let scale = self.reductions.of(node.depth, number);
        let window = node.beta - moves.best.alpha;
        let mut reduction =
            parameters.lmr_base + scale - parameters.lmr_window * window / self.root_window;
        if !node.improving {
            reduction += scale * parameters.lmr_not_improving / 1024;
        }
        let gives_check = checks.has(&self.position, mv);
        Some(Candidate { mv, moved, captured, gives_check, history, number, reduction })
    }

    /// Steps 16 to 18: makes a move, searches it and unmakes it.
    #[inline(always)]
    fn make_and_search<N: NodeType>(
        &mut self,
        context: &Arc<SearchContext>,
        node: &Node,
        moves: &MoveLoop,
        candidate: &Candidate,
        extension: i32,
    ) -> i32 {
        let nodes_before = self.nodes(context);
        self.make(candidate.mv);
        self.stack.at(self.ply - 1).move_number = candidate.number;
        let value = self.search_move::<N>(context, node, moves, candidate, extension);
        self.unmake();
        if N::ROOT && !self.stopped {
            let nodes = self.nodes(context) - nodes_before;
            let is_best = candidate.number == 1 || value > moves.best.alpha;
            if is_best && candidate.number > 1 && self.pv_index == 0 {
                self.best_move_changes += 1.0;
            }
            self.update_root_move(candidate.mv, value, nodes, is_best);
        }
        value
    }

    /// Step 19: records the result of a root move.
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
    fn take_value<N: NodeType>(
        &mut self,
        node: &mut Node,
        moves: &mut MoveLoop,
        candidate: &Candidate,
        value: i32,
    ) -> bool {
        let old_alpha = moves.best.alpha;
        if self.update_best::<N>(&mut moves.best, node.beta, candidate.mv, value) {
            return true;
        }
        if Some(candidate.mv) != moves.best.mv {
            let is_capture = candidate.captured.is_some();
            let searched = if is_capture { &mut moves.captures } else { &mut moves.quiets };
            // Moves beyond the capacity get no malus.
            let _ = searched.try_push(candidate.mv);
        }
        let parameters = &self.parameters;
        let range = parameters.raised_alpha_min..=parameters.raised_alpha_max;
        if moves.best.alpha > old_alpha && range.contains(&node.depth) && !is_decisive(value) {
            // A second move that beats the best one is less likely.
            node.depth -= 1;
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
        let BestMove { value: mut best_value, mv: best_move, path_dependence, .. } = moves.best;
        // No move: lost, in check or not.
        if moves.move_count == 0 {
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
            self.update_histories(mv, node, &moves.quiets, &moves.captures);
        } else if !N::ROOT {
            self.reward_previous_move(node, best_value);
        }
        let bound = TtBound::of(best_value, beta, N::PV && best_move.is_some());
        self.path_dependence = path_dependence;
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
