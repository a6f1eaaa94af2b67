//! Values of the pieces of a position, drawn as a board.

use std::fmt::Write as _;

use xiangqi::board::{Board, Position};
use xiangqi::geometry::{Piece, PieceKind, Square};

use super::choice::Evaluation;
use super::evaluator::Evaluator;

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
