//! Updates of the histories by the result of a node.
//!
//! The best move of a node gets a bonus and the moves searched before it a malus; both grow with
//! the depth. The move that led to the node learns too: it gets a bonus if no answer reached
//! alpha, a malus if it was refuted although it had come early, and the main and pawn histories
//! follow the change of the static evaluation that it caused. The difference between the search
//! and the static evaluation updates the correction histories.

use xiangqi::board::Move;
use xiangqi::geometry::{Piece, PieceKind};

use super::Node;
use crate::search::histories::corrections::CorrectionContext;
use crate::search::histories::index::{PieceTo, piece_to};
use crate::search::memory::entry::TtBound;
use crate::search::value::is_decisive;
use crate::search::worker::Worker;

/// Number of plies back for which the continuation histories are updated.
const UPDATED_PLIES: usize = 6;
/// Number of plies back for a move out of check, which depends little on earlier plans.
const UPDATED_PLIES_IN_CHECK: usize = 2;

impl Worker {
    /// Returns the bonus of the best move at this depth.
    fn bonus(&self, depth: i32) -> i32 {
        let parameters = &self.parameters;
        (parameters.bonus_slope * depth - parameters.bonus_offset).clamp(0, parameters.bonus_max)
    }

    /// Updates the continuation histories of a quiet move made at a ply, by more where several
    /// of them are positive.
    pub(super) fn update_continuations(&mut self, ply: usize, moved: PieceTo, bonus: i32) {
        let parameters = &self.parameters;
        let weights: [i32; UPDATED_PLIES] = [
            parameters.update_continuation_1,
            parameters.update_continuation_2,
            parameters.update_continuation_3,
            parameters.update_continuation_4,
            parameters.update_continuation_5,
            parameters.update_continuation_6,
        ];
        let in_check = self.stack.before(ply, 0).in_check;
        let plies = if in_check { UPDATED_PLIES_IN_CHECK } else { UPDATED_PLIES };
        let mut agreement = parameters.agreement_base;
        for (at, weight) in weights[..plies].iter().enumerate() {
            let row = self.stack.before(ply, at + 1).row;
            if self.histories.continuation(row, moved) > 0 {
                agreement += parameters.agreement_step;
            }
            let bonus = bonus * weight / 1024 * agreement / 1024;
            self.histories.update_continuation(row, moved, bonus);
        }
    }

    fn update_quiet(&mut self, mv: Move, bonus: i32) {
        let Some(piece) = self.position.piece_on(mv.from()) else { return };
        let (ply, side, moved) = (self.ply, self.position.side(), piece_to(piece, mv.to()));
        let keys = self.stack.at(ply).keys;
        let parameters = &self.parameters;
        let pawn_weight =
            if bonus > 0 { parameters.update_pawn_bonus } else { parameters.update_pawn_malus };
        self.histories.update_main(side, mv, bonus * parameters.update_main / 1024);
        self.histories.update_low_ply(ply, mv, bonus * parameters.update_low_ply / 1024);
        self.histories.update_pawn(keys, moved, bonus * pawn_weight / 1024);
        self.update_continuations(ply, moved, bonus);
    }

    fn update_capture(&mut self, mv: Move, bonus: i32) {
        let pieces = (self.position.piece_on(mv.from()), self.position.captured(mv));
        if let (Some(piece), Some(captured)) = pieces {
            self.histories.update_capture(piece, mv.to(), captured.kind(), bonus);
        }
    }

    /// Gives the best move of a node a bonus and the moves searched before it a malus, which
    /// fades along the order of the quiet moves.
    pub(super) fn update_histories(&mut self, best: Move, node: &Node) {
        let Node { quiets, captures, .. } = node;
        let parameters = &self.parameters;
        let depth = node.depth;
        let searched = (quiets.len() + captures.len()) as i32;
        let bonus = self.bonus(depth)
            + parameters.bonus_tt_move * i32::from(node.tt_move == Some(best))
            + parameters.bonus_searched * searched.min(20);
        let quiet_malus = (parameters.malus_slope * depth - parameters.malus_offset)
            .clamp(0, parameters.malus_max);
        let capture_malus = (parameters.capture_malus_slope * depth
            - parameters.capture_malus_offset)
            .clamp(0, parameters.capture_malus_max);
        let fade = parameters.malus_fade;
        if self.position.is_capture(best) {
            let bonus = bonus * parameters.bonus_capture / 1024;
            self.update_capture(best, bonus);
        } else {
            self.update_quiet(best, bonus);
            for (place, &mv) in quiets.iter().enumerate() {
                let share = (1024 - fade * place as i32).max(0);
                self.update_quiet(mv, -quiet_malus * share / 1024);
            }
        }
        for &mv in captures {
            self.update_capture(mv, -capture_malus);
        }
        if self.stack.before(self.ply, 1).move_number == 1 {
            let malus = quiet_malus * self.parameters.malus_refuted_first / 1024;
            self.punish_previous_move(malus);
        }
    }

    /// Updates the histories where a quiet move of the transposition table fails high: it gets a
    /// bonus, and the move that led to the node a malus if it had come early.
    pub(super) fn update_after_tt_cutoff(&mut self, mv: Move, depth: i32) {
        let bonus = self.bonus(depth) * self.parameters.bonus_tt_cutoff / 1024;
        self.update_quiet(mv, bonus);
        if (1..=2).contains(&self.stack.before(self.ply, 1).move_number) {
            self.punish_previous_move(self.parameters.malus_tt_cutoff);
        }
    }

    /// Gives the move that led to this node a malus, if it was quiet.
    fn punish_previous_move(&mut self, malus: i32) {
        let previous = self.stack.before(self.ply, 1);
        if self.position.state().captured.is_none()
            && let Some(moved) = previous.moved
        {
            self.update_continuations(self.ply - 1, moved, -malus);
        }
    }

    /// Gives the move that led to this node a bonus: no answer reached alpha. The bonus is greater
    /// the later the move came and the less the evaluations of both sides foresaw the value.
    pub(super) fn reward_previous_move(&mut self, node: &Node, best_value: i32) {
        let previous = *self.stack.before(self.ply, 1);
        let (Some(mv), Some(moved)) = (previous.mv, previous.moved) else { return };
        let Some(piece) = self.position.piece_on(mv.to()) else { return };
        let parameters = &self.parameters;
        if let Some(captured) = self.position.state().captured {
            let bonus = parameters.previous_capture;
            self.histories.update_capture(piece, mv.to(), captured.kind(), bonus);
            return;
        }
        let is_below = |eval: Option<i32>, margin| eval.is_some_and(|e| best_value <= e - margin);
        let mut share = parameters.previous_base + parameters.previous_depth * node.depth.min(9);
        if previous.move_number > 6 {
            share += parameters.previous_late;
        }
        if is_below(node.static_eval, parameters.previous_own_margin) {
            share += parameters.previous_own_eval;
        }
        let their_eval = previous.eval.map(|eval| -eval);
        if is_below(their_eval, parameters.previous_their_margin) {
            share += parameters.previous_their_eval;
        }
        let bonus = self.bonus(node.depth) * share.max(0) / 1024;
        let main = bonus * parameters.previous_main / 1024;
        let pawn = bonus * parameters.previous_pawn / 1024;
        self.update_continuations(self.ply - 1, moved, bonus);
        self.histories.update_main(!self.position.side(), mv, main);
        // After a move of a pawn the entry would belong to other pawns.
        if piece.kind() != PieceKind::Pawn {
            self.histories.update_pawn(previous.keys, moved, pawn);
        }
    }

    /// Updates main and pawn history of the quiet move that led to this node by the change of the
    /// static evaluation, which is `eval` now. The pawn history learns only where the position has
    /// no entry in the transposition table.
    pub(super) fn update_by_eval_change(&mut self, eval: i32, has_entry: bool) {
        let previous = *self.stack.before(self.ply, 1);
        let (Some(mv), Some(moved), Some(before)) = (previous.mv, previous.moved, previous.eval)
        else {
            return;
        };
        if self.position.state().captured.is_some() {
            return;
        }
        let parameters = &self.parameters;
        let limit = parameters.eval_change_limit;
        let change = (-(before + eval)).clamp(-limit, limit) + parameters.eval_change_offset;
        let pawn = change * parameters.eval_change_pawn;
        let main = change * parameters.eval_change_main;
        self.histories.update_main(!self.position.side(), mv, main);
        let kind = self.position.piece_on(mv.to()).map(Piece::kind);
        if !has_entry && kind != Some(PieceKind::Pawn) {
            self.histories.update_pawn(previous.keys, moved, pawn);
        }
    }

    /// Returns the correction inputs of this node.
    #[inline]
    pub(super) fn correction_context(&self) -> CorrectionContext {
        CorrectionContext {
            side: self.position.side(),
            keys: self.stack.before(self.ply, 0).keys,
            pairs: self.move_pairs(),
        }
    }

    /// Updates the correction histories, unless the difference from the static evaluation comes
    /// from a capture or a won game, or the bound does not prove it.
    pub(super) fn update_correction(
        &mut self,
        node: &Node,
        best_value: i32,
        best_move: Option<Move>,
        bound: TtBound,
    ) {
        let Some(eval) = node.static_eval else { return };
        if best_move.is_some_and(|mv| self.position.is_capture(mv))
            || is_decisive(best_value)
            || (bound == TtBound::Lower && best_value <= eval)
            || (bound == TtBound::Upper && best_value >= eval)
        {
            return;
        }
        let depth = node.depth.min(self.parameters.correction_depth_max);
        let correction = self.correction_context();
        self.corrections.update(&correction, best_value - eval, depth);
    }
}
