//! Checks on the king of the side to move, and the moves of its own side that must be tried because
//! they could open or close a line to it.
//!
//! Xiangqi has more than pins: a rook pins one piece, a cannon two, an empty line to a cannon must
//! not get a screen, and a piece that blocks a knight's leg may not leave. All of them are two
//! sets of squares. A move that touches neither, of a side that is not in check and not by the
//! king, is legal; every other move is tried.

use crate::geometry::{
    Bitboard, Color, PieceKind, Square, between, knight_attackers, knight_leg, lines_of,
    pawn_attackers,
};

use super::Board;

/// Pieces and squares that decide whether a move is legal without trying it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Exposure {
    /// Enemy pieces that give check.
    pub(super) checkers: Bitboard,
    /// Pieces whose moves must be tried: between king and rook, cannon or king, or on a knight's
    /// leg.
    pub(super) blockers: Bitboard,
    /// Empty squares to which moves must be tried: an open line to a cannon.
    pub(super) open_lines: Bitboard,
}

impl Exposure {
    /// Returns the exposure of `color`'s king.
    #[inline]
    pub(super) fn of(board: &Board, color: Color) -> Exposure {
        let mut exposure = Exposure::default();
        let Some(king) = board.king(color) else { return exposure };
        let occupied = board.occupied();
        let enemy = !color;

        let lines = lines_of(king);
        let cannons = board.pieces(enemy, PieceKind::Cannon);
        // Kings never share a rank.
        let straight = board.pieces(enemy, PieceKind::Rook) | board.pieces(enemy, PieceKind::King);
        for sq in lines & straight {
            let blockers = between(king, sq) & occupied;
            if blockers.is_empty() {
                exposure.checkers.insert(sq);
            } else if !blockers.has_many() {
                exposure.blockers |= blockers;
            }
        }
        for sq in lines & cannons {
            let path = between(king, sq);
            let blockers = path & occupied;
            // The cases of no screen, of one and of two.
            let others = blockers.without_first();
            if blockers.is_empty() {
                exposure.open_lines |= path;
            } else if others.is_empty() {
                exposure.checkers.insert(sq);
                exposure.blockers |= blockers;
            } else if !others.has_many() {
                exposure.blockers |= blockers;
            }
        }
        let knights = board.pieces(enemy, PieceKind::Knight);
        for sq in knight_attackers(king, Bitboard::EMPTY) & knights {
            let leg = knight_leg(sq, king);
            if occupied.contains(leg) {
                exposure.blockers.insert(leg);
            } else {
                exposure.checkers.insert(sq);
            }
        }
        exposure.checkers |= pawn_attackers(enemy, king) & board.pieces(enemy, PieceKind::Pawn);
        exposure
    }
}

impl Board {
    /// Returns whether `color`'s king, if it stood on `king`, could be captured were the occupied
    /// squares these and the pieces on `gone` captured.
    #[inline]
    pub(crate) fn is_king_attacked(
        &self,
        color: Color,
        king: Square,
        occupied: Bitboard,
        gone: Bitboard,
    ) -> bool {
        let enemies = self.color(!color) - gone;
        let straight = (self.kind(PieceKind::Rook) | self.kind(PieceKind::King)) & enemies;
        let cannons = self.kind(PieceKind::Cannon) & enemies;
        let lines = lines_of(king);
        for sq in lines & straight {
            if !between(king, sq).intersects(occupied) {
                return true;
            }
        }
        for sq in lines & cannons {
            let screens = between(king, sq) & occupied;
            if !screens.is_empty() && !screens.has_many() {
                return true;
            }
        }
        knight_attackers(king, occupied).intersects(self.kind(PieceKind::Knight) & enemies)
            || pawn_attackers(!color, king).intersects(self.kind(PieceKind::Pawn) & enemies)
    }
}
