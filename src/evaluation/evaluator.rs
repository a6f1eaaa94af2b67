//! The evaluator of one worker: it hears of every move and values the position when asked.

use super::handcrafted;
use crate::board::{MoveDelta, Position};

/// Values beyond this are left to the search.
const LIMIT: i32 = 15_000;

/// See the module.
#[derive(Default)]
pub struct Evaluator {}

impl Evaluator {
    /// An evaluator for the hand-written evaluation.
    pub fn new() -> Evaluator {
        Evaluator {}
    }

    /// Begins anew with this position.
    pub fn reset(&mut self, _position: &Position) {}

    /// Hears of a move.
    #[inline]
    pub fn push(&mut self, _delta: MoveDelta) {}

    /// Forgets the last move.
    #[inline]
    pub fn pop(&mut self) {}

    /// The value from the mover's view in centipawns, within plus and minus 15000.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        handcrafted::evaluate(position).clamp(-LIMIT, LIMIT)
    }
}
