//! Attacks of the pieces that do not slide. Tables are made at compile time.
//!
//! Knights and bishops can be blocked: a knight by the square beside it (the leg), a bishop by
//! the square between (the eye). Four occupancy bits decide, so each square has sixteen sets.

use super::{Bitboard, Color, Square};

/// The four neighbours of a square in the order of the bits of a leg index.
const ORTHOGONAL: [(i8, i8); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
/// The four diagonal neighbours in the order of the bits of a diagonal index.
const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

const fn bit(sq: Square, files: i8, ranks: i8) -> u128 {
    match sq.offset(files, ranks) {
        Some(to) => 1 << to.index(),
        None => 0,
    }
}

type AttackTable = [Bitboard; Square::COUNT];
type BlockedTable = [[Bitboard; 16]; Square::COUNT];

/// A table with an entry for each square; the expression is that of the square `$sq`.
macro_rules! by_square {
    ($sq:ident => $entry:expr; first $first:expr) => {{
        let mut table = [$first; Square::COUNT];
        let mut i = 0;
        while i < Square::COUNT {
            let $sq = Square::from_index(i);
            table[i] = $entry;
            i += 1;
        }
        table
    }};
}

/// Returns the squares one of these steps from `sq`, within a zone; none if `sq` lies outside of
/// it.
const fn steps<const N: usize>(sq: Square, steps: [(i8, i8); N], zone: Bitboard) -> Bitboard {
    let mut bits = 0;
    let mut i = 0;
    while zone.contains(sq) && i < N {
        bits |= bit(sq, steps[i].0, steps[i].1);
        i += 1;
    }
    Bitboard::from_bits(bits & zone.bits())
}

/// Returns the jumps in the open directions, by the set of blocked ones as four bits.
const fn jumps_unless_blocked(jumps: [Bitboard; 4]) -> [Bitboard; 16] {
    let mut sets = [Bitboard::EMPTY; 16];
    let mut blocked = 0;
    while blocked < 16 {
        let mut bits = 0;
        let mut d = 0;
        while d < 4 {
            if blocked >> d & 1 == 0 {
                bits |= jumps[d].bits();
            }
            d += 1;
        }
        sets[blocked] = Bitboard::from_bits(bits);
        blocked += 1;
    }
    sets
}

/// The value of an expression in each of four directions from a square.
macro_rules! by_direction {
    ($directions:ident, ($df:ident, $dr:ident) => $jumps:expr) => {{
        let mut sets = [Bitboard::EMPTY; 4];
        let mut d = 0;
        while d < 4 {
            let ($df, $dr) = $directions[d];
            sets[d] = $jumps;
            d += 1;
        }
        sets
    }};
}

/// Returns the palace in the half of the board where the square is.
const fn palace(sq: Square) -> Bitboard {
    if sq.rank() < 5 { Bitboard::RED_PALACE } else { Bitboard::BLACK_PALACE }
}

const KING: AttackTable =
    by_square!(sq => steps(sq, ORTHOGONAL, palace(sq)); first Bitboard::EMPTY);

const ADVISOR: AttackTable = by_square!(sq => {
    let points = if sq.rank() < 5 { Bitboard::RED_ADVISOR } else { Bitboard::BLACK_ADVISOR };
    steps(sq, DIAGONAL, points)
}; first Bitboard::EMPTY);

/// Returns the steps of a pawn of the colour.
const fn pawn_steps(color: Color, sq: Square) -> Bitboard {
    let forward = (0, color.forward());
    if color.home().contains(sq) {
        steps(sq, [forward], Bitboard::ALL)
    } else {
        steps(sq, [forward, (-1, 0), (1, 0)], Bitboard::ALL)
    }
}

/// Steps of a pawn, by colour and square.
const PAWN: [AttackTable; 2] = [
    by_square!(sq => pawn_steps(Color::Red, sq); first Bitboard::EMPTY),
    by_square!(sq => pawn_steps(Color::Black, sq); first Bitboard::EMPTY),
];

/// Returns, for each square, the squares whose attacks contain it.
const fn inverse(attacks: &AttackTable) -> AttackTable {
    by_square!(to => {
        let mut set = Bitboard::EMPTY;
        let mut from = 0;
        while from < Square::COUNT {
            if attacks[from].contains(to) {
                set.insert(Square::from_index(from));
            }
            from += 1;
        }
        set
    }; first Bitboard::EMPTY)
}

/// Squares of pawns that attack a square, by colour and square.
const PAWN_FROM: [AttackTable; 2] = [inverse(&PAWN[0]), inverse(&PAWN[1])];

static KNIGHT: BlockedTable = by_square!(sq => {
    // Two steps in the direction of the leg, and one to either side.
    jumps_unless_blocked(by_direction!(ORTHOGONAL, (df, dr) => {
        steps(sq, [(2 * df + dr, 2 * dr + df), (2 * df - dr, 2 * dr - df)], Bitboard::ALL)
    }))
}; first [Bitboard::EMPTY; 16]);

/// Squares from which a knight attacks, indexed by the occupied diagonal neighbours of the
/// target: the leg of such a knight is one of them.
static KNIGHT_FROM: BlockedTable = by_square!(sq => {
    jumps_unless_blocked(by_direction!(DIAGONAL, (df, dr) => {
        steps(sq, [(2 * df, dr), (df, 2 * dr)], Bitboard::ALL)
    }))
}; first [Bitboard::EMPTY; 16]);

static BISHOP: BlockedTable = by_square!(sq => {
    let half = if sq.rank() < 5 { Bitboard::RED_HALF } else { Bitboard::BLACK_HALF };
    jumps_unless_blocked(by_direction!(DIAGONAL, (df, dr) => {
        steps(sq, [(2 * df, 2 * dr)], half)
    }))
}; first [Bitboard::EMPTY; 16]);

/// Returns the occupancy of the four neighbours of `sq`, in the order of [`ORTHOGONAL`]. Bits that
/// wrap round the edge of the board are harmless: the tables have no target beyond the edge.
#[inline]
fn leg_index(sq: Square, occupied: Bitboard) -> usize {
    let near = ((occupied.bits() << 9) >> sq.index()) as u32;
    ((near & 1) | (near >> 7 & 2) | (near >> 8 & 4) | (near >> 15 & 8)) as usize
}

/// Returns the occupancy of the four diagonal neighbours of `sq`, in the order of [`DIAGONAL`].
#[inline]
fn diagonal_index(sq: Square, occupied: Bitboard) -> usize {
    let near = ((occupied.bits() << 10) >> sq.index()) as u32;
    ((near & 1) | (near >> 1 & 2) | (near >> 16 & 4) | (near >> 17 & 8)) as usize
}

/// Returns the steps of a king on `sq`, inside its palace.
#[inline]
pub fn king_attacks(sq: Square) -> Bitboard {
    KING[sq.index()]
}

/// Returns the steps of an advisor on `sq`. The relation is symmetric: they are also the squares of
/// advisors that attack `sq`.
#[inline]
pub fn advisor_attacks(sq: Square) -> Bitboard {
    ADVISOR[sq.index()]
}

/// Returns the steps of a pawn of `color` on `sq`.
#[inline]
pub fn pawn_attacks(color: Color, sq: Square) -> Bitboard {
    PAWN[color.index()][sq.index()]
}

/// Returns the squares from which a pawn of `color` attacks `sq`.
#[inline]
pub fn pawn_attackers(color: Color, sq: Square) -> Bitboard {
    PAWN_FROM[color.index()][sq.index()]
}

/// Returns the jumps of a knight on `sq` whose legs are not in `occupied`.
#[inline]
pub fn knight_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT[sq.index()][leg_index(sq, occupied)]
}

/// Returns the squares from which a knight attacks `sq`. They differ from [`knight_attacks`], since
/// the leg is beside the knight and not beside its target.
#[inline]
pub fn knight_attackers(sq: Square, occupied: Bitboard) -> Bitboard {
    KNIGHT_FROM[sq.index()][diagonal_index(sq, occupied)]
}

/// Returns the jumps of a bishop on `sq` whose eyes are not in `occupied`. The relation is
/// symmetric: they are also the squares of bishops that attack `sq`.
#[inline]
pub fn bishop_attacks(sq: Square, occupied: Bitboard) -> Bitboard {
    BISHOP[sq.index()][diagonal_index(sq, occupied)]
}

/// Returns the leg of a knight on `from` that jumps to `to`, which must be a knight's jump away.
#[inline]
pub fn knight_leg(from: Square, to: Square) -> Square {
    let (df, dr) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    let (lf, lr) = if df.abs() == 2 { (df / 2, 0) } else { (0, dr / 2) };
    // A square between two squares of the board is on the board; the fallback is never taken.
    from.offset(lf, lr).unwrap_or(from)
}

/// Returns the eye of a bishop on `from` that jumps to `to`, which must be a bishop's jump away.
#[inline]
pub fn bishop_eye(from: Square, to: Square) -> Square {
    Square::from_raw(((from.index() + to.index()) / 2) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_sets(count: usize) -> impl Iterator<Item = Bitboard> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            u128::from(state)
        };
        (0..count).map(move |i| {
            let bits = next() << 64 | next();
            let sparse = next() << 64 | next();
            Bitboard::from_bits(if i % 2 == 0 { bits } else { bits & sparse })
        })
    }

    #[test]
    fn knights_and_bishops_agree_with_a_walk_over_their_steps() {
        for occupied in random_sets(200) {
            for sq in Square::all() {
                let free = |f, r| sq.offset(f, r).is_some_and(|leg| !occupied.contains(leg));
                let mut knight = Bitboard::EMPTY;
                for (df, dr) in ORTHOGONAL {
                    for side in [-1, 1] {
                        let to = if df == 0 { (side, 2 * dr) } else { (2 * df, side) };
                        if let Some(to) = sq.offset(to.0, to.1).filter(|_| free(df, dr)) {
                            knight.insert(to);
                            assert_eq!(Some(knight_leg(sq, to)), sq.offset(df, dr));
                        }
                    }
                }
                assert_eq!(knight_attacks(sq, occupied), knight);

                let mut bishop = Bitboard::EMPTY;
                for (df, dr) in DIAGONAL {
                    if let Some(to) = sq.offset(2 * df, 2 * dr).filter(|_| free(df, dr))
                        && (to.rank() < 5) == (sq.rank() < 5)
                    {
                        bishop.insert(to);
                        assert_eq!(Some(bishop_eye(sq, to)), sq.offset(df, dr));
                    }
                }
                assert_eq!(bishop_attacks(sq, occupied), bishop);
            }
        }
    }

    #[test]
    fn attackers_are_the_inverse_of_attacks() {
        for occupied in random_sets(50) {
            for to in Square::all() {
                let knights: Bitboard = Square::all()
                    .filter(|&from| knight_attacks(from, occupied).contains(to))
                    .collect();
                assert_eq!(knight_attackers(to, occupied), knights);
            }
        }
        for color in Color::ALL {
            for to in Square::all() {
                let pawns: Bitboard =
                    Square::all().filter(|&from| pawn_attacks(color, from).contains(to)).collect();
                assert_eq!(pawn_attackers(color, to), pawns);
            }
        }
    }
}
