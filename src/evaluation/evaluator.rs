//! The evaluator of one worker: it hears of every move and values the position when asked.

use std::sync::Arc;

use super::accumulators::Accumulators;
use super::choice::Evaluation;
use super::{handcrafted, material};
use crate::board::{MoveDelta, Position};

/// Values beyond this are left to the search.
const LIMIT: i32 = 15_000;

/// See the module.
#[derive(Default)]
pub struct Evaluator {
    way: Way,
}

#[derive(Default)]
enum Way {
    Network(Box<Accumulators>),
    #[default]
    HandWritten,
    Material,
}

impl Evaluator {
    /// An evaluator that uses the hand-written evaluation.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Begins anew, with this evaluation from now on.
    pub fn reset(&mut self, evaluation: &Evaluation) {
        match (&mut self.way, evaluation) {
            (Way::Network(accumulators), Evaluation::Network(network))
                if Arc::ptr_eq(accumulators.network(), network) =>
            {
                accumulators.reset();
            }
            (way, Evaluation::Network(network)) => {
                *way = Way::Network(Box::new(Accumulators::new(Arc::clone(network))));
            }
            (way, Evaluation::HandWritten) => *way = Way::HandWritten,
            (way, Evaluation::Material) => *way = Way::Material,
        }
    }

    /// Hears of a move. Null moves are not told.
    #[inline]
    pub fn push(&mut self, delta: MoveDelta) {
        if let Way::Network(accumulators) = &mut self.way {
            accumulators.push(delta);
        }
    }

    /// Forgets the last move.
    #[inline]
    pub fn pop(&mut self) {
        if let Way::Network(accumulators) = &mut self.way {
            accumulators.pop();
        }
    }

    /// The value from the mover's view in centipawns, within plus and minus 15000.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let value = match &mut self.way {
            Way::Network(accumulators) => accumulators.evaluate(position.board()),
            Way::HandWritten => handcrafted::evaluate(position),
            Way::Material => material::evaluate(position),
        };
        value.clamp(-LIMIT, LIMIT)
    }
}
