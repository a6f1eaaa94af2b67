//! The static evaluation of a node.

use crate::search::memory::entry::TtEntry;
use crate::search::value::{EVALUATION_LIMIT, is_decisive};
use crate::search::worker::Worker;

/// The static evaluation of a node in its three forms, in centipawns from the mover's view.
#[derive(Clone, Copy)]
pub(super) struct StaticEval {
    /// The result of the evaluator; the transposition table stores this one.
    pub(super) raw: i32,
    /// With the correction histories added.
    pub(super) corrected: i32,
    /// The value of the table's entry if it is known to be nearer to the true value, else the same
    /// as `corrected`.
    pub(super) refined: i32,
}

impl Worker {
    /// Evaluates the position, which must not be in check.
    #[inline(always)]
    pub(super) fn static_eval(&mut self, entry: Option<TtEntry>) -> StaticEval {
        let raw = entry
            .and_then(|entry| entry.eval)
            .unwrap_or_else(|| self.evaluator.evaluate(&self.position));
        let corrected = self.corrected(raw);
        let refined = match entry {
            Some(entry) if entry.decides(corrected + 1) && !is_decisive(entry.value) => entry.value,
            _ => corrected,
        };
        StaticEval { raw, corrected, refined }
    }

    /// The evaluation plus the correction histories, kept out of the bands of won games.
    fn corrected(&self, raw: i32) -> i32 {
        let correction = self.corrections.correction(&self.correction_context(), &self.parameters);
        let value = raw + correction;
        value.clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1)
    }

    /// The value of a node at the greatest ply: it is evaluated, or called equal in check.
    #[cold]
    pub(super) fn value_at_max_ply(&mut self) -> i32 {
        if self.position.in_check() { 0 } else { self.evaluator.evaluate(&self.position) }
    }

    /// Hindsight: by how many plies to change the depth of a node whose move was reduced. It is
    /// searched deeper if that move did not make things worse for its side, less deep if both
    /// sides are content.
    #[inline(always)]
    pub(super) fn hindsight(&self, depth: i32) -> i32 {
        let parameters = &self.parameters;
        let previous = self.stack.before(self.ply, 1);
        let (Some(now), Some(before)) = (self.stack.before(self.ply, 0).eval, previous.eval) else {
            return 0;
        };
        let sum = now + before;
        if previous.reduction >= parameters.hindsight_deeper && sum <= 0 {
            1
        } else if previous.reduction >= parameters.hindsight_shallower
            && depth >= 2
            && sum > parameters.hindsight_margin
        {
            -1
        } else {
            0
        }
    }

    /// Whether the static evaluation is better than two plies before, or four if the mover was in
    /// check then.
    pub(super) fn is_improving(&self) -> bool {
        let now = self.stack.before(self.ply, 0).eval;
        let before = self.stack.before(self.ply, 2).eval.or(self.stack.before(self.ply, 4).eval);
        match (now, before) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}
