//! A set of squares in one `u128`; bit `i` is the square with index `i`.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::Square;

/// A set of squares. The upper 38 bits are always zero.
///
/// ```
/// use xiangqi::{Bitboard, Color, Square};
///
/// let river = Bitboard::rank(4) | Bitboard::rank(5);
/// let own = river & Color::Red.home();
/// assert_eq!((river.len(), own.len()), (18, 9));
/// assert_eq!(own.into_iter().next(), Square::new(0, 4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 90 squares.
    pub const ALL: Bitboard = Bitboard((1 << Square::COUNT) - 1);
    /// Ranks 0 to 4.
    pub(crate) const RED_HALF: Bitboard = Bitboard((1 << 45) - 1);
    /// Ranks 5 to 9.
    pub(crate) const BLACK_HALF: Bitboard = Bitboard(Bitboard::ALL.0 ^ Bitboard::RED_HALF.0);
    /// d0 to f2.
    pub(crate) const RED_PALACE: Bitboard = Bitboard(0b111_000 * (1 | 1 << 9 | 1 << 18));
    /// d7 to f9.
    pub(crate) const BLACK_PALACE: Bitboard = Bitboard(Bitboard::RED_PALACE.0 << 63);
    /// The five points of Red's advisors.
    pub(crate) const RED_ADVISOR: Bitboard = Bitboard::of([(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
    /// The five points of Black's advisors.
    pub(crate) const BLACK_ADVISOR: Bitboard =
        Bitboard::of([(3, 9), (5, 9), (4, 8), (3, 7), (5, 7)]);
    /// The seven points of Red's bishops.
    pub(crate) const RED_BISHOP: Bitboard =
        Bitboard::of([(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);
    /// The seven points of Black's bishops.
    pub(crate) const BLACK_BISHOP: Bitboard =
        Bitboard::of([(2, 9), (6, 9), (0, 7), (4, 7), (8, 7), (2, 5), (6, 5)]);
    /// The 55 points of Red's pawns: files a c e g i on ranks 3 and 4, all squares beyond.
    pub(crate) const RED_PAWN: Bitboard =
        Bitboard(0b1_0101_0101 << 27 | 0b1_0101_0101 << 36 | Bitboard::BLACK_HALF.0);
    /// The 55 points of Black's pawns.
    pub(crate) const BLACK_PAWN: Bitboard =
        Bitboard(0b1_0101_0101 << 54 | 0b1_0101_0101 << 45 | Bitboard::RED_HALF.0);

    const FILE_A: u128 = {
        let mut bits = 0;
        let mut rank = 0;
        while rank < 10 {
            bits |= 1 << (9 * rank);
            rank += 1;
        }
        bits
    };

    const fn of<const N: usize>(points: [(u8, u8); N]) -> Bitboard {
        let mut bits = 0;
        let mut i = 0;
        while i < N {
            bits |= 1 << (points[i].1 * 9 + points[i].0);
            i += 1;
        }
        Bitboard(bits)
    }

    /// Returns the set with these bits; bits from 90 on are dropped.
    #[inline]
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & Bitboard::ALL.0)
    }

    /// Returns bit `i` for the square with index `i`.
    #[inline]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// Returns all squares of a file, 0..9; other numbers give other squares, or panic.
    ///
    /// # Panics
    /// In debug builds, if the file is not on the board.
    #[inline]
    pub const fn file(file: u8) -> Bitboard {
        debug_assert!(file < Square::FILES);
        Bitboard(Bitboard::FILE_A << file)
    }

    /// Returns all squares of a rank, 0..10; other numbers give no rank, or panic.
    ///
    /// # Panics
    /// In debug builds, if the rank is not on the board.
    #[inline]
    pub const fn rank(rank: u8) -> Bitboard {
        debug_assert!(rank < Square::RANKS);
        Bitboard(0x1FF << (9 * rank))
    }

    /// Returns the set of one square.
    #[inline]
    pub const fn from_square(sq: Square) -> Bitboard {
        Bitboard(1 << sq.index())
    }

    /// Returns whether the square is in the set.
    #[inline]
    pub const fn contains(self, sq: Square) -> bool {
        self.0 >> sq.index() & 1 != 0
    }

    /// Returns whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether there is more than one square in the set.
    #[inline]
    pub(crate) const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the lowest square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_raw(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the highest square of the set.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_raw(127 - self.0.leading_zeros() as u8)) }
    }

    /// Returns the set without its lowest square.
    #[inline]
    #[must_use]
    pub(crate) const fn without_first(self) -> Bitboard {
        Bitboard(self.0 & self.0.wrapping_sub(1))
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, sq: Square) {
        self.0 |= 1 << sq.index();
    }

    /// Removes a square.
    #[inline]
    pub const fn remove(&mut self, sq: Square) {
        self.0 &= !(1 << sq.index());
    }

    /// Returns the set with this square added.
    #[inline]
    #[must_use]
    pub const fn with(self, sq: Square) -> Bitboard {
        Bitboard(self.0 | 1 << sq.index())
    }

    /// Returns the set with this square removed.
    #[inline]
    #[must_use]
    pub const fn without(self, sq: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << sq.index()))
    }

    /// Returns the union, usable in constants.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(sq: Square) -> Bitboard {
        Bitboard::from_square(sq)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        squares.into_iter().for_each(|square| self.insert(square));
    }
}

/// The squares of a [`Bitboard`], lowest first.
#[derive(Clone, Debug)]
pub struct Squares(u128);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl DoubleEndedIterator for Squares {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let last = Bitboard(self.0).last()?;
        self.0 ^= 1 << last.index();
        Some(last)
    }
}

impl ExactSizeIterator for Squares {}

impl FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, |$a:ident, $b:ident| $result:expr) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                let ($a, $b) = (self.0, other.0);
                Bitboard($result)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Bitboard) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

bit_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
bit_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
bit_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
bit_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0 & Bitboard::ALL.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_its_squares_in_order() {
        let squares: Vec<_> = Square::all().filter(|sq| sq.index() % 7 == 3).collect();
        let set: Bitboard = squares.iter().copied().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!(set.len(), squares.len());
        assert!(set.into_iter().rev().eq(squares.iter().copied().rev()));
        assert_eq!((set.last(), Bitboard::EMPTY.last()), (squares.last().copied(), None));
    }

    #[test]
    fn the_zones_have_their_sizes_and_mirror_each_other() {
        let sizes = [
            (Bitboard::RED_PALACE, 9),
            (Bitboard::RED_ADVISOR, 5),
            (Bitboard::RED_BISHOP, 7),
            (Bitboard::RED_PAWN, 55),
        ];
        for (zone, size) in sizes {
            assert_eq!(zone.len(), size);
        }
        let flip = |zone: Bitboard| zone.into_iter().map(Square::flip).collect::<Bitboard>();
        assert_eq!(flip(Bitboard::RED_PALACE), Bitboard::BLACK_PALACE);
        assert_eq!(flip(Bitboard::RED_ADVISOR), Bitboard::BLACK_ADVISOR);
        assert_eq!(flip(Bitboard::RED_BISHOP), Bitboard::BLACK_BISHOP);
        assert_eq!(flip(Bitboard::RED_PAWN), Bitboard::BLACK_PAWN);
    }
}
