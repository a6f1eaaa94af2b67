//! Moves of the generator, forwards and backwards, on squares instead of a [`crate::board::Board`].
//!
//! A move is legal if the position after it is one in which the side to move could not capture the
//! king; the generator finds that out once for each index and looks it up afterwards.

use crate::geometry::{
    Bitboard, Color, PieceKind, Square, advisor_attacks, between, bishop_attacks, king_attacks,
    knight_attackers, knight_attacks, line_attacks, pawn_attackers, pawn_attacks, quiet_line_moves,
    rook_attacks,
};
use crate::tables::layout::{Layout, PieceSlot, Squares};

/// A placement with its occupied squares.
pub(super) struct Placement {
    /// Its index in the table.
    pub(super) index: usize,
    pub(super) squares: Squares,
    pub(super) occupied: Bitboard,
    /// The squares of each side.
    pub(super) own: [Bitboard; 2],
}

impl Placement {
    /// The frame of some squares; `None` if two pieces share one.
    #[inline]
    pub(super) fn new(slots: &[PieceSlot], index: usize, squares: Squares) -> Option<Placement> {
        let mut own = [Bitboard::EMPTY; 2];
        let mut occupied = Bitboard::EMPTY;
        for (slot, &sq) in slots.iter().zip(&squares) {
            let sq = Square::from_raw(sq);
            if occupied.contains(sq) {
                return None;
            }
            occupied.insert(sq);
            own[slot.side].insert(sq);
        }
        Some(Placement { index, squares, occupied, own })
    }

    #[inline]
    pub(super) fn square(&self, slot: usize) -> Square {
        Square::from_raw(self.squares[slot])
    }

    /// Where the piece of a slot can go, captures of enemy pieces included.
    #[inline]
    pub(super) fn targets(&self, slot: usize, piece: PieceSlot) -> Bitboard {
        let (from, occupied) = (self.square(slot), self.occupied);
        let reach = match piece.kind {
            PieceKind::Rook => rook_attacks(from, occupied),
            PieceKind::Cannon => {
                let lines = line_attacks(from, occupied);
                (lines.rook - occupied) | (lines.cannon & occupied)
            }
            PieceKind::Knight => knight_attacks(from, occupied),
            PieceKind::Pawn => pawn_attacks(Color::ALL[piece.side], from),
            PieceKind::Advisor => advisor_attacks(from),
            PieceKind::Bishop => bishop_attacks(from, occupied),
            PieceKind::King => king_attacks(from),
        };
        reach - self.own[piece.side]
    }

    /// Where the piece of a slot can have come from without capturing.
    #[inline]
    pub(super) fn origins(&self, slot: usize, piece: PieceSlot) -> Bitboard {
        let (to, occupied) = (self.square(slot), self.occupied);
        let reach = match piece.kind {
            PieceKind::Rook | PieceKind::Cannon => return quiet_line_moves(to, occupied),
            PieceKind::Knight => knight_attackers(to, occupied),
            PieceKind::Pawn => pawn_attackers(Color::ALL[piece.side], to) & piece.piece().domain(),
            PieceKind::Advisor => advisor_attacks(to),
            PieceKind::Bishop => bishop_attacks(to, occupied),
            PieceKind::King => king_attacks(to),
        };
        reach - occupied
    }

    /// Which sides attack the other side's king; both do if the kings face each other.
    pub(super) fn attacks_on_kings(&self, layout: &Layout, kings: [usize; 2]) -> [bool; 2] {
        let [strong, weak] = kings.map(|slot| self.square(slot));
        if strong.file() == weak.file() && !between(strong, weak).intersects(self.occupied) {
            return [true; 2];
        }
        let lines = [weak, strong].map(|king| line_attacks(king, self.occupied));
        let mut attacked = [false; 2];
        for (slot, &piece) in layout.slots().iter().enumerate() {
            let sq = self.square(slot);
            let king = [weak, strong][piece.side];
            attacked[piece.side] |= match piece.kind {
                PieceKind::Rook => lines[piece.side].rook.contains(sq),
                PieceKind::Cannon => lines[piece.side].cannon.contains(sq),
                PieceKind::Knight => knight_attackers(king, self.occupied).contains(sq),
                PieceKind::Pawn => pawn_attackers(Color::ALL[piece.side], king).contains(sq),
                // Advisors, bishops and kings never reach the other palace.
                _ => false,
            };
        }
        attacked
    }
}
