//! Evaluator of one worker: follows the moves and evaluates the current position.

use std::sync::Arc;

use xiangqi::Score;
use xiangqi::board::{Board, MoveDelta, Position};
use xiangqi::geometry::PieceKind;

use super::accumulators::Accumulators;
use super::choice::Evaluation;
use super::{handcrafted, material, piece_square};

/// Maximum value, in centipawns; larger ones are reserved for the search.
pub const LARGEST_EVALUATION: i32 = Score::LARGEST_EVALUATION;

/// Follows the moves and evaluates the current position.
#[derive(Default)]
pub struct Evaluator {
    method: Method,
}

#[derive(Default)]
enum Method {
    Network(Box<Accumulators>),
    #[default]
    HandWritten,
    PieceSquares,
    Material,
}

impl Evaluator {
    /// Creates an evaluator with the hand-written evaluation.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Starts at a new position with this evaluation.
    pub fn reset(&mut self, evaluation: &Evaluation) {
        match (&mut self.method, evaluation) {
            (Method::Network(accumulators), Evaluation::Network(network))
                if Arc::ptr_eq(accumulators.network(), network) =>
            {
                accumulators.reset();
            }
            (method, Evaluation::Network(network)) => {
                *method = Method::Network(Box::new(Accumulators::new(Arc::clone(network))));
            }
            (method, Evaluation::HandWritten) => *method = Method::HandWritten,
            (method, Evaluation::PieceSquares) => *method = Method::PieceSquares,
            (method, Evaluation::Material) => *method = Method::Material,
        }
    }

    /// Follows a move. Null moves are not pushed.
    #[inline]
    pub fn push(&mut self, delta: MoveDelta) {
        if let Method::Network(accumulators) = &mut self.method {
            accumulators.push(delta);
        }
    }

    /// Undoes the last move.
    #[inline]
    pub fn pop(&mut self) {
        if let Method::Network(accumulators) = &mut self.method {
            accumulators.pop();
        }
    }

    /// Returns the value from the mover's view in centipawns, within plus and minus 15000.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let value = match &mut self.method {
            Method::Network(accumulators) => accumulators.evaluate(position.board()),
            Method::HandWritten => handcrafted::evaluate(position),
            Method::PieceSquares => piece_square::evaluate(position),
            Method::Material => material::evaluate(position),
        };
        let value = value.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION);
        if can_win(value, position.board()) { value } else { 0 }
    }
}

/// Returns whether the side favoured by the value has a piece besides its king, advisors and
/// bishops. Without one it could only win by a stalemate that the opponent allows.
#[inline]
fn can_win(value: i32, board: &Board) -> bool {
    let side = if value > 0 { board.side() } else { !board.side() };
    let guards = board.kind(PieceKind::Advisor) | board.kind(PieceKind::Bishop);
    !(board.color(side) - guards - board.kind(PieceKind::King)).is_empty()
}
