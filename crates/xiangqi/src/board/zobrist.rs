//! Zobrist keys: one random number a piece and square, and one for the side to move, xored.
//! (A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.)

use crate::geometry::{Piece, Square};

/// Returns the next output of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014) after a state.
const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

static PIECES: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut keys = [[0; Square::COUNT]; Piece::COUNT];
    let mut p = 0;
    while p < Piece::COUNT {
        let mut s = 0;
        while s < Square::COUNT {
            keys[p][s] = split_mix((1 + p * Square::COUNT + s) as u64);
            s += 1;
        }
        p += 1;
    }
    keys
};

/// The key of Black to move.
pub(super) const SIDE: u64 = split_mix(0x00C4_2200);

#[inline]
pub(super) fn piece_key(piece: Piece, sq: Square) -> u64 {
    PIECES[piece.index()][sq.index()]
}
