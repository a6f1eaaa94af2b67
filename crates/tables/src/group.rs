//! Equal pieces of one side that can cross the river: one digit of an index.

use std::sync::LazyLock;

use xiangqi::geometry::{Piece, Square};

use super::signature::MAX_ATTACKERS;

/// Maximum number of pieces in a table.
pub(super) const MAX_SLOTS: usize = 16;

/// The squares of all pieces in the order of a layout's slots; the rest is unused.
pub(super) type GroupSquares = [u8; MAX_SLOTS];

/// Maximum number of equal pieces in a group.
pub(super) const MAX_EQUAL: usize = MAX_ATTACKERS;

/// The mirror image of each square, left to right.
pub(super) static MIRROR: LazyLock<[u8; Square::COUNT]> =
    LazyLock::new(|| std::array::from_fn(|i| Square::from_index(i).mirror().index() as u8));

/// Placements of equal pieces, in order, and their part in an index.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// First slot, and number of slots.
    pub(super) first: usize,
    pub(super) count: usize,
    /// Number of placements.
    pub(super) size: usize,
    /// Number of indices between two placements.
    pub(super) stride: usize,
    /// Number of each square among those on which the piece can stand.
    rank: Box<[u8; Square::COUNT]>,
    /// The placements, `count` squares each.
    placements: Vec<u8>,
}

impl Group {
    /// Lists all placements of `count` equal pieces, at most [`MAX_EQUAL`].
    pub(super) fn new(piece: Piece, first: usize, count: usize) -> Group {
        let points: Vec<u8> = piece.domain().into_iter().map(|sq| sq.index() as u8).collect();
        let mut rank = Box::new([u8::MAX; Square::COUNT]);
        for (i, &sq) in points.iter().enumerate() {
            rank[usize::from(sq)] = i as u8;
        }
        let n = points.len();
        let mut placements = Vec::new();
        for c in 0..n {
            match count {
                1 => placements.push(points[c]),
                2 => (0..c).for_each(|b| placements.extend([points[b], points[c]])),
                _ => (0..c).for_each(|b| {
                    (0..b).for_each(|a| placements.extend([points[a], points[b], points[c]]));
                }),
            }
        }
        Group { first, count, size: placements.len() / count, stride: 1, rank, placements }
    }

    /// Returns whether the piece of a slot belongs to the group.
    #[inline]
    pub(super) fn holds(&self, slot: usize) -> bool {
        (self.first..self.first + self.count).contains(&slot)
    }

    /// Returns the squares of the group's pieces.
    #[inline]
    pub(super) fn squares<'a>(&self, squares: &'a GroupSquares) -> &'a [u8] {
        &squares[self.first..self.first + self.count]
    }

    /// Places the pieces by the number of a placement.
    #[inline]
    pub(super) fn place(&self, number: usize, squares: &mut GroupSquares) {
        let from = number * self.count;
        squares[self.first..self.first + self.count]
            .copy_from_slice(&self.placements[from..from + self.count]);
    }

    /// Returns the number of a placement, given in any order.
    #[inline]
    pub(super) fn number(&self, squares: &[u8]) -> usize {
        let rank = |sq: u8| usize::from(self.rank[usize::from(sq)]);
        match *squares {
            [a] => rank(a),
            [a, b] => {
                let (a, b) = (rank(a), rank(b));
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                high * (high.saturating_sub(1)) / 2 + low
            }
            [a, b, c] => {
                let mut ranks = [rank(a), rank(b), rank(c)];
                ranks.sort_unstable();
                let [a, b, c] = ranks;
                c * c.saturating_sub(1) * c.saturating_sub(2) / 6 + b * b.saturating_sub(1) / 2 + a
            }
            _ => 0,
        }
    }

    /// Returns the number of the mirror image of a placement.
    #[inline]
    pub(super) fn mirrored_number(&self, squares: &[u8]) -> usize {
        let mut images = [0; MAX_EQUAL];
        for (image, &sq) in images.iter_mut().zip(squares) {
            *image = MIRROR[usize::from(sq)];
        }
        self.number(&images[..squares.len()])
    }
}

/// The part of an index that one piece decides, all others standing still.
pub(super) struct Digit<'a> {
    pub(super) group: &'a Group,
    /// The index without the piece's group.
    pub(super) rest: usize,
    /// The squares of the group, and the place of the piece among them.
    pub(super) squares: [u8; MAX_EQUAL],
    pub(super) place: usize,
}

impl Digit<'_> {
    /// Returns the index with the piece on this square.
    #[inline]
    pub(super) fn at(&self, sq: Square) -> usize {
        let mut squares = self.squares;
        squares[self.place] = sq.index() as u8;
        self.rest + self.group.number(&squares[..self.group.count]) * self.group.stride
    }
}
