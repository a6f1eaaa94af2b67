//! Kinds of moves: check, chase, kill, exchange, offer, block, follow or idle.

use crate::board::{Board, Move, Position};
use crate::geometry::{PieceKind, between, lines_of};
use crate::rules::RuleSet;
use crate::rules::chases::{chases_in_position, is_threat, is_threat_of_king_or_pawn};
use crate::rules::cxa::{ThreatByCheck, mates_soon};

use super::attack::Attack;
use super::effect::{Effect, Played};

/// The kind of a move, in the terms of referees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum MoveKind {
    /// 将. It gives check.
    Check,
    /// 杀. It threatens to mate by checks.
    Kill,
    /// 捉. It chases a piece.
    Chase,
    /// 要抽吃. It threatens to win a piece by giving check first.
    CaptureByCheck,
    /// 兑. A piece newly attacks one of its kind that can capture it as well.
    Exchange,
    /// 献. The piece that moves can be captured without compensation.
    Offer,
    /// 拦. It stands in the way of a threat.
    Block,
    /// 跟. It attacks a protected piece, and none without a root.
    Follow,
    /// 闲. None of these.
    Idle,
}

impl MoveKind {
    /// Returns the weight of the kind: the heaviest of several names the move (CXA 26.4). Only the
    /// Chinese rules forbid threats of mate, so elsewhere a chase is heavier than a kill.
    fn rank(self, rules: RuleSet) -> u8 {
        match self {
            MoveKind::Chase if rules != RuleSet::Cxa => 1,
            _ => 2 * self as u8,
        }
    }
}

/// Returns all kinds of the move, heaviest first; at least one. `attacks` are those of the mover
/// after it, `threat` is its threat by check.
pub(super) fn kinds_of(
    played: &Played,
    attacks: &[Attack],
    threat: Option<&ThreatByCheck>,
    rules: RuleSet,
) -> Vec<MoveKind> {
    let mut kinds = Vec::new();
    let after = Position::from_board(played.after.clone(), 0).ok();
    let checks = after.as_ref().is_some_and(Position::in_check);
    if checks {
        kinds.push(MoveKind::Check);
    }
    if matches!(rules, RuleSet::CheckOnly | RuleSet::None) {
        kinds.extend((!checks).then_some(MoveKind::Idle));
        return kinds;
    }
    if attacks.iter().any(|attack| attack.effect.is_chase()) {
        kinds.push(MoveKind::Chase);
    }
    if let Some(threat) = threat {
        // The Chinese rules call every gain by checks a chase (24.3).
        let is_chase = rules == RuleSet::Cxa && threat.gain.is_some();
        kinds.extend((is_chase && !kinds.contains(&MoveKind::Chase)).then_some(MoveKind::Chase));
        if !threat.is_mate {
            kinds.push(MoveKind::CaptureByCheck);
        } else if !is_chase {
            kinds.push(MoveKind::Kill);
        }
    }
    if attacks.iter().any(|attack| attack.is_new && attack.effect == Effect::Exchange) {
        kinds.push(MoveKind::Exchange);
    }
    if is_offer(played.after, played.mv) {
        kinds.push(MoveKind::Offer);
    }
    if is_block(played, after) {
        kinds.push(MoveKind::Block);
    }
    if kinds.is_empty() {
        kinds.push(if follows(played, attacks) { MoveKind::Follow } else { MoveKind::Idle });
    }
    kinds.sort_by_key(|kind| kind.rank(rules));
    kinds
}

/// Returns whether the piece that has moved attacks a protected piece, and no attack of the move is
/// on a piece without a root.
fn follows(played: &Played, attacks: &[Attack]) -> bool {
    let by_mover = |attack: &&Attack| attack.attacker.square == played.mv.to();
    let has_no_root = |attack: &Attack| attack.roots.is_empty() && attack.is_worth_showing();
    attacks.iter().filter(by_mover).any(Attack::is_on_protected) && !attacks.iter().any(has_no_root)
}

/// Returns whether the opponent threatens to win the piece that has moved.
fn is_offer(after: &Board, mv: Move) -> bool {
    let attackers = after.attackers_to(mv.to(), after.occupied()) & after.color(after.side());
    attackers.into_iter().any(|from| {
        let capture = Move::between(from, mv.to());
        is_threat(after, capture) || is_threat_of_king_or_pawn(after, capture)
    })
}

/// Returns whether the piece that has moved stands in the way of a check, of a mate or of a capture
/// that the opponent threatened before the move.
fn is_block(played: &Played, after: Option<Position>) -> bool {
    let (board, mv) = (played.before, played.mv);
    let side = board.side();
    let Some(king) = board.king(side).filter(|&king| king != mv.from()) else { return false };
    let (Ok(mut before), Some(mut after)) = (Position::from_board(board.clone(), 0), after) else {
        return false;
    };
    if before.in_check() {
        return before.checkers().into_iter().any(|sq| between(sq, king).contains(mv.to()));
    }
    let blocks_capture = chases_in_position(board, !side).iter().any(|capture| {
        // A piece that moves towards its attacker stands in no other's way.
        capture.to() != mv.from()
            && between(capture.from(), capture.to()).contains(mv.to())
            && !is_threat(played.after, *capture)
    });
    if blocks_capture {
        return true;
    }
    let rooks_and_cannons = board.kind(PieceKind::Rook) | board.kind(PieceKind::Cannon);
    let stands_in_line = (board.color(!side) & rooks_and_cannons).into_iter().any(|sq| {
        lines_of(sq).contains(mv.to()) && (between(sq, mv.to()) & board.occupied()).len() < 2
    });
    if !stands_in_line || after.in_check() {
        return false;
    }
    before.make_null();
    mates_soon(&mut before) && !mates_soon(&mut after)
}
