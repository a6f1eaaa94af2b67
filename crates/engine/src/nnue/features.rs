//! The inputs of the network.
//!
//! The network has two views of a board, one of each side. A view has 1260 inputs, one for each
//! kind of piece on each square: 7 planes of 90 squares for the viewer's own pieces, then 7 for the
//! opponent's. An input is 1 if that piece stands on that square, else 0. In Black's view the board
//! is flipped, so that both sides see themselves at the bottom.

use xiangqi::geometry::{Color, Piece, PieceKind, Square};

/// The number of inputs of a view.
pub const FEATURES: usize = Piece::COUNT * Square::COUNT;

/// Maximum number of inputs of a view that are 1: each side has 16 pieces.
const MAX_ACTIVE: usize = 32;

const KINDS: usize = PieceKind::ALL.len();

/// Returns the index of a piece on a square in the view of a side.
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

/// Returns the index of the same piece on the board mirrored left to right.
#[inline]
pub const fn mirrored(feature: usize) -> usize {
    let (plane, sq) = (feature / Square::COUNT, Square::from_index(feature % Square::COUNT));
    plane * Square::COUNT + sq.mirror().index()
}

/// Returns the output bucket of a position with this many pieces: the buckets divide the range from
/// 1 to 32 evenly.
#[inline]
pub const fn bucket(pieces: usize, buckets: usize) -> usize {
    let eighth = (pieces.saturating_sub(1)) / (MAX_ACTIVE / 8);
    let eighth = if eighth < 8 { eighth } else { 7 };
    eighth * buckets / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_views_and_mirrors_of_an_input_agree() {
        for piece in Piece::all() {
            for sq in Square::all() {
                let red = feature(Color::Red, piece, sq);
                let black = feature(Color::Black, piece, sq);
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
