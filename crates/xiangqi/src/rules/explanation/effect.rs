//! The ruling on a single attack: a chase, or the reason why it is none.

use crate::board::{Board, Move};
use crate::geometry::{Bitboard, PieceKind, Square, king_attacks, pawn_attacks};
use crate::rules::chases::{
    Chases, captures_from, chaseable, chases_in_position, detect_block, drop_old, opens_king,
    victims as chased,
};
use crate::rules::cxa::keeps_key_point;
use crate::rules::protection::{is_exchange, is_protected};

/// The ruling on an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Effect {
    /// A chase: by WXF a new threat that the reply meets, by CXA a new gain of material.
    Chase,
    /// A chase that needs the help of another piece (CXA 26.9).
    JointChase,
    /// Kings may attack without limit (WXF diagrams 67, 68).
    ByKing,
    /// Pawns may attack without limit (WXF diagram 69).
    ByPawn,
    /// A pawn that has not crossed the river may be attacked without limit (WXF diagram 60).
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
    /// By CXA: the capture wins no material, or the move has not made it win more than before.
    NoGain,
    /// By CXA: the only attacking piece of its side keeps a key point (26.2).
    KeyPoint,
}

impl Effect {
    /// Returns whether the attack is a chase.
    pub const fn is_chase(self) -> bool {
        matches!(self, Effect::Chase | Effect::JointChase)
    }

    /// Returns whether the roots of the victim matter for the ruling.
    pub(super) const fn depends_on_roots(self) -> bool {
        use Effect::{ByKing, ByPawn, Exchange, Pinned, UncrossedPawn};
        !matches!(self, ByKing | ByPawn | UncrossedPawn | Pinned | Exchange)
    }
}

/// A move with the boards around it and its reply.
pub(super) struct Played<'a> {
    pub(super) before: &'a Board,
    pub(super) after: &'a Board,
    pub(super) mv: Move,
    pub(super) reply: Move,
}

impl Played<'_> {
    /// Returns the ruling by WXF on `capture`, which is pseudo-legal after the move.
    pub(super) fn effect_by_wxf(&self, capture: Move) -> Effect {
        if let Some(excuse) = excuse(self.after, capture) {
            return excuse;
        }
        let mut chases = Chases::from_iter([capture]);
        drop_old(self.before, self.mv, &mut chases);
        if chases.is_empty() {
            return Effect::NotNew;
        }
        detect_block(&mut self.after.clone(), self.reply, &mut chases);
        if chases.is_empty() { Effect::NotMet } else { Effect::Chase }
    }

    /// Returns the ruling on `capture` by the rules of computer matches: the attack on the victim
    /// must be new, by any piece, and the reply does not matter.
    pub(super) fn effect_by_computer_rules(&self, capture: Move) -> Effect {
        if let Some(excuse) = excuse(self.after, capture) {
            return excuse;
        }
        let old = chased(&chases_in_position(self.before, self.before.side()));
        if old.contains(capture.to()) { Effect::NotNew } else { Effect::Chase }
    }

    /// Returns the ruling by CXA on `capture`, which is not one of the judge's chases.
    pub(super) fn effect_without_gain(&self, capture: Move) -> Effect {
        match excuse(self.after, capture) {
            Some(Effect::Protected) | None if keeps_key_point(self.before, self.mv, capture) => {
                Effect::KeyPoint
            }
            Some(Effect::Protected) | None => Effect::NoGain,
            Some(excuse) => excuse,
        }
    }

    /// Returns whether the capture was not possible before the move.
    pub(super) fn is_new(&self, capture: Move) -> bool {
        let has_moved = capture.from() == self.mv.to();
        let origin = if has_moved { self.mv.from() } else { capture.from() };
        !attacks_from(self.before, origin).contains(capture.to())
    }
}

/// Returns the reason why the capture would be no chase even if it were new.
fn excuse(board: &Board, capture: Move) -> Option<Effect> {
    let (from, to) = (capture.from(), capture.to());
    let Some(piece) = board.piece_on(from) else { return Some(Effect::Pinned) };
    match piece.kind() {
        PieceKind::King => Some(Effect::ByKing),
        PieceKind::Pawn => Some(Effect::ByPawn),
        _ if !chaseable(board, piece.color()).contains(to) => Some(Effect::UncrossedPawn),
        _ if opens_king(board, from, to) => Some(Effect::Pinned),
        _ if is_exchange(board, from, to) => Some(Effect::Exchange),
        _ if is_protected(board, from, to) => Some(Effect::Protected),
        _ => None,
    }
}

/// Returns the enemy pieces but the king that the piece attacks, whether or not its kind can chase.
pub(super) fn attacks_from(board: &Board, from: Square) -> Bitboard {
    let Some(piece) = board.piece_on(from) else { return Bitboard::EMPTY };
    let reach = match piece.kind() {
        PieceKind::King => king_attacks(from),
        PieceKind::Pawn => pawn_attacks(piece.color(), from),
        _ => captures_from(board, from),
    };
    reach & (board.color(!piece.color()) - board.kind(PieceKind::King))
}
