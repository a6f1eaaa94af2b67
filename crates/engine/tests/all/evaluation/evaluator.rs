//! Values of whole positions, by every evaluation.

use cannonade_engine::nnue::{Evaluation, Evaluator};
use xiangqi::board::Position;

/// The value for Red.
fn value(evaluation: &Evaluation, fen: &str) -> i32 {
    let position = Position::from_fen(fen).expect("a position");
    let mut evaluator = Evaluator::new();
    evaluator.reset(evaluation);
    let value = evaluator.evaluate(&position);
    if fen.contains(" w ") { value } else { -value }
}

#[test]
fn a_side_with_guards_only_never_has_the_better_value() {
    let evaluations = [
        Evaluation::default(),
        Evaluation::HandWritten,
        Evaluation::PieceSquares,
        Evaluation::Material,
    ];
    for evaluation in &evaluations {
        for side in ["w", "b"] {
            let of = |placement| value(evaluation, &format!("{placement} {side} - - 0 1"));
            // Neither side can win.
            assert_eq!(of("4k4/9/9/9/9/9/9/4B4/4A4/4K4"), 0, "{evaluation:?}");
            // A pawn against a full guard, whose material is worth more.
            assert!(of("2bakab2/9/9/9/P8/9/9/9/9/3K5") >= 0, "{evaluation:?}");
            assert!(of("3k5/9/9/9/9/p8/9/9/9/2BAKAB2") <= 0, "{evaluation:?}");
            // A rook against a bare king.
            assert!(of("4k4/9/9/9/9/9/9/9/9/R2K5") > 150, "{evaluation:?}");
        }
    }
}
