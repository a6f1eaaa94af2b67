//! The order of the positions in a table: from squares to an index and back.
//!
//! An index is a number of mixed radix: the weaker side's camp, the stronger side's camp, then one
//! digit per group of equal pieces that can cross the river. A position and its left-to-right
//! mirror image have the same value, so only camps of the weaker side that are not the image of an
//! earlier one are listed. Where such a camp is its own image, the smaller of the two indices is
//! the position's; the other index belongs to no position.

use std::sync::LazyLock;

use super::camp::Camps;
use super::signature::{ATTACKERS, Signature};
use crate::board::Board;
use crate::geometry::{Color, Piece, PieceKind, Square};

/// The most pieces in a table.
pub(super) const MAX_SLOTS: usize = 16;

/// The squares of all pieces in the order of [`Layout::slots`]; the rest is unused.
pub(super) type Squares = [u8; MAX_SLOTS];

/// Set in a class of camps if the camp stands for its mirror image.
const MIRRORED: u16 = 1 << 15;

/// The mirror image of each square, left to right.
static MIRROR: LazyLock<[u8; Square::COUNT]> =
    LazyLock::new(|| std::array::from_fn(|i| Square::from_index(i).mirror().index() as u8));
/// The same square as the other side has it.
static FLIP: LazyLock<[u8; Square::COUNT]> =
    LazyLock::new(|| std::array::from_fn(|i| Square::from_index(i).flip().index() as u8));

/// The square as the other side of the board has it.
#[inline]
pub(super) fn flip(sq: u8) -> u8 {
    FLIP[usize::from(sq)]
}

/// One piece of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceSlot {
    /// 0 for the stronger side, which a table has as Red.
    pub(super) side: usize,
    pub(super) kind: PieceKind,
}

impl PieceSlot {
    /// The piece in a table.
    #[inline]
    pub(super) fn piece(self) -> Piece {
        Piece::new(Color::ALL[self.side], self.kind)
    }
}

/// Equal pieces of one side that can cross the river.
#[derive(Debug)]
struct Group {
    first: usize,
    count: usize,
    /// How many placements the group has.
    size: usize,
    /// How many indices lie between two placements.
    stride: usize,
    /// The number of each square among those where the piece can stand.
    rank: Box<[u8; Square::COUNT]>,
    /// The placements, `count` squares each.
    placements: Vec<u8>,
}

impl Group {
    fn new(piece: Piece, first: usize, count: usize) -> Group {
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

    /// The number of a placement, given in any order.
    #[inline]
    fn number(&self, squares: &[u8]) -> usize {
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

    #[inline]
    fn mirrored_number(&self, squares: &[u8]) -> usize {
        let mut images = [0; 3];
        for (image, &sq) in images.iter_mut().zip(squares) {
            *image = MIRROR[usize::from(sq)];
        }
        self.number(&images[..squares.len()])
    }
}

/// The order of the positions of one signature.
#[derive(Debug)]
pub(super) struct Layout {
    signature: Signature,
    slots: Vec<PieceSlot>,
    /// The camps of the stronger and the weaker side.
    camps: [Camps; 2],
    /// For each camp of the weaker side its class, perhaps with [`MIRRORED`].
    classes: Vec<u16>,
    /// The camp of each class.
    class_camps: Vec<u16>,
    /// Whether the camp of each class is its own image.
    symmetric: Vec<bool>,
    groups: Vec<Group>,
    /// The product of the sizes of the groups.
    block: usize,
}

impl Layout {
    /// The layout of a signature; `None` if it has more than three equal pieces, or more than
    /// four billion positions.
    pub(super) fn new(signature: Signature) -> Option<Layout> {
        let mut slots = Vec::new();
        for side in 0..2 {
            for kind in [PieceKind::King, PieceKind::Advisor, PieceKind::Bishop] {
                let count = signature.force(side).count(kind);
                slots.extend((0..count).map(|_| PieceSlot { side, kind }));
            }
        }
        let mut groups = Vec::new();
        for side in 0..2 {
            for kind in ATTACKERS {
                let count = signature.force(side).count(kind);
                if count > 3 {
                    return None;
                }
                if count > 0 {
                    let slot = PieceSlot { side, kind };
                    groups.push(Group::new(slot.piece(), slots.len(), count));
                    slots.extend((0..count).map(|_| slot));
                }
            }
        }
        if slots.len() > MAX_SLOTS {
            return None;
        }
        let camps = [0, 1].map(|side| {
            let force = signature.force(side);
            Camps::new(force.count(PieceKind::Advisor), force.count(PieceKind::Bishop))
        });
        let weak = &camps[1];
        let mut classes = vec![0; weak.len()];
        let (mut class_camps, mut symmetric) = (Vec::new(), Vec::new());
        for camp in 0..weak.len() {
            let image = weak.mirrored(camp);
            if image < camp {
                classes[camp] = classes[image] | MIRRORED;
            } else {
                classes[camp] = class_camps.len() as u16;
                class_camps.push(camp as u16);
                symmetric.push(image == camp);
            }
        }
        let mut block = 1;
        for group in groups.iter_mut().rev() {
            group.stride = block;
            block *= group.size;
        }
        let layout =
            Layout { signature, slots, camps, classes, class_camps, symmetric, groups, block };
        (u32::try_from(layout.len()).is_ok()).then_some(layout)
    }

    pub(super) fn signature(&self) -> Signature {
        self.signature
    }

    /// The pieces: the camp of the stronger side (king, advisors, bishops), that of the weaker
    /// side, then all others.
    pub(super) fn slots(&self) -> &[PieceSlot] {
        &self.slots
    }

    /// The slots of the kings.
    pub(super) fn kings(&self) -> [usize; 2] {
        [self.camp_slots(0), self.camp_slots(1)]
    }

    /// The number of indices.
    pub(super) fn len(&self) -> usize {
        self.blocks() * self.block
    }

    /// The number of pairs of camps.
    pub(super) fn blocks(&self) -> usize {
        self.class_camps.len() * self.camps[0].len()
    }

    /// The number of indices for one pair of camps.
    pub(super) fn block_len(&self) -> usize {
        self.block
    }

    /// The first slot of a side's camp.
    #[inline]
    fn camp_slots(&self, side: usize) -> usize {
        if side == 0 { 0 } else { self.camps[0].pieces() }
    }

    #[inline]
    fn camp_number(&self, side: usize, squares: &Squares) -> Option<usize> {
        let first = self.camp_slots(side);
        self.camps[side].number(side, &squares[first..first + self.camps[side].pieces()])
    }

    /// The index of a position.
    ///
    /// The squares must be points of their pieces, and the pieces of a camp must not share one;
    /// otherwise there is none.
    #[inline]
    pub(super) fn index(&self, squares: &Squares) -> Option<usize> {
        let strong = self.camp_number(0, squares)?;
        let class = self.classes[self.camp_number(1, squares)?];
        let number = usize::from(class & !MIRRORED);
        if class & MIRRORED != 0 {
            return Some(self.join(number, self.camps[0].mirrored(strong), squares, true));
        }
        let index = self.join(number, strong, squares, false);
        if !self.symmetric[number] {
            return Some(index);
        }
        Some(index.min(self.join(number, self.camps[0].mirrored(strong), squares, true)))
    }

    #[inline]
    fn join(&self, class: usize, strong: usize, squares: &Squares, mirrored: bool) -> usize {
        self.groups.iter().fold(class * self.camps[0].len() + strong, |index, group| {
            let squares = &squares[group.first..group.first + group.count];
            let number =
                if mirrored { group.mirrored_number(squares) } else { group.number(squares) };
            index * group.size + number
        })
    }

    /// Whether the weaker side's camp is its own mirror image at this index.
    #[inline]
    pub(super) fn has_symmetric_camp(&self, index: usize) -> bool {
        self.symmetric[index / (self.block * self.camps[0].len())]
    }

    /// The neighbours of a position with this index and these squares that differ from it in the
    /// piece of one slot.
    #[inline]
    pub(super) fn neighbours(
        &self,
        index: usize,
        slot: usize,
        squares: &Squares,
    ) -> Neighbours<'_> {
        let weak_camp = self.camp_slots(1)..self.camp_slots(1) + self.camps[1].pieces();
        let moving = if weak_camp.contains(&slot) || self.has_symmetric_camp(index) {
            Moving::Any
        } else if slot < weak_camp.start {
            let number = self.camp_number(0, squares).unwrap_or(0);
            Moving::StrongCamp { rest: index - number * self.block }
        } else {
            let holds = |group: &&Group| (group.first..group.first + group.count).contains(&slot);
            match self.groups.iter().find(holds) {
                Some(group) => {
                    let number = group.number(&squares[group.first..group.first + group.count]);
                    Moving::Group { group, rest: index - number * group.stride }
                }
                None => Moving::Any,
            }
        };
        Neighbours { layout: self, moving }
    }

    /// The squares of an index.
    #[inline]
    pub(super) fn squares(&self, index: usize) -> Squares {
        let mut squares = self.camp_squares(index / self.block);
        self.place_others(index % self.block, &mut squares);
        squares
    }

    /// The squares of both camps of a block; the others are not set.
    pub(super) fn camp_squares(&self, block: usize) -> Squares {
        let mut squares = [0; MAX_SLOTS];
        let strong = self.camps[0].camp(block % self.camps[0].len());
        let weak = self.camps[1].camp(usize::from(self.class_camps[block / self.camps[0].len()]));
        let second = self.camp_slots(1);
        squares[..second].copy_from_slice(&strong.squares[..second]);
        for (slot, &sq) in squares[second..].iter_mut().zip(&weak.squares[..self.camps[1].pieces()])
        {
            *slot = flip(sq);
        }
        squares
    }

    /// Sets the squares of the pieces outside the camps, from the index within a block.
    #[inline]
    pub(super) fn place_others(&self, within: usize, squares: &mut Squares) {
        let mut rest = within as u32;
        for group in self.groups.iter().rev() {
            let number = (rest % group.size as u32) as usize;
            rest /= group.size as u32;
            let from = number * group.count;
            squares[group.first..group.first + group.count]
                .copy_from_slice(&group.placements[from..from + group.count]);
        }
    }

    /// Whether a position is its own mirror image.
    #[inline]
    pub(super) fn is_symmetric(&self, squares: &Squares) -> bool {
        let Some(weak) = self.camp_number(1, squares) else { return false };
        let class = self.classes[weak];
        if class & MIRRORED != 0 || !self.symmetric[usize::from(class)] {
            return false;
        }
        let Some(strong) = self.camp_number(0, squares) else { return false };
        self.camps[0].mirrored(strong) == strong
            && self.groups.iter().all(|group| {
                let squares = &squares[group.first..group.first + group.count];
                group.number(squares) == group.mirrored_number(squares)
            })
    }

    /// The squares of the pieces of a board, which must have this signature; `exchanged` if its
    /// Black is the stronger side.
    #[inline]
    pub(super) fn squares_of(&self, board: &Board, exchanged: bool) -> Squares {
        let mut squares = [0; MAX_SLOTS];
        let mut slot = 0;
        while slot < self.slots.len() {
            let PieceSlot { side, kind } = self.slots[slot];
            let color = Color::ALL[if exchanged { 1 - side } else { side }];
            let before = slot;
            for sq in board.pieces(color, kind) {
                if slot < MAX_SLOTS {
                    squares[slot] = sq.index() as u8;
                    if exchanged {
                        squares[slot] = flip(squares[slot]);
                    }
                    slot += 1;
                }
            }
            if slot == before {
                break;
            }
        }
        squares
    }
}

/// What changes between the neighbours of a position, and the index without that.
enum Moving<'a> {
    Group { group: &'a Group, rest: usize },
    StrongCamp { rest: usize },
    Any,
}

/// Finds the indices of positions that differ in one piece faster than [`Layout::index`].
pub(super) struct Neighbours<'a> {
    layout: &'a Layout,
    moving: Moving<'a>,
}

impl Neighbours<'_> {
    /// The index of the neighbour with these squares.
    #[inline]
    pub(super) fn index(&self, squares: &Squares) -> Option<usize> {
        match self.moving {
            Moving::Group { group, rest } => {
                let number = group.number(&squares[group.first..group.first + group.count]);
                Some(rest + number * group.stride)
            }
            Moving::StrongCamp { rest } => {
                Some(rest + self.layout.camp_number(0, squares)? * self.layout.block)
            }
            Moving::Any => self.layout.index(squares),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_gives_its_squares_and_back_or_is_the_second_of_two_images() {
        for name in ["KR-KAB", "KPP-KA", "KAC-KBB", "KNN-K", "KR-KN", "KPPP-K"] {
            let layout = Layout::new(name.parse().unwrap()).unwrap();
            let mut own = 0;
            for index in (0..layout.len()).step_by(7) {
                let squares = layout.squares(index);
                let back = layout.index(&squares).unwrap();
                assert!(
                    back == index
                        || back < index && layout.index(&layout.squares(back)) == Some(back)
                );
                own += usize::from(back == index);
            }
            assert!(own * 2 > layout.len() / 7, "{name}: most indices are positions");
        }
    }

    #[test]
    fn a_position_and_its_mirror_image_have_one_index() {
        let signature: Signature = "KANC-KAAB".parse().unwrap();
        let layout = Layout::new(signature).unwrap();
        for index in (0..layout.len()).step_by(100_003) {
            let squares = layout.squares(index);
            let image = squares.map(|sq| MIRROR[usize::from(sq)]);
            assert_eq!(layout.index(&squares), layout.index(&image));
        }
    }
}
