//! Indices of the histories: moves as pieces on their target squares, earlier moves, hashes of
//! parts of the position.

use xiangqi::board::{Board, Position};
use xiangqi::geometry::{Color, Piece, PieceKind, Square};

/// A piece on its target square, as an index below [`PIECE_TOS`].
pub(in crate::search) type PieceTo = u16;

/// Number of indices of a colour: only squares where the piece can stand are counted, and the
/// number is rounded up to whole cache lines of `i16`. The tables indexed by pieces and squares are
/// the largest of the search, and most of their cost is that of loading cache lines.
const PIECE_TOS_OF_COLOR: usize = 352;
pub(super) const PIECE_TOS: usize = 2 * PIECE_TOS_OF_COLOR;

static PIECE_TO: [[PieceTo; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[0; Square::COUNT]; Piece::COUNT];
    let mut c = 0;
    while c < Color::ALL.len() {
        let mut next = c * PIECE_TOS_OF_COLOR;
        let mut k = 0;
        while k < PieceKind::ALL.len() {
            let piece = Piece::new(Color::ALL[c], PieceKind::ALL[k]);
            let mut sq = 0;
            while sq < Square::COUNT {
                if piece.domain().contains(Square::from_index(sq)) {
                    table[piece.index()][sq] = next as PieceTo;
                    next += 1;
                }
                sq += 1;
            }
            k += 1;
        }
        assert!(next <= (c + 1) * PIECE_TOS_OF_COLOR);
        c += 1;
    }
    table
};

/// Returns the index of a piece that goes to a square.
#[inline]
pub(in crate::search) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece_tos(piece)[to.index()]
}

/// Returns the indices of a piece, by target square.
#[inline]
pub(super) fn piece_tos(piece: Piece) -> &'static [PieceTo; Square::COUNT] {
    &PIECE_TO[piece.index()]
}

/// Row of the continuation history for an earlier move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct ContinuationRow(u32);

impl ContinuationRow {
    /// Row of a null move, or before the first move. Its entries stay zero.
    pub(in crate::search) const NONE: ContinuationRow =
        ContinuationRow(((ContinuationRow::COUNT - 1) * PIECE_TOS) as u32);
    /// Number of rows, of `PIECE_TOS` entries each.
    pub(in crate::search) const COUNT: usize = 4 * PIECE_TOS + 1;

    /// Returns the row of a move; `in_check` is true if its mover was in check.
    #[inline]
    pub(in crate::search) fn new(
        in_check: bool,
        is_capture: bool,
        moved: PieceTo,
    ) -> ContinuationRow {
        let table = 2 * usize::from(in_check) + usize::from(is_capture);
        ContinuationRow(((table * PIECE_TOS + usize::from(moved)) * PIECE_TOS) as u32)
    }

    #[inline]
    pub(in crate::search) fn index(self, moved: PieceTo) -> usize {
        self.0 as usize + usize::from(moved)
    }
}

impl Default for ContinuationRow {
    fn default() -> ContinuationRow {
        ContinuationRow::NONE
    }
}

/// Hashes of parts of a position, each less than [`PositionKeys::COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::search) struct PositionKeys {
    /// The pawns of both sides.
    pub(in crate::search) pawns: u16,
    /// The pieces of Red and of Black.
    pub(in crate::search) pieces: [u16; 2],
}

impl PositionKeys {
    /// Exclusive upper bound of the keys.
    pub(in crate::search) const COUNT: usize = 1 << 14;

    #[inline]
    pub(in crate::search) fn of(position: &Position) -> PositionKeys {
        let board = position.board();
        let pawns = board.kind(PieceKind::Pawn).bits();
        let red = (board.pieces(Color::Red, PieceKind::Pawn)).bits();
        PositionKeys {
            pawns: mix(pawns, red),
            pieces: Color::ALL.map(|color| piece_key(board, color)),
        }
    }
}

/// Inputs of the order of the quiet moves of a node.
#[derive(Clone, Copy, Default)]
pub(in crate::search) struct MoveOrdering {
    pub(in crate::search) ply: usize,
    pub(in crate::search) keys: PositionKeys,
    /// The rows of the earlier moves in the continuation history.
    pub(in crate::search) previous: [ContinuationRow; MoveOrdering::PREVIOUS.len()],
}

impl MoveOrdering {
    /// Distances of these moves in plies.
    pub(in crate::search) const PREVIOUS: [usize; 5] = [1, 2, 3, 4, 6];
}

#[inline]
fn piece_key(board: &Board, color: Color) -> u16 {
    let of = |kind| board.pieces(color, kind).bits();
    mix(
        of(PieceKind::Rook) ^ of(PieceKind::Knight).rotate_left(37),
        of(PieceKind::Cannon) ^ of(PieceKind::King).rotate_left(37),
    )
}

/// Hashes two sets of squares to less than [`PositionKeys::COUNT`].
#[inline]
fn mix(a: u128, b: u128) -> u16 {
    let fold = |x: u128| (x as u64) ^ ((x >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut z = fold(a).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ fold(b).rotate_left(31);
    z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 29;
    z = z.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (z >> 50) as u16
}

const _: () = assert!(1 << (64 - 50) == PositionKeys::COUNT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_an_index_of_its_own_on_each_square_where_it_can_stand() {
        let mut indices: Vec<PieceTo> = Piece::all()
            .flat_map(|piece| piece.domain().into_iter().map(move |sq| piece_to(piece, sq)))
            .collect();
        assert_eq!(indices.len(), 2 * (55 + 5 + 7 + 3 * 90 + 9));
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), 692);
        assert!(indices.iter().all(|&index| usize::from(index) < PIECE_TOS));
    }

    #[test]
    fn pawns_and_pieces_have_keys_of_their_own() {
        let keys = |fen: &str| match Position::from_fen(fen) {
            Ok(position) => PositionKeys::of(&position),
            Err(error) => panic!("{fen}: {error}"),
        };
        let start = keys("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        let pawn = keys("rnbakabnr/9/1c5c1/p1p1p1p1p/9/P8/2P1P1P1P/1C5C1/9/RNBAKABNR w");
        let cannon = keys("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/C6C1/9/RNBAKABNR w");
        assert_ne!(start.pawns, pawn.pawns);
        assert_eq!(start.pieces, pawn.pieces);
        assert_eq!(start.pawns, cannon.pawns);
        assert_ne!(start.pieces[0], cannon.pieces[0]);
        assert_eq!(start.pieces[1], cannon.pieces[1]);
    }
}
