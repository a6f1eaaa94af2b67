//! The evaluator of one worker: it hears of every move and values the position when asked.

use std::sync::Arc;

use super::accumulators::Accumulators;
use super::handcrafted;
use super::network::Network;
use crate::board::{MoveDelta, Position};

/// Values beyond this are left to the search.
const LIMIT: i32 = 15_000;

/// See the module. Without a network the hand-written evaluation is asked.
#[derive(Default)]
pub struct Evaluator {
    accumulators: Option<Box<Accumulators>>,
}

impl Evaluator {
    /// An evaluator without network.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Begins anew, with this network from now on.
    pub fn reset(&mut self, network: Option<&Arc<Network>>) {
        match (&mut self.accumulators, network) {
            (Some(accumulators), Some(network)) if Arc::ptr_eq(accumulators.network(), network) => {
                accumulators.reset();
            }
            (accumulators, network) => {
                *accumulators =
                    network.map(|network| Box::new(Accumulators::new(Arc::clone(network))));
            }
        }
    }

    /// Hears of a move. Null moves are not told.
    #[inline]
    pub fn push(&mut self, delta: MoveDelta) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.push(delta);
        }
    }

    /// Forgets the last move.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(accumulators) = &mut self.accumulators {
            accumulators.pop();
        }
    }

    /// The value from the mover's view in centipawns, within plus and minus 15000.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let value = match &mut self.accumulators {
            Some(accumulators) => accumulators.evaluate(position.board()),
            None => handcrafted::evaluate(position),
        };
        value.clamp(-LIMIT, LIMIT)
    }
}
