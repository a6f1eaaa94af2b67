//! A board in 28 bytes and a training sample in 32.

use bytemuck::{Pod, Zeroable};
use xiangqi::board::Board;
use xiangqi::geometry::{Bitboard, Color, Piece, Square};

/// The maximum number of pieces on a board: 16 a side.
pub const MAX_PIECES: usize = 32;

/// Bit 95 of the occupancy: Black is to move.
const BLACK_TO_MOVE: u32 = 1 << 31;

/// A board with its side to move: the occupied squares in the low 90 bits of three words, the side
/// in the top bit, then four bits per piece ([`Piece::index`]) in the order of the squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct PackedBoard {
    occupied: [u32; 3],
    pieces: [u8; MAX_PIECES / 2],
}

const _: () = assert!(size_of::<PackedBoard>() == 28);

impl PackedBoard {
    /// Packs a board. With `relative` it is seen from the side to move, which plays up the board as
    /// Red does, so that positions with colours exchanged give the same bytes.
    pub fn pack(board: &Board, relative: bool) -> PackedBoard {
        let turned = relative && board.side() == Color::Black;
        let mut bits = 0u128;
        let mut pieces = [0u8; MAX_PIECES / 2];
        let mut count = 0;
        for sq in Square::all() {
            let from = if turned { sq.flip() } else { sq };
            let Some(piece) = board.piece_on(from).filter(|_| count < MAX_PIECES) else { continue };
            let color = if turned { !piece.color() } else { piece.color() };
            let code = Piece::new(color, piece.kind()).index() as u8;
            pieces[count / 2] |= code << (4 * (count % 2));
            bits |= 1 << sq.index();
            count += 1;
        }
        let mut occupied = [bits as u32, (bits >> 32) as u32, (bits >> 64) as u32];
        if board.side() == Color::Black && !relative {
            occupied[2] |= BLACK_TO_MOVE;
        }
        PackedBoard { occupied, pieces }
    }

    /// Returns the occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        let [low, middle, high] = self.occupied.map(u128::from);
        Bitboard::from_bits(low | middle << 32 | high << 64)
    }

    /// Returns the side to move.
    pub fn side(&self) -> Color {
        if self.occupied[2] & BLACK_TO_MOVE == 0 { Color::Red } else { Color::Black }
    }

    /// Returns the pieces as (index of [`Piece::index`], square), in the order of the squares.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut bits = self.occupied().bits();
        (0..MAX_PIECES).map_while(move |i| {
            if bits == 0 {
                return None;
            }
            let sq = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            Some((usize::from(self.pieces[i / 2] >> (4 * (i % 2)) & 15), sq))
        })
    }

    /// Returns the board; `None` if the bytes are not those of [`PackedBoard::pack`]. Does not
    /// check that the position is legal.
    pub fn unpack(&self) -> Option<Board> {
        if self.occupied().len() > MAX_PIECES {
            return None;
        }
        let all: Vec<Piece> = Piece::all().collect();
        let mut board = Board::empty();
        for (piece, sq) in self.pieces() {
            board.put(*all.get(piece)?, Square::from_index(sq));
        }
        board.set_side(self.side());
        // Bits without a meaning would make a duplicate of a game another one.
        (PackedBoard::pack(&board, false) == *self).then_some(board)
    }

    /// Returns whether each piece stands where it can and no kind has more pieces than it can have.
    pub fn is_possible(&self) -> bool {
        self.unpack().is_some_and(|board| {
            Piece::all().all(|piece| {
                let squares = board.pieces(piece.color(), piece.kind());
                (squares - piece.domain()).is_empty() && squares.len() <= piece.kind().most()
            })
        })
    }

    /// Returns a hash of the board, to find duplicates.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325u64;
        let words: &[u32] = bytemuck::cast_slice(std::slice::from_ref(self));
        for &word in words {
            hash = (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 29;
        }
        hash
    }
}

/// A sample for the trainer: a board seen from the side to move, a score, a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Sample {
    /// The board, relative to the side to move, which plays up the board.
    pub board: PackedBoard,
    /// Score of the search in centipawns for the side to move.
    pub score: i16,
    /// Result of the game for the side to move in half points: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// Ply of the game, at most 255.
    pub ply: u8,
}

const _: () = assert!(size_of::<Sample>() == 32);
