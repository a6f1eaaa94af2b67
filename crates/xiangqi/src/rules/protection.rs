//! Protection against capture: the roots of the victim, and exchanges.
//!
//! A protector that can legally recapture is a *real root*; one that cannot, since it would leave
//! its own king to be captured, is a *fake root* and protects nothing (WXF diagrams 83, 84, 108,
//! 110).

use crate::board::Board;
use crate::geometry::{Bitboard, Color, Piece, PieceKind, Square, knight_attacks, pawn_attacks};

/// Weights of pieces by the rule book, indexed by [`PieceKind`]: a victim heavier than its attacker
/// is worth capturing even if it is protected. The manual names only horse or cannon against a
/// chariot (WXF diagrams 18 to 25); advisors and bishops are weighted by the same principle, as in
/// the paper. A king is never a victim, and captures no protected piece.
const WEIGHT: [u8; 7] = [1, 2, 2, 4, 4, 9, u8::MAX];

/// Returns whether capturing the piece on `victim` with the one on `attacker` can be answered: the
/// victim has a real root and is not heavier than its attacker.
pub(super) fn is_protected(board: &Board, attacker: Square, victim: Square) -> bool {
    if is_outweighed(board, attacker, victim) {
        return false;
    }
    let Some(owner) = board.piece_on(victim).map(Piece::color) else { return false };
    guards(board, victim, board.occupied().without(attacker))
        .into_iter()
        .any(|root| can_recapture(board, owner, root, attacker, victim))
}

/// Returns whether the victim is protected by a root that guards it already, with the attacker
/// still on its square.
///
/// A root that only the capture itself would bring about (on the attacker's line, over the second
/// of two screens, past a freed leg) answers the capture, but until then the piece stands attacked
/// and unguarded. To take such a root away is no new attack (WXF diagrams 39 to 41; Tan and
/// Watkinson Medina, section 4.2).
pub(super) fn is_guarded(board: &Board, attacker: Square, victim: Square) -> bool {
    if is_outweighed(board, attacker, victim) {
        return false;
    }
    let roots = real_roots(board, attacker, victim);
    !roots.is_empty() && roots.intersects(guards(board, victim, board.occupied()))
}

/// Returns whether the victim is so much heavier than its attacker that no root makes up for it.
pub(super) fn is_outweighed(board: &Board, attacker: Square, victim: Square) -> bool {
    match (board.piece_on(attacker), board.piece_on(victim)) {
        (Some(by), Some(of)) => WEIGHT[of.kind().index()] > WEIGHT[by.kind().index()],
        _ => false,
    }
}

/// Returns the pieces that can legally recapture on `victim` after `attacker` has captured there.
pub(super) fn real_roots(board: &Board, attacker: Square, victim: Square) -> Bitboard {
    let Some(owner) = board.piece_on(victim).map(Piece::color) else {
        return Bitboard::EMPTY;
    };
    let mut roots = guards(board, victim, board.occupied().without(attacker));
    for root in roots {
        if !can_recapture(board, owner, root, attacker, victim) {
            roots.remove(root);
        }
    }
    roots
}

/// Returns the pieces that guard `victim` before or after the capture but cannot legally recapture:
/// they are pinned, or need the attacker as their screen.
pub(super) fn fake_roots(board: &Board, attacker: Square, victim: Square) -> Bitboard {
    let occupied = board.occupied();
    let before = guards(board, victim, occupied);
    let after = guards(board, victim, occupied.without(attacker));
    (before | after) - real_roots(board, attacker, victim)
}

/// Returns the pieces that guard `victim` after the capture but cannot legally recapture: another
/// piece of the attacker's side would capture their king.
pub(super) fn pinned_roots(board: &Board, attacker: Square, victim: Square) -> Bitboard {
    guards(board, victim, board.occupied().without(attacker)) - real_roots(board, attacker, victim)
}

/// Returns the other pieces of the attacker's side that guard the square of the victim after the
/// capture.
pub(super) fn recapturers(board: &Board, attacker: Square, victim: Square) -> Bitboard {
    let own = board.piece_on(attacker).map_or(Bitboard::EMPTY, |by| board.color(by.color()));
    board.attackers_to(victim, board.occupied().without(attacker)) & own
}

/// Returns the pieces of the attacker's side that hold [`pinned_roots`]: they would capture the king
/// after the recapture.
pub(super) fn pinners(board: &Board, attacker: Square, victim: Square) -> Bitboard {
    let owner = board.piece_on(victim).map(Piece::color);
    let Some((owner, king)) = owner.and_then(|owner| Some((owner, board.king(owner)?))) else {
        return Bitboard::EMPTY;
    };
    let own = board.color(!owner);
    let occupied = board.occupied().without(attacker).with(victim);
    let mut pinners = Bitboard::EMPTY;
    for root in pinned_roots(board, attacker, victim) {
        let king = if root == king { victim } else { king };
        pinners |= board.attackers_to(king, occupied.without(root)) & own;
    }
    pinners
}

/// Returns the pieces that guard the piece of their own on `sq`, pinned ones included, were the
/// occupied squares these.
fn guards(board: &Board, sq: Square, occupied: Bitboard) -> Bitboard {
    let own = board.piece_on(sq).map_or(Bitboard::EMPTY, |piece| board.color(piece.color()));
    board.attackers_to(sq, occupied) & own
}

/// Returns whether the recapture leaves the owner's king safe.
fn can_recapture(
    board: &Board,
    owner: Color,
    root: Square,
    attacker: Square,
    victim: Square,
) -> bool {
    let Some(king) = board.king(owner) else { return false };
    let king = if root == king { victim } else { king };
    let occupied = board.occupied().without(attacker).without(root).with(victim);
    let gone = Bitboard::from_square(attacker);
    !board.is_king_attacked(owner, king, occupied, gone)
}

/// Returns whether the two pieces, of one kind, attack each other and the victim can legally
/// capture first: an offer to exchange, which is no chase (WXF diagrams 53 and 55 show victims that
/// cannot).
pub(super) fn is_exchange(board: &Board, attacker: Square, victim: Square) -> bool {
    let (Some(by), Some(of)) = (board.piece_on(attacker), board.piece_on(victim)) else {
        return false;
    };
    if by.kind() != of.kind() {
        return false;
    }
    // Of the pieces that can capture their like a knight may be blocked one way, and a pawn that
    // has not crossed the river does not go sideways.
    let captures_back = match by.kind() {
        PieceKind::Knight => knight_attacks(victim, board.occupied()).contains(attacker),
        PieceKind::Pawn => pawn_attacks(of.color(), victim).contains(attacker),
        _ => true,
    };
    if !captures_back {
        return false;
    }
    let Some(king) = board.king(of.color()) else { return false };
    let occupied = board.occupied().without(victim);
    !board.is_king_attacked(of.color(), king, occupied, Bitboard::from_square(attacker))
}
