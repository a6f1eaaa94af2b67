//! Dead material: positions that neither side can win.

use crate::board::Board;
use crate::geometry::{Color, PieceKind};

/// Returns whether neither side can win: no piece is left that can cross the river, or only a
/// cannon without the screens that it needs.
///
/// With a lone cannon no mate or stalemate exists if its side has no advisor and the other at
/// most one, which the cannon's side must have no bishops for. `crates/xiangqi/tests/all/rules/material.rs`
/// proves it by going through all such positions.
pub fn is_dead(board: &Board) -> bool {
    let pieces = |kind| board.kind(kind);
    let others = pieces(PieceKind::Rook) | pieces(PieceKind::Knight) | pieces(PieceKind::Pawn);
    if !others.is_empty() {
        return false;
    }
    let cannons = pieces(PieceKind::Cannon);
    let Some(cannon) = cannons.first() else { return true };
    let owner = if board.color(Color::Red).contains(cannon) { Color::Red } else { Color::Black };
    !cannons.has_many()
        && board.pieces(owner, PieceKind::Advisor).is_empty()
        && match board.pieces(!owner, PieceKind::Advisor).len() {
            0 => true,
            1 => board.pieces(owner, PieceKind::Bishop).is_empty(),
            _ => false,
        }
}
