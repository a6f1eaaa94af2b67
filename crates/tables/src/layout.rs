//! Order of the positions in a table: from squares to an index and back.
//!
//! An index is a number of mixed radix: the weaker side's camp, the stronger side's camp, then one
//! digit per group of equal pieces that can cross the river. A position and its left-to-right
//! mirror image have the same value, so only camps of the weaker side that are not the image of an
//! earlier one are listed. Where such a camp is its own image, the smaller of the two indices is
//! the position's; the other index belongs to no position.

use std::sync::LazyLock;

use xiangqi::board::Board;
use xiangqi::geometry::{Color, Piece, PieceKind, Square};

use super::camp::Camps;
use super::group::{Digit, Group, GroupSquares, MAX_EQUAL, MAX_SLOTS, MIRROR};
use super::signature::{ATTACKERS, Force, MAX_ATTACKERS, Signature};

/// Set in a class of camps if the camp stands for its mirror image.
const MIRRORED: u16 = 1 << 15;

/// Each square seen from the other side of the board.
static FLIP: LazyLock<[u8; Square::COUNT]> =
    LazyLock::new(|| std::array::from_fn(|i| Square::from_index(i).flip().index() as u8));

/// Flips a square to the other side of the board.
#[inline]
pub(super) fn flip(sq: u8) -> u8 {
    FLIP[usize::from(sq)]
}

/// One piece of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PieceSlot {
    /// 0 for the stronger side, which is Red in a table.
    pub(super) side: usize,
    pub(super) kind: PieceKind,
}

impl PieceSlot {
    /// Returns the piece in a table.
    #[inline]
    pub(super) fn piece(self) -> Piece {
        Piece::new(Color::ALL[self.side], self.kind)
    }
}

/// The order of the positions of one signature.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    forces: [Force; 2],
    slots: Vec<PieceSlot>,
    /// The camps of the stronger and the weaker side.
    camps: [Camps; 2],
    /// For each camp of the weaker side its class, perhaps with [`MIRRORED`].
    classes: Vec<u16>,
    /// The camp of each class.
    class_camps: Vec<u16>,
    /// True for each class whose camp is its own mirror image.
    symmetric: Vec<bool>,
    groups: Vec<Group>,
    /// The product of the sizes of the groups.
    block: usize,
}

impl Layout {
    /// Creates the layout of a signature; `None` unless one to [`MAX_ATTACKERS`] of its pieces can
    /// cross the river, or if it has more than four billion positions.
    pub(super) fn new(signature: Signature) -> Option<Layout> {
        if signature.attackers() == 0 {
            return None;
        }
        Layout::of([signature.force(0), signature.force(1)])
    }

    /// Creates the layout of two forces, the first of which is called the stronger side. They may
    /// have no piece that can cross the river.
    pub(super) fn of(forces: [Force; 2]) -> Option<Layout> {
        if forces.iter().map(Force::attackers).sum::<usize>() > MAX_ATTACKERS {
            return None;
        }
        let mut slots = Vec::new();
        for (side, force) in forces.iter().enumerate() {
            for kind in [PieceKind::King, PieceKind::Advisor, PieceKind::Bishop] {
                slots.extend((0..force.count(kind)).map(|_| PieceSlot { side, kind }));
            }
        }
        let mut groups = Vec::new();
        for (side, force) in forces.iter().enumerate() {
            for kind in ATTACKERS {
                let count = force.count(kind);
                if count > 0 {
                    let slot = PieceSlot { side, kind };
                    groups.push(Group::new(slot.piece(), slots.len(), count));
                    slots.extend((0..count).map(|_| slot));
                }
            }
        }
        let camps = forces.map(|force| {
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
        let mut block = 1usize;
        for group in groups.iter_mut().rev() {
            group.stride = block;
            block *= group.size;
        }
        let layout =
            Layout { forces, slots, camps, classes, class_camps, symmetric, groups, block };
        let len = layout.blocks().checked_mul(block)?;
        u32::try_from(len).is_ok().then_some(layout)
    }

    pub(super) fn signature(&self) -> Signature {
        Signature::new(self.forces[0], self.forces[1]).0
    }

    /// Returns the pieces: the camp of the stronger side (king, advisors, bishops), that of the
    /// weaker side, then all others.
    pub(super) fn slots(&self) -> &[PieceSlot] {
        &self.slots
    }

    /// Returns the slots of the kings.
    pub(super) fn kings(&self) -> [usize; 2] {
        [self.camp_slots(0), self.camp_slots(1)]
    }

    /// Returns the number of indices.
    pub(super) fn len(&self) -> usize {
        self.blocks() * self.block
    }

    /// Returns the number of pairs of camps.
    pub(super) fn blocks(&self) -> usize {
        self.class_camps.len() * self.camps[0].len()
    }

    /// Returns the number of indices for one pair of camps.
    pub(super) fn block_len(&self) -> usize {
        self.block
    }

    /// Returns the first slot of a side's camp.
    #[inline]
    fn camp_slots(&self, side: usize) -> usize {
        if side == 0 { 0 } else { self.camps[0].pieces() }
    }

    #[inline]
    fn camp_number(&self, side: usize, squares: &GroupSquares) -> Option<usize> {
        let first = self.camp_slots(side);
        self.camps[side].number(side, &squares[first..first + self.camps[side].pieces()])
    }

    /// Returns the index of a position.
    ///
    /// Returns `None` unless the squares are points of their pieces and the pieces of each camp
    /// stand on different ones.
    #[inline]
    pub(super) fn index(&self, squares: &GroupSquares) -> Option<usize> {
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
    fn join(&self, class: usize, strong: usize, squares: &GroupSquares, mirrored: bool) -> usize {
        self.block_of(class, strong) * self.block + self.within(squares, mirrored)
    }

    /// Returns the pieces outside the camps as an index within a block.
    #[inline]
    pub(super) fn within(&self, squares: &GroupSquares, mirrored: bool) -> usize {
        self.groups.iter().fold(0, |index, group| {
            let squares = group.squares(squares);
            let number =
                if mirrored { group.mirrored_number(squares) } else { group.number(squares) };
            index * group.size + number
        })
    }

    /// Returns the pair of a class of the weaker side's camps and a camp of the stronger side.
    #[inline]
    pub(super) fn block_of(&self, class: usize, strong: usize) -> usize {
        class * self.camps[0].len() + strong
    }

    /// Returns the class and the stronger side's camp of a block.
    #[inline]
    pub(super) fn camps_of(&self, block: usize) -> (usize, usize) {
        (block / self.camps[0].len(), block % self.camps[0].len())
    }

    pub(super) fn camps(&self, side: usize) -> &Camps {
        &self.camps[side]
    }

    /// Returns the class of a camp of the weaker side, and whether the class has its mirror image.
    pub(super) fn class(&self, weak: usize) -> (usize, bool) {
        let class = self.classes[weak];
        (usize::from(class & !MIRRORED), class & MIRRORED != 0)
    }

    /// Returns the number of classes of the weaker side's camps.
    pub(super) fn classes(&self) -> usize {
        self.class_camps.len()
    }

    /// Returns the weaker side's camp that stands for a class.
    pub(super) fn class_camp(&self, class: usize) -> usize {
        usize::from(self.class_camps[class])
    }

    /// Returns whether the camps of a class are their own mirror images.
    pub(super) fn is_symmetric(&self, class: usize) -> bool {
        self.symmetric[class]
    }

    /// Returns the digit of the piece of a slot outside the camps, within a block.
    #[inline]
    pub(super) fn digit(&self, squares: &GroupSquares, slot: usize) -> Option<Digit<'_>> {
        let own = self.groups.iter().find(|group| group.holds(slot))?;
        let others = self.groups.iter().filter(|group| !group.holds(slot));
        let rest = others.map(|group| group.number(group.squares(squares)) * group.stride).sum();
        let mut in_group = [0; MAX_EQUAL];
        in_group[..own.count].copy_from_slice(own.squares(squares));
        Some(Digit { group: own, rest, squares: in_group, place: slot - own.first })
    }

    /// Returns the indices of the positions that differ from this one in the piece of a slot
    /// outside the camps; `None` where each index has to be looked up.
    #[inline]
    pub(super) fn row(&self, squares: &GroupSquares, slot: usize) -> Option<IndexRow<'_>> {
        let strong = self.camp_number(0, squares)?;
        let (class, mirrored) = self.class(self.camp_number(1, squares)?);
        if self.symmetric[class] {
            return None;
        }
        let (strong, squares) = if mirrored {
            (self.camps[0].mirrored(strong), squares.map(|sq| MIRROR[usize::from(sq)]))
        } else {
            (strong, *squares)
        };
        let first = self.block_of(class, strong) * self.block;
        Some(IndexRow { first, digit: self.digit(&squares, slot)?, mirrored })
    }

    #[inline]
    pub(super) fn squares(&self, index: usize) -> GroupSquares {
        let mut squares = self.camp_squares(index / self.block);
        self.place_others(index % self.block, &mut squares);
        squares
    }

    /// Returns the squares of both camps of a block; the others are not set.
    pub(super) fn camp_squares(&self, block: usize) -> GroupSquares {
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
    pub(super) fn place_others(&self, within: usize, squares: &mut GroupSquares) {
        let mut rest = within as u32;
        for group in self.groups.iter().rev() {
            group.place((rest % group.size as u32) as usize, squares);
            rest /= group.size as u32;
        }
    }

    /// Returns the squares of the pieces of a board, which must have this signature; `exchanged` if
    /// its Black is the stronger side.
    #[inline]
    pub(super) fn squares_of(&self, board: &Board, exchanged: bool) -> GroupSquares {
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

/// Indices of positions that differ in the square of one piece.
pub(super) struct IndexRow<'a> {
    first: usize,
    digit: Digit<'a>,
    mirrored: bool,
}

impl IndexRow<'_> {
    /// Returns the index with the piece on this square.
    #[inline]
    pub(super) fn at(&self, sq: Square) -> usize {
        self.first + self.digit.at(if self.mirrored { sq.mirror() } else { sq })
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
    fn signatures_that_no_table_holds_have_no_layout() {
        let layout = |name: &str| Layout::new(name.parse().unwrap());
        let all = "KAABBRRNNCCPPPPP";
        for name in ["K-K", "KAABB-KAABB", "KRN-KCP", "KRNC-KAABB", &format!("{all}-{all}")] {
            assert!(layout(name).is_none(), "{name}");
        }
        assert!(layout("KNCP-KAABB").is_some());
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
