//! Zobrist keys of books of other programs: numbers of the pieces on the bytes of their squares.

use std::ops::BitXor;

use xiangqi::board::Board;
use xiangqi::geometry::{Color, PieceKind};

use super::square_byte::byte;

/// The number of pieces, by kind and side.
pub(super) const PIECES: usize = 14;

/// Numbers of the keys.
pub(super) struct PieceNumbers<N> {
    /// 256 for each piece, by the byte of its square.
    pub(super) pieces: Vec<N>,
    /// For the side to move.
    pub(super) side: N,
}

/// The conventions of the keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KeyOrder {
    /// The order of the pieces of a side.
    pub(super) kinds: [PieceKind; PIECES / 2],
    /// The side whose pieces come first.
    pub(super) first: Color,
    /// The side whose turn has a number.
    pub(super) mover: Color,
}

impl<N: BitXor<Output = N> + Copy + Default> PieceNumbers<N> {
    /// Returns the key of a board or of its mirror image.
    pub(super) fn key(&self, order: &KeyOrder, board: &Board, mirrored: bool) -> N {
        let mut key = if board.side() == order.mover { self.side } else { N::default() };
        let sides = [order.first, !order.first];
        let pieces = sides.into_iter().flat_map(|side| order.kinds.map(|kind| (side, kind)));
        for (index, (side, kind)) in pieces.enumerate() {
            for square in board.pieces(side, kind) {
                let square = if mirrored { square.mirror() } else { square };
                let number = self.pieces.get(256 * index + byte(square));
                key = key ^ number.copied().unwrap_or_default();
            }
        }
        key
    }
}
