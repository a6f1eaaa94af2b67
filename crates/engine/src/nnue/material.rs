//! Material only: the baseline of all other evaluations.

use xiangqi::board::{Position, SEE_VALUE};
use xiangqi::geometry::{Color, PieceKind};

/// Returns the material balance from the mover's view, in centipawns.
pub(super) fn evaluate(position: &Position) -> i32 {
    let count = |color, kind| position.board().pieces(color, kind).len() as i32;
    let red: i32 = (PieceKind::ALL.into_iter())
        .map(|kind| SEE_VALUE[kind.index()] * (count(Color::Red, kind) - count(Color::Black, kind)))
        .sum();
    if position.side() == Color::Red { red } else { -red }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_is_the_difference_of_material() {
        let value = |fen| evaluate(&Position::from_fen(fen).expect("a position"));
        assert_eq!(evaluate(&Position::startpos()), 0);
        assert_eq!(value("4k4/9/9/9/9/4r4/9/9/4N4/3K5 w"), 420 - 950);
        assert_eq!(value("4k4/9/9/9/9/4r4/9/9/4N4/3K5 b"), 950 - 420);
        assert_eq!(value("r3k4/9/9/9/9/9/9/9/4N4/3K5 b"), 950 - 420);
    }
}
