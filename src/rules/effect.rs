//! What a single attack counts as, for explanations: a chase, or why not.

use std::fmt;

use serde::Serialize;

use crate::board::{Board, Move};
use crate::geometry::{Bitboard, PieceKind, Square, king_attacks, pawn_attacks};

use super::chases::{Chases, captures_from, chaseable, detect_block, drop_old, opens_king};
use super::protection::{is_exchange, is_protected};

/// What an attack counts as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// A new threat that the reply meets.
    Chase,
    /// Kings may attack for ever (WXF diagrams 67, 68).
    ByKing,
    /// Pawns may attack for ever (WXF diagram 69).
    ByPawn,
    /// A pawn that has not crossed the river may be attacked for ever (WXF diagram 60).
    UncrossedPawn,
    /// The capture would leave the attacker's own king to be captured.
    Pinned,
    /// The victim could capture the attacker, a piece of its kind, as well.
    Exchange,
    /// The victim has a real root (WXF diagrams 29, 30, 86, 87, 89).
    Protected,
    /// The same threat was there before the move.
    NotNew,
    /// The reply does nothing against the capture (WXF diagrams 10, 106).
    NotMet,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Effect::Chase => "chase",
            Effect::ByKing => "no chase: a king may attack",
            Effect::ByPawn => "no chase: a pawn may attack",
            Effect::UncrossedPawn => "no chase: the pawn has not crossed the river",
            Effect::Pinned => "no chase: the attacker is pinned",
            Effect::Exchange => "no chase: an offer to exchange",
            Effect::Protected => "no chase: protected",
            Effect::NotNew => "no chase: the threat is not new",
            Effect::NotMet => "no chase: the reply lets it hang",
        })
    }
}

/// What `capture`, possible after `mv` but for legality, counts as. `before` and `after` are the
/// positions around the move; `reply` follows it.
pub(super) fn effect(
    before: &Board,
    mv: Move,
    after: &mut Board,
    reply: Move,
    capture: Move,
) -> Effect {
    let (from, to) = (capture.from(), capture.to());
    let Some(piece) = after.piece_on(from) else { return Effect::Pinned };
    match piece.kind() {
        PieceKind::King => return Effect::ByKing,
        PieceKind::Pawn => return Effect::ByPawn,
        _ => {}
    }
    if !chaseable(after, piece.color()).contains(to) {
        return Effect::UncrossedPawn;
    }
    if opens_king(after, from, to) {
        return Effect::Pinned;
    }
    if is_exchange(after, from, to) {
        return Effect::Exchange;
    }
    if is_protected(after, from, to) {
        return Effect::Protected;
    }
    let mut chases = Chases::from_iter([capture]);
    drop_old(before, mv, &mut chases);
    if chases.is_empty() {
        return Effect::NotNew;
    }
    detect_block(after, reply, &mut chases);
    if chases.is_empty() { Effect::NotMet } else { Effect::Chase }
}

/// The enemy pieces but the king that the piece attacks, be it of a kind that chases or not.
pub(super) fn attacks_from(board: &Board, from: Square) -> Bitboard {
    let Some(piece) = board.piece_on(from) else { return Bitboard::EMPTY };
    let reach = match piece.kind() {
        PieceKind::King => king_attacks(from),
        PieceKind::Pawn => pawn_attacks(piece.color(), from),
        _ => captures_from(board, from),
    };
    reach & (board.color(!piece.color()) - board.kind(PieceKind::King))
}
