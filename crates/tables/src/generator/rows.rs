//! Rows: the positions of a table that differ only in the square of one piece.
//!
//! That piece, the runner, can cross the river. A row is one placement of all other pieces, and a
//! set of its positions is a [`Bitboard`] of the runner's squares, so a move of another piece
//! takes up to 90 positions from one row to another at once. Where the weaker side's camp is its
//! own mirror image, a row and its image both exist and have the same values.

use xiangqi::geometry::{Bitboard, PieceKind};

use super::moves::{MoveDirection, mirrored, path, quiet, runner_origins};
use crate::camp::{Camps, square};
use crate::group::{Digit, GroupSquares, MAX_SLOTS};
use crate::layout::{Layout, PieceSlot, flip};
use crate::signature::{ATTACKERS, Signature};

/// A move of a king, an advisor or a bishop, forwards or backwards.
struct CampMove {
    /// Squares that must be empty.
    path: Bitboard,
    /// The stronger side's camp after the move, or the class of the weaker side's.
    camp: usize,
    /// True if the class has the mirror image of the camp.
    mirrored: bool,
}

/// The order of the rows of a signature.
pub(super) struct Rows {
    whole: Layout,
    /// Order of the pieces but the runner.
    fixed: Layout,
    runner: PieceSlot,
    /// The runner's slot in `whole`.
    runner_slot: usize,
    /// The moves within each camp of the stronger side, and within each class of the weaker one.
    camp_moves: [Vec<Vec<CampMove>>; 2],
}

/// One placement of all pieces but the runner.
pub(super) struct Row {
    pub(super) number: usize,
    /// Pair of camps, and index within it.
    block: usize,
    within: usize,
    /// In the order of [`Rows::fixed`].
    pub(super) squares: GroupSquares,
    pub(super) occupied: Bitboard,
}

/// A row that a move leads to, or that it can have come from.
struct Neighbour {
    row: usize,
    /// Squares on which the runner must not stand for the move.
    path: Bitboard,
    /// True if the row has the mirror image.
    mirrored: bool,
}

impl Rows {
    /// Creates the rows of a signature; `None` if no table can hold it.
    pub(super) fn new(signature: Signature) -> Option<Rows> {
        let whole = Layout::new(signature)?;
        let mut forces = [signature.force(0), signature.force(1)];
        // Rows of a piece that can stand anywhere are longer than those of a pawn.
        let (side, kind) = [PieceKind::Rook, PieceKind::Cannon, PieceKind::Knight, PieceKind::Pawn]
            .into_iter()
            .flat_map(|kind| [(0, kind), (1, kind)])
            .find(|&(side, kind)| forces[side].count(kind) > 0)?;
        forces[side] = forces[side].without(kind)?;
        let runner = PieceSlot { side, kind };
        let fixed = Layout::of(forces)?;
        let runner_slot = whole.slots().iter().rposition(|slot| *slot == runner)?;
        let camp_moves = [strong_moves(fixed.camps(0)), weak_moves(&fixed)];
        Some(Rows { whole, fixed, runner, runner_slot, camp_moves })
    }

    pub(super) fn len(&self) -> usize {
        self.fixed.len()
    }

    /// Returns the order of all positions.
    pub(super) fn layout(&self) -> &Layout {
        &self.whole
    }

    pub(super) fn into_layout(self) -> Layout {
        self.whole
    }

    pub(super) fn runner(&self) -> PieceSlot {
        self.runner
    }

    /// Returns the pieces but the runner.
    pub(super) fn fixed(&self) -> &Layout {
        &self.fixed
    }

    #[inline]
    pub(super) fn row(&self, number: usize) -> Row {
        let len = self.fixed.block_len();
        let (block, within) = (number / len, number % len);
        let squares = self.fixed.squares(number);
        let mut occupied = Bitboard::EMPTY;
        for &sq in &squares[..self.fixed.slots().len()] {
            occupied.insert(square(sq));
        }
        Row { number, block, within, squares, occupied }
    }

    /// Returns the slot in [`Rows::layout`] of a slot in [`Rows::fixed`].
    #[inline]
    pub(super) fn whole_slot(&self, slot: usize) -> usize {
        if slot < self.runner_slot { slot } else { slot + 1 }
    }

    pub(super) fn runner_slot(&self) -> usize {
        self.runner_slot
    }

    /// Returns the squares of a row in the order of [`Rows::layout`]; that of the runner is not
    /// set.
    #[inline]
    pub(super) fn whole_squares(&self, row: &Row) -> GroupSquares {
        let mut squares = row.squares;
        squares.copy_within(self.runner_slot..MAX_SLOTS - 1, self.runner_slot + 1);
        squares
    }

    /// Returns the index of the first position of the row's block, and the digit of the runner.
    #[inline]
    pub(super) fn runner_digit(&self, row: &Row) -> Option<(usize, Digit<'_>)> {
        let digit = self.whole.digit(&self.whole_squares(row), self.runner_slot)?;
        Some((row.block * self.whole.block_len(), digit))
    }

    /// Calls `visit` with each row that a quiet move of a fixed piece of `side` leads to, or can
    /// have come from, until it returns false.
    #[inline]
    fn for_each_neighbour(
        &self,
        row: &Row,
        side: usize,
        direction: MoveDirection,
        mut visit: impl FnMut(Neighbour) -> bool,
    ) {
        let slots = self.fixed.slots();
        let len = self.fixed.block_len();
        let first = row.block * len;
        for (slot, &piece) in slots.iter().enumerate().rev() {
            if !ATTACKERS.contains(&piece.kind) {
                break;
            }
            if piece.side != side {
                continue;
            }
            let sq = square(row.squares[slot]);
            let Some(digit) = self.fixed.digit(&row.squares, slot) else { continue };
            for other in quiet(piece, sq, row.occupied, direction) {
                let path = match direction {
                    MoveDirection::Forward => path(piece.kind, sq, other),
                    MoveDirection::Backward => path(piece.kind, other, sq).without(sq).with(other),
                };
                let row = first + digit.at(other);
                if !visit(Neighbour { row, path, mirrored: false }) {
                    return;
                }
            }
        }
        let (class, strong) = self.fixed.camps_of(row.block);
        for step in &self.camp_moves[side][[strong, class][side]] {
            if step.path.intersects(row.occupied) {
                continue;
            }
            let (class, strong) = if side == 0 { (class, step.camp) } else { (step.camp, strong) };
            let (strong, within) = if step.mirrored {
                (self.fixed.camps(0).mirrored(strong), self.fixed.within(&row.squares, true))
            } else {
                (strong, row.within)
            };
            let row = self.fixed.block_of(class, strong) * len + within;
            if !visit(Neighbour { row, path: step.path, mirrored: step.mirrored }) {
                return;
            }
        }
    }
}

impl Rows {
    /// Calls `visit` with the rows and positions of `mover` from which a quiet move leads to the
    /// positions `set` of a row.
    #[inline]
    pub(super) fn for_each_predecessor(
        &self,
        row: &Row,
        mover: usize,
        set: Bitboard,
        mut visit: impl FnMut(usize, Bitboard),
    ) {
        if self.runner.side == mover {
            visit(row.number, runner_origins(self.runner, set, row.occupied));
        }
        self.for_each_neighbour(row, mover, MoveDirection::Backward, |before| {
            let set = set - before.path;
            visit(before.row, if before.mirrored { mirrored(set) } else { set });
            true
        });
    }

    /// Returns the positions of a row in which no quiet move of `side` leads to one of the
    /// `targets` that a row has.
    #[inline]
    pub(super) fn without_move_into(
        &self,
        row: &Row,
        side: usize,
        mut set: Bitboard,
        targets: impl Fn(usize) -> Bitboard,
    ) -> Bitboard {
        if set.is_empty() {
            return set;
        }
        if self.runner.side == side {
            set -= runner_origins(self.runner, targets(row.number), row.occupied);
        }
        self.for_each_neighbour(row, side, MoveDirection::Forward, |after| {
            let found = targets(after.row);
            set -= if after.mirrored { mirrored(found) } else { found } - after.path;
            !set.is_empty()
        });
        set
    }
}

/// Returns the moves of each camp of the stronger side.
fn strong_moves(camps: &Camps) -> Vec<Vec<CampMove>> {
    let moves = |camp| {
        let mut moves = Vec::new();
        for_each_camp_move(camps, 0, camp, &mut |path, camp| {
            moves.push(CampMove { path, camp, mirrored: false });
        });
        moves
    };
    (0..camps.len()).map(moves).collect()
}

/// Returns the moves of each class of the weaker side's camps.
fn weak_moves(layout: &Layout) -> Vec<Vec<CampMove>> {
    let moves = |class| {
        let mut moves = Vec::new();
        for_each_camp_move(layout.camps(1), 1, layout.class_camp(class), &mut |path, camp| {
            let (camp, mirrored) = layout.class(camp);
            moves.push(CampMove { path, camp, mirrored });
            // A camp that is its own image is reached in both of its rows.
            if layout.is_symmetric(camp) && !layout.is_symmetric(class) {
                moves.push(CampMove { path, camp, mirrored: !mirrored });
            }
        });
        moves
    };
    (0..layout.classes()).map(moves).collect()
}

/// Calls `visit` with the path of each move within a camp and the camp after it.
fn for_each_camp_move(
    camps: &Camps,
    side: usize,
    camp: usize,
    visit: &mut impl FnMut(Bitboard, usize),
) {
    let squares = camps.camp(camp).squares.map(|sq| if side == 0 { sq } else { flip(sq) });
    let squares = &squares[..camps.pieces()];
    let occupied: Bitboard = squares.iter().map(|&sq| square(sq)).collect();
    for (i, &sq) in squares.iter().enumerate() {
        let piece = PieceSlot { side, kind: camps.kind(i) };
        let from = square(sq);
        for to in quiet(piece, from, occupied, MoveDirection::Forward) & piece.piece().domain() {
            let mut after = [0; 5];
            after[..squares.len()].copy_from_slice(squares);
            after[i] = to.index() as u8;
            if let Some(number) = camps.number(side, &after[..squares.len()]) {
                visit(path(piece.kind, from, to), number);
            }
        }
    }
}
