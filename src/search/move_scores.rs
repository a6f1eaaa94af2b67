//! The scores by which the moves of one stage are ordered.

use super::histories::{Histories, PieceTo, piece_to};
use crate::board::{Move, Position, SEE_VALUE};
use crate::geometry::{Bitboard, Color, PieceKind, knight_attacks, line_attacks, pawn_attacks};

/// The score of a capture: above all the captured piece, then the capture history.
pub(super) fn capture_score(position: &Position, histories: &Histories, mv: Move) -> i32 {
    match (position.piece_on(mv.from()), position.captured(mv)) {
        (Some(piece), Some(captured)) => {
            16 * SEE_VALUE[captured.kind().index()]
                + histories.capture(piece, mv.to(), captured.kind())
        }
        _ => 0,
    }
}

/// The score of a quiet move from the histories; `previous` are the pieces that moved one, two and
/// four plies ago.
pub(super) fn quiet_score(
    position: &Position,
    histories: &Histories,
    previous: &[Option<PieceTo>; 3],
    mv: Move,
) -> i32 {
    let Some(piece) = position.piece_on(mv.from()) else { return 0 };
    let moved = piece_to(piece, mv.to());
    2 * histories.butterfly(position.side(), mv)
        + 2 * histories.continuation(previous[0], moved)
        + histories.continuation(previous[1], moved)
        + histories.continuation(previous[2], moved)
}

/// Squares where the opponent captures with a cheaper piece: a reason to leave them, and not to
/// go there.
pub(super) struct Threats {
    by_pawn: Bitboard,
    /// By a pawn, a knight or a cannon.
    by_minor: Bitboard,
}

impl Threats {
    pub(super) fn of(position: &Position) -> Threats {
        let board = position.board();
        let occupied = board.occupied();
        let them: Color = !position.side();
        let mut by_pawn = Bitboard::EMPTY;
        for sq in board.pieces(them, PieceKind::Pawn) {
            by_pawn |= pawn_attacks(them, sq);
        }
        let mut by_minor = by_pawn;
        for sq in board.pieces(them, PieceKind::Knight) {
            by_minor |= knight_attacks(sq, occupied);
        }
        for sq in board.pieces(them, PieceKind::Cannon) {
            by_minor |= line_attacks(sq, occupied).cannon;
        }
        Threats { by_pawn, by_minor }
    }

    /// What the threats add to the score of a quiet move: positive if it leaves a threatened
    /// square, negative if it goes to one.
    pub(super) fn score(&self, position: &Position, mv: Move) -> i32 {
        let Some(piece) = position.piece_on(mv.from()) else { return 0 };
        let (threatened, weight) = match piece.kind() {
            PieceKind::Rook => (self.by_minor, 12_000),
            PieceKind::Knight | PieceKind::Cannon => (self.by_pawn, 7_000),
            _ => return 0,
        };
        weight
            * (i32::from(threatened.contains(mv.from())) - i32::from(threatened.contains(mv.to())))
    }
}
