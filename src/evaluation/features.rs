//! What the network sees: for each side's view, which piece stands where.
//!
//! A view has 1260 inputs, 14 planes of 90 squares: the viewer's seven kinds of piece, then the
//! opponent's. The viewer plays up the board: Black's view is flipped.

use crate::board::Board;
use crate::geometry::{Color, Piece, PieceKind, Square};

/// Inputs of a view.
pub const FEATURES: usize = Piece::COUNT * Square::COUNT;

/// The most inputs of a view that are on at once: 16 pieces a side.
pub const MAX_ACTIVE: usize = 32;

const KINDS: usize = PieceKind::ALL.len();

/// The input of a piece on a square in the view of a colour.
#[inline]
pub const fn feature(view: Color, piece: Piece, sq: Square) -> usize {
    let plane = piece.index();
    match view {
        Color::Red => plane * Square::COUNT + sq.index(),
        Color::Black => {
            let plane = if plane < KINDS { plane + KINDS } else { plane - KINDS };
            plane * Square::COUNT + sq.flip().index()
        }
    }
}

/// The same input in the opponent's view.
#[inline]
pub const fn opposite(feature: usize) -> usize {
    let (plane, sq) = (feature / Square::COUNT, Square::from_index(feature % Square::COUNT));
    (plane + KINDS) % Piece::COUNT * Square::COUNT + sq.flip().index()
}

/// The same input on the board mirrored left to right.
#[inline]
pub const fn mirrored(feature: usize) -> usize {
    let (plane, sq) = (feature / Square::COUNT, Square::from_index(feature % Square::COUNT));
    plane * Square::COUNT + sq.mirror().index()
}

/// The output bucket of a position with so many pieces.
#[inline]
pub const fn bucket(pieces: usize, buckets: usize) -> usize {
    let eighth = (pieces.saturating_sub(1)) / (MAX_ACTIVE / 8);
    let eighth = if eighth < 8 { eighth } else { 7 };
    eighth * buckets / 8
}

/// Shows each input of a view that is on.
#[inline]
pub(super) fn each_feature(board: &Board, view: Color, mut visit: impl FnMut(usize)) {
    for sq in board.occupied() {
        if let Some(piece) = board.piece_on(sq) {
            visit(feature(view, piece, sq));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_views_and_mirrors_of_an_input_agree() {
        for piece in Piece::all() {
            for sq in Square::all() {
                let red = feature(Color::Red, piece, sq);
                let black = feature(Color::Black, piece, sq);
                assert_eq!(opposite(red), black);
                assert_eq!(opposite(black), red);
                assert_eq!(mirrored(red), feature(Color::Red, piece, sq.mirror()));
                let exchanged = Piece::new(!piece.color(), piece.kind());
                assert_eq!(black, feature(Color::Red, exchanged, sq.flip()));
            }
        }
    }

    #[test]
    fn every_number_of_pieces_has_a_bucket() {
        for buckets in [1, 8] {
            assert_eq!(bucket(2, buckets), 0);
            assert_eq!(bucket(32, buckets), buckets - 1);
        }
    }
}
