//! One of the 90 points of the board.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::text_form::excerpt;

/// A point of the board: `0..90`, rank by rank from Red's back rank, files a..i from Red's left.
///
/// `a0` is 0, `i0` is 8, `a1` is 9, `i9` is 89. There is no "none" value; use `Option<Square>`.
///
/// ```
/// use xiangqi::Square;
///
/// let e0: Square = "e0".parse()?;
/// assert_eq!((e0.file(), e0.rank(), e0.index()), (4, 0, 4));
/// assert_eq!(e0.flip().to_string(), "e9");
/// assert_eq!(e0.offset(0, -1), None);
/// # Ok::<(), xiangqi::geometry::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Error of reading a [`Square`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a valid square; expected a file a-i and a rank 0-9, such as 'e0'")]
pub struct ParseSquareError(pub String);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 90;
    /// The number of files.
    pub const FILES: u8 = 9;
    /// The number of ranks.
    pub const RANKS: u8 = 10;

    /// Returns the square with this index.
    ///
    /// # Panics
    /// If `index` is 90 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        assert!(index < Square::COUNT);
        Square(index as u8)
    }

    /// Returns the square on this file (0..9) and rank (0..10), if it is on the board.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < Square::FILES && rank < Square::RANKS {
            Some(Square(rank * Square::FILES + file))
        } else {
            None
        }
    }

    /// Returns all squares, from a0 to i9.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + Clone {
        (0..Square::COUNT as u8).map(Square)
    }

    /// Returns the index, `0..90`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the file, 0 (a) to 8 (i).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % Square::FILES
    }

    /// Returns the rank, 0 (Red's back rank) to 9 (Black's).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / Square::FILES
    }

    /// Returns the square `files` to the right and `ranks` up, if it is on the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i16 + files as i16;
        let rank = self.rank() as i16 + ranks as i16;
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }

    /// Returns the square mirrored left to right: a0 becomes i0.
    #[inline]
    #[must_use]
    pub const fn mirror(self) -> Square {
        Square(self.rank() * Square::FILES + (Square::FILES - 1 - self.file()))
    }

    /// Returns the square seen from the other side of the table, without mirroring: a0 becomes a9.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Square {
        Square((Square::RANKS - 1 - self.rank()) * Square::FILES + self.file())
    }

    /// Creates a square without the check of [`Square::from_index`] in release builds, from an
    /// index of a [`Square`] or a [`super::Bitboard`], both of which hold only 0..90.
    #[inline]
    pub(crate) const fn from_raw(raw: u8) -> Square {
        debug_assert!(raw < Square::COUNT as u8);
        Square(raw)
    }
}

crate::text_form::serde_as_text!(Square);

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Parses ICCS squares, `a0`..`i9`, in either case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseSquareError(excerpt(text));
        let &[file, rank] = text.as_bytes() else { return Err(error()) };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        Square::new(file, rank.wrapping_sub(b'0')).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_text_and_back() {
        for sq in Square::all() {
            assert_eq!(sq.to_string().parse(), Ok(sq));
            assert_eq!(Square::new(sq.file(), sq.rank()), Some(sq));
            assert_eq!(sq.mirror().mirror(), sq);
            assert_eq!(sq.flip().flip(), sq);
        }
    }

    #[test]
    fn an_offset_of_any_size_leads_to_a_square_or_off_the_board() {
        for sq in Square::all() {
            for (files, ranks) in [(i8::MAX, 0), (0, i8::MAX), (i8::MIN, i8::MIN)] {
                assert_eq!(sq.offset(files, ranks), None);
            }
            assert_eq!(sq.offset(0, 0), Some(sq));
        }
    }

    #[test]
    fn texts_off_the_board_are_refused() {
        for text in ["", "a", "j0", "a:", "a10", "é0", "`0"] {
            assert!(text.parse::<Square>().is_err(), "{text}");
        }
    }
}
