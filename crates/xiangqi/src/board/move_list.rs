//! A list of moves that needs no allocation.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use super::{MAX_MOVES, Move};

/// A list of up to [`MAX_MOVES`] moves, on the stack. It is used as a slice, and iterated by value.
///
/// ```
/// use xiangqi::{MoveList, Position};
///
/// let position = Position::startpos();
/// let mut moves = position.legal_moves();
/// assert_eq!(moves.len(), 44);
/// moves.retain(|mv| position.is_capture(mv));
/// assert_eq!(moves, position.captures());
/// assert_eq!(moves.into_iter().collect::<MoveList>().len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct MoveList(ArrayVec<Move, MAX_MOVES>);

impl MoveList {
    /// Returns the empty list.
    #[inline]
    pub const fn new() -> MoveList {
        MoveList(ArrayVec::new_const())
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list has [`MAX_MOVES`] moves already; no position has more.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }

    /// Keeps the moves for which `keep` returns `true`, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Move) -> bool) {
        self.0.retain(|mv| keep(*mv));
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

/// As a list of moves.
#[cfg(feature = "serde")]
impl serde::Serialize for MoveList {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

/// From a list of at most [`MAX_MOVES`] moves.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for MoveList {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<MoveList, D::Error> {
        let moves = <Vec<Move> as serde::Deserialize>::deserialize(deserializer)?;
        let moves = moves.as_slice().try_into().map(MoveList);
        moves.map_err(|_| serde::de::Error::custom(format!("more than {MAX_MOVES} moves")))
    }
}

/// Panics as [`MoveList::push`] does.
impl Extend<Move> for MoveList {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        self.0.extend(moves);
    }
}

/// Panics as [`MoveList::push`] does.
impl FromIterator<Move> for MoveList {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> MoveList {
        MoveList(moves.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        MoveListIter(self.0.into_iter())
    }
}

/// The moves of a [`MoveList`], by value.
#[derive(Clone, Debug)]
pub struct MoveListIter(arrayvec::IntoIter<Move, MAX_MOVES>);

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl DoubleEndedIterator for MoveListIter {
    #[inline]
    fn next_back(&mut self) -> Option<Move> {
        self.0.next_back()
    }
}

impl ExactSizeIterator for MoveListIter {}

impl FusedIterator for MoveListIter {}
