//! What a network must show before it may play a match.

use std::fmt;
use std::sync::Arc;

use super::model::Model;
use super::packed::Sample;
use crate::board::{Board, Position};
use crate::evaluation::{Accumulators, LOGIT, Network};
use crate::geometry::{Color, PieceKind};

/// The starting position may be worth at most so much to the mover, in centipawns.
const START: i32 = 60;

/// A rook must be worth at least so much: three pawns.
const ROOK: i32 = 300;

/// The integers may differ from the floating-point values by at most so much.
const ROUNDING: f32 = 5.0;

/// One requirement and how far it is met.
#[derive(Clone, Debug)]
pub struct Gate {
    /// What is asked.
    pub name: &'static str,
    /// What was found.
    pub found: String,
    /// Whether it is enough.
    pub passed: bool,
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed { "pass" } else { "FAIL" };
        write!(f, "{verdict}  {}: {}", self.name, self.found)
    }
}

/// Checks values of a network.
pub fn check_values(network: &Arc<Network>) -> Vec<Gate> {
    let mut accumulators = Accumulators::new(Arc::clone(network));
    let mut value = |board: &Board| {
        accumulators.reset();
        accumulators.evaluate(board)
    };
    let start = Position::startpos();
    let even = value(start.board());
    let mut gates = vec![Gate {
        name: "the starting position is nearly even",
        found: format!("{even} cp"),
        passed: even.abs() <= START,
    }];
    for side in Color::ALL {
        for sq in start.board().pieces(side, PieceKind::Rook) {
            let mut board = start.board().clone();
            board.take(sq);
            board.set_side(side);
            let lost = even - value(&board);
            gates.push(Gate {
                name: "a rook is worth more than three pawns",
                found: format!("without {side}'s on {sq} {lost} cp less"),
                passed: lost > ROOK,
            });
        }
    }
    gates
}

/// Compares integers with floating point on samples.
pub fn check_rounding(model: &Model, network: &Arc<Network>, samples: &[Sample]) -> Gate {
    let mut accumulators = Accumulators::new(Arc::clone(network));
    let mut worst = 0.0f32;
    let mut count = 0u32;
    for sample in samples {
        let Some(board) = sample.board.unpack() else { continue };
        accumulators.reset();
        let exact = model.logit(&sample.board) * LOGIT as f32;
        // Far beyond what a search keeps as a score, a centipawn more or less is nothing.
        if exact.abs() < 2000.0 {
            worst = worst.max((exact - accumulators.evaluate(&board) as f32).abs());
            count += 1;
        }
    }
    Gate {
        name: "integers agree with floating point",
        found: format!("within {worst:.1} cp on {count} positions"),
        passed: worst <= ROUNDING,
    }
}
