//! Moves that give check.
//!
//! For most moves it is enough to compare the target with the squares from which a piece of this
//! kind attacks the king. Only moves of a blocker of a line or a knight's leg, moves that become a
//! screen, and moves of a cannon on one of the king's lines, which may itself be a screen there,
//! are tried.

use crate::geometry::{
    Bitboard, Piece, PieceKind, Square, knight_attackers, line_attacks, lines_of, pawn_attackers,
};

use super::exposure::Exposure;
use super::{Move, Position};

/// Precomputed answers to whether moves of one position give check; pays off from a few moves on.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// Squares from which a piece of each kind attacks the king, in the order of the kinds.
    squares: [Bitboard; 7],
    /// Origins of moves that must be tried.
    unclear_from: Bitboard,
    /// Targets of moves that must be tried.
    unclear_to: Bitboard,
}

impl Checks {
    /// Returns the checks of the side to move.
    #[inline]
    pub fn of(position: &Position) -> Checks {
        let us = position.side();
        let king = position.king(!us);
        let exposure = Exposure::of(position.board(), !us);
        let lines = line_attacks(king, position.occupied());
        let mut squares = [Bitboard::EMPTY; 7];
        squares[PieceKind::Rook.index()] = lines.rook;
        squares[PieceKind::Cannon.index()] = lines.cannon;
        squares[PieceKind::Knight.index()] = knight_attackers(king, position.occupied());
        squares[PieceKind::Pawn.index()] = pawn_attackers(us, king);
        Checks {
            squares,
            unclear_from: (lines_of(king) & position.board().kind(PieceKind::Cannon))
                | exposure.blockers,
            unclear_to: exposure.open_lines,
        }
    }

    /// Returns whether a legal move of this position gives check.
    #[inline]
    pub fn has(&self, position: &Position, mv: Move) -> bool {
        if self.unclear_from.contains(mv.from()) || self.unclear_to.contains(mv.to()) {
            return position.gives_check(mv);
        }
        let kind = position.piece_on(mv.from()).map(Piece::kind);
        kind.is_some_and(|kind| self.squares[kind.index()].contains(mv.to()))
    }

    /// Returns the squares among the legal targets of a piece where it gives check. Its own square is
    /// none.
    #[inline]
    pub fn among(&self, position: &Position, from: Square, targets: Bitboard) -> Bitboard {
        let Some(piece) = position.piece_on(from) else { return Bitboard::EMPTY };
        let targets = targets.without(from);
        let is_unclear = self.unclear_from.contains(from);
        let unclear = if is_unclear { targets } else { targets & self.unclear_to };
        let mut checks = (targets - unclear) & self.squares[piece.kind().index()];
        for to in unclear {
            if position.gives_check(Move::between(from, to)) {
                checks.insert(to);
            }
        }
        checks
    }
}

impl Position {
    /// Returns whether a legal move gives check, found by trying; see [`Checks`] for many moves.
    pub fn gives_check(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side();
        let board = self.board();
        let king = self.king(!us);
        let Some(piece) = board.piece_on(from) else { return false };
        let occupied = self.occupied().without(from).with(to);
        let after = |kind| {
            let pieces = board.pieces(us, kind).without(from);
            if piece.kind() == kind { pieces.with(to) } else { pieces }
        };
        let lines = line_attacks(king, occupied);
        lines.rook.intersects(after(PieceKind::Rook))
            || lines.cannon.intersects(after(PieceKind::Cannon))
            || knight_attackers(king, occupied).intersects(after(PieceKind::Knight))
            || pawn_attackers(us, king).intersects(after(PieceKind::Pawn))
    }

    /// Returns the key of the position after a null move, without making it.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.key() ^ super::zobrist::SIDE
    }

    /// Returns the key of the position after a legal move, without making it.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let mut key = self.key_after_null();
        if let Some(piece) = self.piece_on(mv.from()) {
            key ^= super::zobrist::piece_key(piece, mv.from());
            key ^= super::zobrist::piece_key(piece, mv.to());
        }
        if let Some(captured) = self.captured(mv) {
            key ^= super::zobrist::piece_key(captured, mv.to());
        }
        key
    }
}
