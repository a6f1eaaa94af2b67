//! Threats of a side to capture, their novelty, and replies that meet them.
//!
//! A move chases a piece if it makes a threat to capture it that was not there before (direct,
//! discovered, by a new screen or by taking a protector away) and if the reply meets that threat. A
//! threat that the opponent lets stand, because it threatens more itself or sacrifices, was not a
//! chase (WXF diagrams 10 and 106).

use arrayvec::ArrayVec;

use crate::board::{Board, Move};
use crate::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, advisor_attacks, bishop_attacks, cannon_attacks,
    king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};

use super::protection::{is_exchange, is_guarded, is_protected, real_roots};

/// The most captures that the rooks, cannons, knights, advisors and bishops of a position can
/// threaten at once.
const MAX_CHASES: usize = 2 * (4 + 4 + 8 + 4 + 4);

/// Threats to capture, on the stack; each move is a capture by the threatening side.
pub(super) type Chases = ArrayVec<Move, MAX_CHASES>;

/// Returns all captures that `chaser` threatens as a chase does, whosever turn it is.
pub fn chases_of(board: &Board, chaser: Color) -> Vec<Move> {
    let mut chases = Vec::new();
    find_chases(board, chaser, |chase| chases.push(chase));
    chases
}

/// Returns what [`chases_of`] does, for the board of a position.
pub(super) fn chases_in_position(board: &Board, chaser: Color) -> Chases {
    let mut chases = Chases::new();
    find_chases(board, chaser, |chase| chases.push(chase));
    chases
}

#[inline]
fn find_chases(board: &Board, chaser: Color, mut found: impl FnMut(Move)) {
    let victims = chaseable(board, chaser);
    let chasers = board.color(chaser) - board.kind(PieceKind::King) - board.kind(PieceKind::Pawn);
    for from in chasers {
        for to in captures_from(board, from) & victims {
            if is_winning(board, from, to, is_protected) {
                found(Move::between(from, to));
            }
        }
    }
}

/// Returns whether a capture is a threat to win something: a piece can make it, legally and other
/// than king or pawn, of another piece than the king or a pawn that has not crossed the river; it
/// is no exchange, and the victim is not protected.
///
/// A check on the capturing side is ignored: a move that gives check is a counter-threat, it does
/// nothing for the piece that hangs.
pub(super) fn is_threat(board: &Board, capture: Move) -> bool {
    is_possible(board, capture) && is_winning(board, capture.from(), capture.to(), is_protected)
}

/// Returns what [`is_threat`] does, for a capture by a king or pawn: it is no chase, but what it
/// takes can be offered.
pub(super) fn is_threat_of_king_or_pawn(board: &Board, capture: Move) -> bool {
    let (from, to) = (capture.from(), capture.to());
    let Some(piece) = board.piece_on(from) else { return false };
    let side = piece.color();
    if !chaseable(board, side).contains(to) {
        return false;
    }
    match piece.kind() {
        PieceKind::King => {
            let occupied = board.occupied().without(from);
            king_attacks(from).contains(to)
                && !board.is_king_attacked(side, to, occupied, Bitboard::from_square(to))
        }
        PieceKind::Pawn => {
            // Even with a recapture a rook is more than a pawn.
            let is_rook = board.kind(PieceKind::Rook).contains(to);
            let is_answered =
                |board: &Board, from, to| !is_rook && !real_roots(board, from, to).is_empty();
            pawn_attacks(side, from).contains(to) && is_winning(board, from, to, is_answered)
        }
        _ => false,
    }
}

/// Drops the threats that the reply does not meet; the others it has met: the victim has moved
/// out of the attack, or the attack is blocked, or the victim is protected now.
///
/// `board` is the position before the reply, with the replying side to move.
pub(super) fn detect_block(board: &mut Board, reply: Move, chases: &mut Chases) {
    step(board, reply);
    chases.retain(|chase| {
        let victim = if chase.to() == reply.from() { reply.to() } else { chase.to() };
        !is_threat(board, Move::between(chase.from(), victim))
    });
    step(board, reply.reversed());
}

/// Drops the threats that `mv` found already there. `board` is the position before the move.
pub(super) fn drop_old(board: &Board, mv: Move, chases: &mut Chases) {
    chases.retain(|chase| {
        let attacker = if chase.from() == mv.to() { mv.from() } else { chase.from() };
        let capture = Move::between(attacker, chase.to());
        let old =
            is_possible(board, capture) && is_winning(board, attacker, chase.to(), is_guarded);
        !old
    });
}

/// Returns the victims of the threats.
pub(super) fn victims(chases: &Chases) -> Bitboard {
    chases.iter().map(|chase| chase.to()).collect()
}

/// Returns the set after the move: a piece that moves takes its membership along.
#[inline]
pub(super) fn carried(set: Bitboard, mv: Move) -> Bitboard {
    if set.contains(mv.from()) { set.without(mv.from()).with(mv.to()) } else { set }
}

/// Makes a move that captures nothing.
#[inline]
pub(super) fn step(board: &mut Board, mv: Move) {
    if let Some(piece) = board.take(mv.from()) {
        board.place(piece, mv.to());
    }
    board.set_side(!board.side());
}

/// Returns the enemy pieces that a piece may not chase perpetually: all but the king and the pawns
/// that have not crossed the river.
#[inline]
pub(super) fn chaseable(board: &Board, chaser: Color) -> Bitboard {
    let pawns = board.kind(PieceKind::Pawn);
    board.color(!chaser) - board.kind(PieceKind::King) - (pawns & (!chaser).home())
}

/// Returns whether the capture is of a kind that counts and the piece attacks its target.
fn is_possible(board: &Board, capture: Move) -> bool {
    let (from, to) = (capture.from(), capture.to());
    board.piece_on(from).is_some_and(|piece| chaseable(board, piece.color()).contains(to))
        && captures_from(board, from).contains(to)
}

/// Returns whether a possible capture is legal, no exchange and not answered by a root.
#[inline]
fn is_winning(
    board: &Board,
    from: Square,
    to: Square,
    is_answered: impl Fn(&Board, Square, Square) -> bool,
) -> bool {
    !is_exchange(board, from, to) && !is_answered(board, from, to) && !opens_king(board, from, to)
}

/// Returns whether the capture opens the own king to a piece that did not attack it before.
pub(super) fn opens_king(board: &Board, from: Square, to: Square) -> bool {
    let Some(side) = board.piece_on(from).map(Piece::color) else { return true };
    let Some(king) = board.king(side) else { return true };
    let occupied = board.occupied().without(from);
    if !board.is_king_attacked(side, king, occupied, Bitboard::from_square(to)) {
        return false;
    }
    let enemies = board.color(!side).without(to);
    let before = board.attackers_to(king, board.occupied());
    let after = board.attackers_to(king, occupied);
    (after - before).intersects(enemies)
}

/// Returns the attacks of the piece, if it is of a kind that chases. Kings and pawns may attack
/// without limit (WXF diagrams 67 to 69).
#[inline]
pub(super) fn captures_from(board: &Board, from: Square) -> Bitboard {
    let occupied = board.occupied();
    match board.piece_on(from).map(Piece::kind) {
        Some(PieceKind::Rook) => rook_attacks(from, occupied),
        Some(PieceKind::Cannon) => cannon_attacks(from, occupied) & occupied,
        Some(PieceKind::Knight) => knight_attacks(from, occupied),
        Some(PieceKind::Bishop) => bishop_attacks(from, occupied),
        Some(PieceKind::Advisor) => advisor_attacks(from),
        _ => Bitboard::EMPTY,
    }
}
