//! What a searched node teaches: histories, killers, countermoves, the correction of evaluations.

use arrayvec::ArrayVec;

use super::histories::{PieceTo, piece_to};
use super::picker::Hints;
use super::table::TtBound;
use super::value::is_decisive;
use super::worker::Worker;
use crate::board::Move;

/// Moves that were tried in vain, to be punished when another one cuts.
pub(super) type Tried = ArrayVec<Move, 48>;

impl Worker {
    pub(super) fn bonus(&self, depth: i32) -> i32 {
        (self.parameters.bonus_slope * depth - 60).clamp(0, self.parameters.bonus_max)
    }

    pub(super) fn update_continuations(&mut self, hints: &Hints, moved: PieceTo, bonus: i32) {
        for earlier in hints.earlier {
            self.histories.update_continuation(earlier, moved, bonus);
        }
    }

    pub(super) fn update_quiet(&mut self, mv: Move, hints: &Hints, bonus: i32) {
        let side = self.position.side();
        let Some(piece) = self.position.piece_on(mv.from()) else { return };
        self.histories.update_butterfly(side, mv, bonus);
        self.update_continuations(hints, piece_to(piece, mv.to()), bonus);
    }

    pub(super) fn update_capture(&mut self, mv: Move, bonus: i32) {
        let squares = (self.position.piece_on(mv.from()), self.position.captured(mv));
        if let (Some(piece), Some(captured)) = squares {
            self.histories.update_capture(piece, mv.to(), captured.kind(), bonus);
        }
    }

    /// Step 8: rewards the best move and punishes those tried before it.
    pub(super) fn learn(
        &mut self,
        best: Move,
        depth: i32,
        hints: &Hints,
        quiets: &Tried,
        captures: &Tried,
    ) {
        let bonus = self.bonus(depth);
        if self.position.is_capture(best) {
            self.update_capture(best, bonus);
        } else {
            let killers = &mut self.stack.at(self.ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            self.histories.set_counter(hints.earlier[0], best);
            self.update_quiet(best, hints, bonus);
            for &mv in quiets {
                self.update_quiet(mv, hints, -bonus);
            }
        }
        for &mv in captures {
            self.update_capture(mv, -bonus);
        }
    }

    pub(super) fn reward_quiet(&mut self, mv: Move, depth: i32) {
        let hints = self.hints(false);
        let bonus = self.bonus(depth) / 2;
        self.update_quiet(mv, &hints, bonus);
    }

    /// No move here reached alpha: the quiet move that led here was good.
    pub(super) fn reward_earlier(&mut self, depth: i32) {
        let earlier = self.stack.before(self.ply, 1);
        let (Some(mv), Some(moved)) = (earlier.mv, earlier.moved) else { return };
        if self.position.state().captured.is_some() {
            return;
        }
        let bonus = self.bonus(depth) / 2;
        let before = self.stack.before(self.ply, 2).moved;
        self.histories.update_continuation(before, moved, bonus);
        let side = !self.position.side();
        self.histories.update_butterfly(side, mv, bonus);
    }

    pub(super) fn learn_correction(
        &mut self,
        static_eval: Option<i32>,
        best: i32,
        best_move: Option<Move>,
        bound: TtBound,
        depth: i32,
    ) {
        let Some(eval) = static_eval else { return };
        if best_move.is_some_and(|mv| self.position.is_capture(mv))
            || is_decisive(best)
            || (bound == TtBound::Lower && best <= eval)
            || (bound == TtBound::Upper && best >= eval)
        {
            return;
        }
        let earlier = self.stack.before(self.ply, 1).moved;
        self.histories.update_correction(&self.position, earlier, best - eval, depth.min(16));
    }
}
