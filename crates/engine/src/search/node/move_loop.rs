//! Steps 14 to 22 of the search: the moves of a node, one after the other.

use xiangqi::board::{Checks, Move};

use super::interruption::InterruptedMove;
use super::move_search::TriedMove;
use super::{Candidate, Node, NodeType};
use crate::search::histories::index::{MoveOrdering, piece_to};
use crate::search::info::Bound;
use crate::search::memory::entry::{TtBound, TtEntry};
use crate::search::ordering::picker::{GenerationKind, MovePicker};
use crate::search::value::{INFINITE, RULE_BAND, is_decisive, mated_in};
use crate::search::worker::Worker;

impl Worker {
    /// Steps 14 to 22: searches the moves of a node and returns its value.
    pub(super) fn search_moves<N: NodeType>(&mut self, mut node: Node) -> i32 {
        node.tt_capture = node.tt_move.is_some_and(|mv| self.position.is_capture(mv));
        let ordering = self.move_ordering();
        let mut picker =
            MovePicker::new(&self.position, node.tt_move, ordering, GenerationKind::All);
        self.search_moves_from::<N>(&mut node, &ordering, &mut picker, None)
    }

    /// Steps 14 to 22: searches the moves of a node, beginning with an interrupted one.
    #[inline(always)]
    pub(super) fn search_moves_from<N: NodeType>(
        &mut self,
        node: &mut Node,
        ordering: &MoveOrdering,
        picker: &mut MovePicker,
        mut interrupted: Option<InterruptedMove>,
    ) -> i32 {
        // Step 14. The next move.
        loop {
            let resumed = if N::PV { interrupted.take() } else { None };
            let mv = if let Some(resumed) = resumed {
                resumed.mv
            } else {
                let Some(mv) = picker.next(&self.position, self.move_scores()) else { break };
                if Some(mv) == node.excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                    continue;
                }
                node.move_count += 1;
                if N::ROOT {
                    self.report_current_move(mv, self.pv_index + node.move_count as usize);
                }
                mv
            };
            let checks = picker.checks(&self.position);
            self.prefetch(mv);
            let Some(candidate) = self.candidate(node, ordering, checks, mv) else { continue };

            // Step 15. Pruning of the move, once there is one that does not lose.
            if !N::ROOT && resumed.is_none() && node.best.value > -RULE_BAND {
                if candidate.captured.is_none() && candidate.number > self.quiet_move_limit(node) {
                    picker.skip_quiets();
                }
                if self.is_pruned(node, &candidate, picker.is_good_capture()) {
                    continue;
                }
            }

            // Steps 16 to 20. The search of the move.
            let extension = resumed.and_then(|resumed| resumed.extension);
            let value = match self.try_move::<N>(node, ordering, &candidate, extension) {
                TriedMove::Searched(value) => value,
                TriedMove::Multicut(value) => return value,
                TriedMove::Stopped { extension } => {
                    if N::PV {
                        self.interrupt(node, picker, InterruptedMove { mv, extension });
                    }
                    return 0;
                }
            };

            // Step 21. The best move so far.
            if N::ROOT {
                self.update_root_move(node, &candidate, value);
            }
            if self.take_value::<N>(node, &candidate, value) {
                break;
            }
        }
        // Step 22. Histories and transposition table.
        self.finish_node::<N>(node)
    }

    /// Step 14: returns true for a root move that has no principal variation yet and of which the
    /// endgame tables and the rules know no better one.
    fn is_root_candidate(&self, mv: Move) -> bool {
        let candidates = &self.root_moves[self.pv_index..];
        let rank = candidates.first().map_or(0, |root_move| root_move.rank);
        candidates.iter().any(|root_move| root_move.mv == mv && root_move.rank == rank)
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

    /// Step 22: returns true if the value of the root is that of its position: no move was left
    /// out.
    fn searches_all_root_moves(&self) -> bool {
        let limits = &self.context.limits;
        self.pv_index == 0 && limits.search_moves.is_empty() && limits.banned_moves.is_empty()
    }

    /// Step 21: records the result of a root move.
    fn update_root_move(&mut self, node: &Node, candidate: &Candidate, value: i32) {
        let is_best = candidate.number == 1 || value > node.alpha;
        if is_best && candidate.number > 1 && self.pv_index == 0 {
            self.best_move_changes += 1.0;
        }
        let searched = self.root_moves.iter_mut().find(|root_move| root_move.mv == candidate.mv);
        let Some(root_move) = searched else { return };
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
            if !N::ROOT || self.searches_all_root_moves() {
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
