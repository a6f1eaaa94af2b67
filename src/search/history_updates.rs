//! How the result of a node updates the histories.
//!
//! The best move of a node gets a bonus and the moves searched before it a malus; both grow with
//! the depth. A quiet best move also becomes a killer move and the countermove of the move before
//! it. The difference between the search and the static evaluation updates the correction
//! histories.

use arrayvec::ArrayVec;

use super::histories::{PieceTo, piece_to};
use super::picker::MoveOrdering;
use super::transposition::TtBound;
use super::value::is_decisive;
use super::worker::Worker;
use crate::board::Move;

/// Moves that were searched without becoming the best one.
pub(super) type SearchedMoves = ArrayVec<Move, 48>;

impl Worker {
    /// The bonus of a move that was best at this depth.
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        let parameters = &self.parameters;
        (parameters.bonus_slope * depth - parameters.bonus_offset).clamp(0, parameters.bonus_max)
    }

    /// Updates the continuation histories of a quiet move.
    pub(super) fn update_continuations(
        &mut self,
        ordering: &MoveOrdering,
        moved: PieceTo,
        bonus: i32,
    ) {
        for previous in ordering.previous {
            self.histories.update_continuation(previous, moved, bonus);
        }
    }

    fn update_quiet(&mut self, mv: Move, ordering: &MoveOrdering, bonus: i32) {
        let side = self.position.side();
        let Some(piece) = self.position.piece_on(mv.from()) else { return };
        self.histories.update_butterfly(side, mv, bonus);
        self.update_continuations(ordering, piece_to(piece, mv.to()), bonus);
    }

    fn update_capture(&mut self, mv: Move, bonus: i32) {
        let pieces = (self.position.piece_on(mv.from()), self.position.captured(mv));
        if let (Some(piece), Some(captured)) = pieces {
            self.histories.update_capture(piece, mv.to(), captured.kind(), bonus);
        }
    }

    /// Gives the best move a bonus and the moves searched before it a malus.
    pub(super) fn update_histories(
        &mut self,
        best: Move,
        depth: i32,
        ordering: &MoveOrdering,
        quiets: &SearchedMoves,
        captures: &SearchedMoves,
    ) {
        let bonus = self.bonus(depth);
        if self.position.is_capture(best) {
            self.update_capture(best, bonus);
        } else {
            let killers = &mut self.stack.at(self.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.histories.set_countermove(ordering.previous[0], best);
            self.update_quiet(best, ordering, bonus);
            for &mv in quiets {
                self.update_quiet(mv, ordering, -bonus);
            }
        }
        for &mv in captures {
            self.update_capture(mv, -bonus);
        }
    }

    /// Gives a quiet move a bonus: the transposition table knows that it fails high.
    pub(super) fn reward_quiet(&mut self, mv: Move, depth: i32) {
        let ordering = self.move_ordering();
        let bonus = self.bonus(depth) * self.parameters.bonus_table / 1024;
        self.update_quiet(mv, &ordering, bonus);
    }

    /// Gives the quiet move that led to this node a bonus: no answer reached alpha.
    pub(super) fn reward_previous_move(&mut self, depth: i32) {
        let previous = self.stack.before(self.ply, 1);
        let (Some(mv), Some(moved)) = (previous.mv, previous.moved) else { return };
        if self.position.state().captured.is_some() {
            return;
        }
        let bonus = self.bonus(depth) * self.parameters.bonus_previous / 1024;
        let before = self.stack.before(self.ply, 2).moved;
        self.histories.update_continuation(before, moved, bonus);
        let side = !self.position.side();
        self.histories.update_butterfly(side, mv, bonus);
    }

    /// Updates the correction histories, unless the difference from the static evaluation comes
    /// from a capture or a won game, or the bound does not prove it.
    pub(super) fn update_correction(
        &mut self,
        static_eval: Option<i32>,
        best_value: i32,
        best_move: Option<Move>,
        bound: TtBound,
        depth: i32,
    ) {
        let Some(eval) = static_eval else { return };
        if best_move.is_some_and(|mv| self.position.is_capture(mv))
            || is_decisive(best_value)
            || (bound == TtBound::Lower && best_value <= eval)
            || (bound == TtBound::Upper && best_value >= eval)
        {
            return;
        }
        let previous = self.stack.before(self.ply, 1).moved;
        let difference = best_value - eval;
        let max_depth = self.parameters.correction_depth_max;
        self.histories.update_correction(
            &self.position,
            previous,
            difference,
            depth.min(max_depth),
        );
    }
}
