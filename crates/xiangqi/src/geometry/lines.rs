//! Attacks along files and ranks: rooks, cannons, facing kings.
//!
//! A line is looked up by the occupancy of its inner squares. A rank's inner squares are adjacent
//! bits; a file's are nine bits apart and one multiplication gathers them (the "kindergarten"
//! bitboards of chess programming, fitted to nine files and ten ranks). Both tables together are
//! 14 KiB, so they stay in the first-level cache.

use super::{Bitboard, Square};

/// Attacks along the file and the rank of one square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LineAttacks {
    /// The squares up to and including the first piece each way: a rook's attacks.
    pub rook: Bitboard,
    /// The squares beyond the first piece, up to and including the second: a cannon's attacks.
    pub cannon: Bitboard,
}

/// Attacks on one line: bit `i` is the i-th square of the line.
#[derive(Clone, Copy)]
struct LinePatterns {
    rook: u16,
    cannon: u16,
}

const fn line(len: usize, place: usize, inner: usize) -> LinePatterns {
    let occupied = inner << 1;
    let mut result = LinePatterns { rook: 0, cannon: 0 };
    let mut up = 0;
    while up < 2 {
        let mut seen = 0;
        let mut at = place;
        loop {
            if up == 1 {
                at += 1;
                if at >= len {
                    break;
                }
            } else {
                if at == 0 {
                    break;
                }
                at -= 1;
            }
            if seen == 0 {
                result.rook |= 1 << at;
            } else {
                result.cannon |= 1 << at;
            }
            if occupied >> at & 1 != 0 {
                seen += 1;
                if seen == 2 {
                    break;
                }
            }
        }
        up += 1;
    }
    result
}

static RANK: [[LinePatterns; 128]; 9] = {
    let mut table = [[LinePatterns { rook: 0, cannon: 0 }; 128]; 9];
    let mut place = 0;
    while place < 9 {
        let mut inner = 0;
        while inner < 128 {
            table[place][inner] = line(9, place, inner);
            inner += 1;
        }
        place += 1;
    }
    table
};

static FILE: [[LinePatterns; 256]; 10] = {
    let mut table = [[LinePatterns { rook: 0, cannon: 0 }; 256]; 10];
    let mut place = 0;
    while place < 10 {
        let mut inner = 0;
        while inner < 256 {
            table[place][inner] = line(10, place, inner);
            inner += 1;
        }
        place += 1;
    }
    table
};

/// One bit every nine: the inner squares of a file once shifted down to bit 0.
const FILE_BITS: u64 = 0x8040_2010_0804_0201;
/// Gathers those bits in the top byte, and spreads a byte over them: 9k + 8(7 - k) = 56 + k.
const GATHER: u64 = 0x0101_0101_0101_0101;

#[inline]
fn rank_line(sq: Square, occupied: Bitboard) -> LinePatterns {
    // The inner squares of a rank lie in one half of the bits, since rank 7 begins with bit 63.
    let bits = occupied.bits();
    let half = if sq.rank() < 7 { bits as u64 } else { (bits >> 64) as u64 };
    let inner = half >> ((9 * sq.rank() + 1) & 63);
    RANK[sq.file() as usize][inner as usize & 127]
}

#[inline]
fn file_line(sq: Square, occupied: Bitboard) -> LinePatterns {
    // "& 31" tells the compiler that half of the bits are not needed.
    let inner = (occupied.bits() >> ((9 + sq.file()) & 31)) as u64 & FILE_BITS;
    FILE[sq.rank() as usize][(inner.wrapping_mul(GATHER) >> 56) as usize]
}

#[inline]
fn spread_rank(sq: Square, bits: u16) -> u128 {
    u128::from(bits) << (9 * sq.rank())
}

/// Spreads the ten bits of a file to its squares: the low eight by one multiplication.
#[inline]
fn spread_file(sq: Square, bits: u16) -> u128 {
    let low = u64::from(bits & 0xFF).wrapping_mul(GATHER) & FILE_BITS;
    let high = u64::from(bits & 0x100) | u64::from(bits & 0x200) << 8;
    (u128::from(high) << 64 | u128::from(low)) << (sq.file() & 15)
}

/// Returns the rook and the cannon attacks from a square.
#[inline]
pub fn line_attacks(sq: Square, occupied: Bitboard) -> LineAttacks {
    let (rank, file) = (rank_line(sq, occupied), file_line(sq, occupied));
    LineAttacks {
        rook: Bitboard::from_bits(spread_rank(sq, rank.rook) | spread_file(sq, file.rook)),
        cannon: Bitboard::from_bits(spread_rank(sq, rank.cannon) | spread_file(sq, file.cannon)),
    }
}

/// Returns the attacks of a rook on `sq`: up to and including the first piece each way. A cannon's
/// moves without capture are the empty squares of this set.
#[inline]
pub fn rook_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let (rank, file) = (rank_line(sq, occupied), file_line(sq, occupied));
    Bitboard::from_bits(spread_rank(sq, rank.rook) | spread_file(sq, file.rook))
}

/// Returns the attacks of a cannon on `sq`: beyond the first piece, up to and including the second.
/// A piece placed on an empty square of the set could be captured; intersect with the occupied
/// squares for moves.
#[inline]
pub fn cannon_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    let (rank, file) = (rank_line(sq, occupied), file_line(sq, occupied));
    Bitboard::from_bits(spread_rank(sq, rank.cannon) | spread_file(sq, file.cannon))
}

/// Returns the empty squares a rook or cannon on `sq` can move to.
#[inline]
pub fn quiet_line_moves(sq: Square, occupied: Bitboard) -> Bitboard {
    rook_attacks(sq, occupied) - occupied
}

static LINES: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let sq = Square::from_index(i);
        table[i] = Bitboard::file(sq.file()).or(Bitboard::rank(sq.rank()));
        i += 1;
    }
    table
};

/// Returns the file and the rank through a square, the square itself included.
#[inline]
pub fn lines_of(sq: Square) -> Bitboard {
    LINES[sq.index()]
}

static BETWEEN: [[Bitboard; Square::COUNT]; Square::COUNT] = {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut a = 0;
    while a < Square::COUNT {
        let mut b = a + 1;
        while b < Square::COUNT {
            let (from, to) = (Square::from_index(a), Square::from_index(b));
            let step = if from.file() == to.file() {
                9
            } else if from.rank() == to.rank() {
                1
            } else {
                0
            };
            if step != 0 {
                let mut set = Bitboard::EMPTY;
                let mut at = a + step;
                while at < b {
                    set.insert(Square::from_index(at));
                    at += step;
                }
                table[a][b] = set;
                table[b][a] = set;
            }
            b += 1;
        }
        a += 1;
    }
    table
};

/// Returns the squares strictly between two squares of one line; empty if they share no line.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(sq: Square, occupied: Bitboard) -> LineAttacks {
        let mut result = LineAttacks { rook: Bitboard::EMPTY, cannon: Bitboard::EMPTY };
        for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let (mut at, mut seen) = (sq, 0);
            while let Some(next) = at.offset(df, dr) {
                at = next;
                if seen == 0 {
                    result.rook.insert(at);
                } else {
                    result.cannon.insert(at);
                }
                seen += usize::from(occupied.contains(at));
                if seen == 2 {
                    break;
                }
            }
        }
        result
    }

    #[test]
    fn every_occupancy_of_a_line_agrees_with_a_ray_walk() {
        for sq in Square::all() {
            for pattern in 0..1024_u128 {
                let file: u128 = (0..10).map(|r| (pattern >> r & 1) << (9 * r)).sum();
                let rank = (pattern & 0x1FF) << (9 * sq.rank());
                for set in [file << sq.file(), rank, file << sq.file() | rank] {
                    let occupied = Bitboard::from_bits(set);
                    let expected = walk(sq, occupied);
                    assert_eq!(line_attacks(sq, occupied), expected);
                    assert_eq!(rook_attacks(sq, occupied), expected.rook);
                    assert_eq!(cannon_attacks(sq, occupied), expected.cannon);
                }
            }
        }
    }

    #[test]
    fn between_is_symmetric_and_excludes_its_ends() {
        let (a0, a3, e3) = (Square::from_index(0), Square::from_index(27), Square::from_index(31));
        assert_eq!(between(a0, a3).len(), 2);
        assert_eq!(between(a3, a0), between(a0, a3));
        assert_eq!(between(a3, e3).len(), 3);
        assert!(between(a0, e3).is_empty());
    }
}
