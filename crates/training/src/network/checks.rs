//! Checks that a network must pass before it plays a match.

use std::fmt;
use std::sync::Arc;

use cannonade_engine::nnue::{Accumulators, LOGIT, Network};
use xiangqi::board::{Board, Position};
use xiangqi::geometry::{Color, PieceKind};

use super::model::Model;
use crate::data::Sample;

/// The maximum value of the starting position for the side to move, in centipawns.
const START: i32 = 60;

/// The minimum value of a rook, in centipawns: three pawns.
const ROOK: i32 = 300;

/// The maximum root mean square of the differences between the integer and the floating-point
/// network, in centipawns. Networks with threats have 2.5, since each of about 50 inputs is
/// rounded. A rare overflow shows too: one value in 10,000 that is wrong by 400 makes 4.
const ROUNDING: f64 = 4.0;

/// One check and its result.
#[derive(Clone, Debug)]
pub struct NetworkCheck {
    /// The requirement.
    pub name: &'static str,
    /// The measured value.
    pub found: String,
    /// True if the requirement is met.
    pub passed: bool,
}

impl fmt::Display for NetworkCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passed { "pass" } else { "FAIL" };
        write!(f, "{verdict}  {}: {}", self.name, self.found)
    }
}

/// Checks values of a network.
pub fn check_values(network: &Arc<Network>) -> Vec<NetworkCheck> {
    let mut accumulators = Accumulators::new(Arc::clone(network));
    let mut value = |board: &Board| {
        accumulators.reset();
        accumulators.evaluate(board)
    };
    let start = Position::startpos();
    let even = value(start.board());
    let mut gates = vec![NetworkCheck {
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
            gates.push(NetworkCheck {
                name: "a rook is worth more than three pawns",
                found: format!("{even} cp falls by {lost} without the {side} rook {sq}"),
                passed: lost > ROOK,
            });
        }
    }
    gates
}

/// Compares integers with floating point on samples.
pub fn check_rounding(model: &Model, network: &Arc<Network>, samples: &[Sample]) -> NetworkCheck {
    let mut accumulators = Accumulators::new(Arc::clone(network));
    let mut worst = 0.0f64;
    let mut squares = 0.0f64;
    let mut count = 0u32;
    for sample in samples {
        let Some(board) = sample.board.unpack() else { continue };
        accumulators.reset();
        let exact = f64::from(model.logit(&sample.board)) * f64::from(LOGIT);
        // A difference of some centipawns does not matter in decided positions.
        if exact.abs() < 2000.0 {
            let difference = (exact - f64::from(accumulators.evaluate(&board))).abs();
            worst = worst.max(difference);
            squares += difference * difference;
            count += 1;
        }
    }
    let typical = (squares / f64::from(count.max(1))).sqrt();
    NetworkCheck {
        name: "integers agree with floating point",
        found: format!(
            "within {typical:.1} cp as root mean square, {worst:.1} cp at most, on {count} positions"
        ),
        passed: count > 0 && typical <= ROUNDING,
    }
}
