//! The evaluations that a user can choose, and the evaluator of one worker, which follows the moves
//! and evaluates the current position.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use xiangqi::Score;
use xiangqi::board::{Board, MoveDelta, Position};
use xiangqi::geometry::{Piece, PieceKind, Square};

use super::accumulator::Accumulators;
use super::file::{NetworkError, default_network};
use super::forward::Network;
use super::handcrafted::{evaluate_handcrafted, evaluate_material, evaluate_piece_squares};

/// An evaluation selectable by the user.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Network evaluation.
    Network(Arc<Network>),
    /// Hand-written evaluation: piece-square tables, mobility and king safety.
    HandWritten,
    /// The value of each piece on its square.
    PieceSquares,
    /// Material only: the weakest opponent that still sees captures.
    Material,
}

impl Evaluation {
    /// Finds an evaluation by name: `none` is the hand-written one, `material` counts material, and
    /// any other name is the path of a network, see [`Network::find`].
    ///
    /// # Errors
    /// If the network cannot be found, read or used.
    pub fn find(name: &Path) -> Result<Evaluation, NetworkError> {
        if name.as_os_str().eq_ignore_ascii_case("none") {
            Ok(Evaluation::HandWritten)
        } else if name.as_os_str().eq_ignore_ascii_case("material") {
            Ok(Evaluation::Material)
        } else {
            Ok(Evaluation::Network(Arc::new(Network::find(name)?)))
        }
    }
}

impl Default for Evaluation {
    /// Returns the built-in network.
    fn default() -> Evaluation {
        Evaluation::Network(default_network())
    }
}

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
            Method::HandWritten => evaluate_handcrafted(position),
            Method::PieceSquares => evaluate_piece_squares(position),
            Method::Material => evaluate_material(position),
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

/// Returns the evaluation of a position without a search, in centipawns from the mover's view.
pub fn static_value(position: &Position, evaluation: &Evaluation) -> i32 {
    let mut evaluator = Evaluator::new();
    evaluator.reset(evaluation);
    evaluator.evaluate(position)
}

/// Draws the board with the value of each piece: the loss of evaluation without it, in centipawns
/// from its owner's view. Kings have no value, nor has a piece without which the position would not
/// be valid. Ranks are counted from `first_rank`.
pub fn piece_values(position: &Position, evaluation: &Evaluation, first_rank: u8) -> String {
    let mut evaluator = Evaluator::new();
    let mut value = |position: &Position| {
        evaluator.reset(evaluation);
        evaluator.evaluate(position)
    };
    let whole = value(position);
    let mut without = |sq: Square| {
        let piece = position.piece_on(sq).filter(|piece| piece.kind() != PieceKind::King)?;
        let mut board: Board = position.board().clone();
        board.take(sq);
        let lost = whole - value(&Position::from_board(board, 0).ok()?);
        Some(if piece.color() == position.side() { lost } else { -lost })
    };
    let mut text = String::new();
    for rank in (0..Square::RANKS).rev() {
        let squares = || (0..Square::FILES).filter_map(|file| Square::new(file, rank));
        let _ = write!(text, "{:<2}", rank + first_rank);
        for sq in squares() {
            let letter = position.piece_on(sq).map_or('.', Piece::letter);
            let _ = write!(text, "{letter:>6}");
        }
        text.push_str("\n  ");
        for sq in squares() {
            let value = without(sq).map(|value| format!("{value:+}")).unwrap_or_default();
            let _ = write!(text, "{value:>6}");
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in 'a'..='i' {
        let _ = write!(text, "{file:>6}");
    }
    text.push('\n');
    text
}
