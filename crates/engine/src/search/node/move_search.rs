//! Steps 16 to 20 of the search: one move, from its extension to its value.
//!
//! The late move reduction of step 18 is the sum of
//!
//! 1. the base, `lmr_factor * ln(depth) * ln(move number)`, which `reduction_table` holds;
//! 2. corrections by the place: the width of the window, and whether the node improves. Step 15
//!    prunes by the sum up to here;
//! 3. corrections by the kind of the node, the table's entry, the cutoffs below, and the move;
//! 4. the histories of the move.

use xiangqi::board::{Move, SEE_VALUE};

use super::extensions::Extension;
use super::{Candidate, Node, NodeType, NonPv, Pv};
use crate::search::histories::index::MoveOrdering;
use crate::search::value::INFINITE;
use crate::search::worker::Worker;

/// The result of steps 16 to 20.
pub(super) enum TriedMove {
    /// The value of the move.
    Searched(i32),
    /// The node has this value: several moves beat beta.
    Multicut(i32),
    /// The search has stopped, after step 16 if its result in plies is known.
    Stopped { extension: Option<i32> },
}

impl Worker {
    /// Steps 16 to 20: extends, makes and searches a move. The extension of an interrupted move is
    /// known.
    #[inline(always)]
    pub(super) fn try_move<N: NodeType>(
        &mut self,
        node: &mut Node,
        ordering: &MoveOrdering,
        candidate: &Candidate,
        known_extension: Option<i32>,
    ) -> TriedMove {
        // Step 16. Extensions.
        let extension = match known_extension {
            Some(plies) => Extension::Plies(plies),
            None => self.extension::<N>(node, candidate),
        };
        if self.stopped {
            return TriedMove::Stopped { extension: None };
        }
        let extension = match extension {
            Extension::Plies(plies) => plies,
            Extension::Multicut(value) => return TriedMove::Multicut(value),
        };

        // Step 17. The rules need the chases of a position only below quiet moves: a capture ends
        // all repetitions.
        if candidate.captured.is_none() && !node.has_chase_information {
            node.has_chase_information = true;
            self.game_history.note(&self.position);
        }

        // Steps 18 to 20. The search of the move.
        let nodes_before = self.nodes();
        self.make(candidate.mv);
        self.stack.at(self.ply - 1).move_number = candidate.number;
        let reduction = self.reduction::<N>(node, ordering, candidate);
        let value = if N::PV && !self.interrupted.is_empty() {
            // The pause came in step 20.
            -self.resume_moves::<Pv>()
        } else {
            self.search_move::<N>(node, candidate, extension, reduction)
        };
        self.unmake();
        if N::ROOT {
            self.count_root_nodes(candidate.mv, self.nodes() - nodes_before);
        }
        if self.stopped {
            return TriedMove::Stopped { extension: Some(extension) };
        }
        TriedMove::Searched(value)
    }

    /// Counts nodes searched below a root move.
    fn count_root_nodes(&mut self, mv: Move, nodes: u64) {
        if let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.nodes += nodes;
        }
    }

    /// Steps 18 to 20: searches a move that has been made and returns its value.
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

    /// Step 18: returns the reduction of a place in the move order, in 1024ths of a ply. Step 15
    /// uses it too.
    #[inline(always)]
    pub(super) fn place_reduction(&self, node: &Node, number: i32) -> i32 {
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

    /// Step 18: returns the reduction of a move that has been made, in 1024ths of a ply.
    #[inline(always)]
    fn reduction<N: NodeType>(
        &mut self,
        node: &Node,
        ordering: &MoveOrdering,
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
            if node.entry.is_some_and(|entry| entry.bound.has_lower() && entry.value > node.alpha) {
                reduction -= parameters.lmr_tt_pv_value;
            }
            if node.entry.is_some_and(|entry| entry.depth >= node.depth) {
                reduction -= parameters.lmr_tt_pv_depth;
            }
        }
        if node.tt_capture && candidate.captured.is_none() {
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

    /// Step 18: returns the history of a move that has been made, for its reduction.
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
}
