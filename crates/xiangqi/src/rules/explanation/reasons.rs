//! The rules that apply to a loop, by the kinds of its moves.

use crate::board::{Board, Position};
use crate::geometry::{Bitboard, Color, PieceKind, Square, between};
use crate::rules::chases::carried;
use crate::rules::cxa::Ground;
use crate::rules::judge::LoopRuling;
use crate::rules::{Level, RuleSet};

use super::attack::{Attack, PieceOn};
use super::conduct::{Conduct, always_hit};
use super::effect::Effect;
use super::explained_move::ExplainedMove;
use super::move_kind::MoveKind;
use super::reason::{Reason, ReasonKind};

/// Returns the reasons of a ruling, the one that decides first; at least one.
pub(super) fn find(
    ruling: &LoopRuling,
    conduct: &[Conduct; 2],
    moves: &[ExplainedMove],
    start: &Board,
    rules: RuleSet,
) -> Vec<Reason> {
    let finder = Finder { conduct, moves, start };
    let about_both = |kind| vec![Reason { kind, side: None, pieces: Vec::new() }];
    if let Some(ground) = ruling.ground {
        return Finder::by_cxa(ground, ruling.loser);
    }
    match (rules, ruling.red, ruling.black) {
        (RuleSet::None, ..) => return about_both(ReasonKind::NoRule),
        (_, Level::PerpetualCheck, Level::PerpetualCheck) => {
            return about_both(ReasonKind::MutualCheck);
        }
        (_, Level::PerpetualChase, Level::PerpetualChase) => {
            let mut reasons = about_both(ReasonKind::MutualChase);
            reasons.extend(finder.of_both(|side| {
                let kinds = finder.features(finder.conduct(side)).into_iter();
                let reason = |kind| Reason { kind, side: Some(side), pieces: Vec::new() };
                kinds.map(reason).collect()
            }));
            return reasons;
        }
        _ => {}
    }
    match ruling.loser {
        Some(loser) => finder.offences(loser),
        None if matches!(rules, RuleSet::Wxf | RuleSet::Axf) => finder.permissions(),
        None if rules == RuleSet::Computer
            && finder.has(MoveKind::Check)
            && finder.has(MoveKind::Chase) =>
        {
            about_both(ReasonKind::CheckInLoop)
        }
        None if rules == RuleSet::Computer => finder.permissions(),
        None => about_both(ReasonKind::NoRule),
    }
}

/// The facts that reasons are found from.
struct Finder<'a> {
    conduct: &'a [Conduct; 2],
    moves: &'a [ExplainedMove],
    start: &'a Board,
}

impl Finder<'_> {
    fn conduct(&self, side: Color) -> &Conduct {
        &self.conduct[side.index()]
    }

    fn own_moves(&self, side: Color) -> impl Iterator<Item = &ExplainedMove> {
        self.moves.iter().filter(move |mv| mv.side() == side)
    }

    fn has(&self, kind: MoveKind) -> bool {
        self.conduct.iter().any(|conduct| conduct.has(kind))
    }

    fn by_cxa(ground: Ground, loser: Option<Color>) -> Vec<Reason> {
        let kind = match ground {
            Ground::LongCheck => ReasonKind::PerpetualCheck,
            Ground::BothLongCheck => ReasonKind::MutualCheck,
            Ground::OneForbidden => ReasonKind::OneSideForbidden,
            Ground::NoneForbidden => ReasonKind::NeitherForbidden,
            Ground::Weight => ReasonKind::HeavierOffence,
            Ground::Joint => ReasonKind::JointChase,
            Ground::Equal => ReasonKind::EqualOffences,
            Ground::Undecided => ReasonKind::Undecided,
        };
        vec![Reason { kind, side: loser, pieces: Vec::new() }]
    }

    /// Returns the reasons why the side that offends more loses.
    fn offences(&self, loser: Color) -> Vec<Reason> {
        let reason = |kind| Reason { kind, side: Some(loser), pieces: Vec::new() };
        let own = self.conduct(loser);
        if own.level == Level::PerpetualCheck {
            return vec![match self.conduct(!loser).level {
                Level::PerpetualChase => reason(ReasonKind::CheckAgainstChase),
                _ => reason(ReasonKind::PerpetualCheck),
            }];
        }
        let mut reasons: Vec<_> = self.features(own).into_iter().map(reason).collect();
        let base = Reason { pieces: own.victims.clone(), ..reason(ReasonKind::PerpetualChase) };
        // A rook that no knight or cannon may chase, root or not, has an article of its own.
        let is_special =
            reasons.first().is_some_and(|first| first.kind == ReasonKind::RookByLesser);
        reasons.insert(usize::from(is_special), base);
        // A side that chases with every move, but different pieces, is no example of it.
        let other = self.conduct(!loser);
        let is_two_to_one = other.has(MoveKind::Chase) && other.kinds.len() > 1;
        reasons.extend(is_two_to_one.then(|| reason(ReasonKind::TwoToOne)));
        let excuses = self.permitted(!loser);
        reasons.extend(excuses.into_iter().filter(|excuse| excuse.kind.is_near_offence()));
        reasons
    }

    /// Returns special features of a perpetual chase.
    fn features(&self, own: &Conduct) -> Vec<ReasonKind> {
        let chases = self.chases_of_victims(own);
        let is_rook = |attack: &Attack| attack.victim.piece.kind() == PieceKind::Rook;
        let any = |test: &dyn Fn(&ExplainedMove, &Attack) -> bool| {
            chases.iter().any(|(mv, attack)| test(mv, attack))
        };
        let mut found = Vec::new();
        let mut add = |kind, holds: bool| found.extend(holds.then_some(kind));
        let is_lesser = |attack: &Attack| {
            matches!(attack.attacker.piece.kind(), PieceKind::Knight | PieceKind::Cannon)
        };
        add(ReasonKind::RookByLesser, any(&|_, attack| is_rook(attack) && is_lesser(attack)));
        let is_guard = |attack: &Attack| {
            matches!(attack.attacker.piece.kind(), PieceKind::Advisor | PieceKind::Bishop)
        };
        add(
            ReasonKind::HeavierByGuard,
            any(&|_, attack| is_guard(attack) && attack.is_outweighed && !attack.roots.is_empty()),
        );
        add(ReasonKind::SeveralChasers, self.chasers(own) > 1);
        add(
            ReasonKind::FakeRoot,
            any(&|_, attack| attack.roots.is_empty() && !attack.fake_roots.is_empty()),
        );
        add(
            ReasonKind::SameKindUnable,
            any(&|_, attack| attack.attacker.piece.kind() == attack.victim.piece.kind()),
        );
        add(
            ReasonKind::MovedScreen,
            any(&|mv, attack| {
                let line = between(attack.attacker.square, attack.victim.square);
                attack.attacker.piece.kind() == PieceKind::Cannon
                    && attack.attacker.square != mv.mv.to()
                    && (line.contains(mv.mv.from()) || line.contains(mv.mv.to()))
            }),
        );
        add(
            ReasonKind::CrossedPawn,
            any(&|_, attack| attack.victim.piece.kind() == PieceKind::Pawn),
        );
        add(ReasonKind::WithKingOrPawn, any(&|mv, _| is_king_or_pawn(mv.piece.kind())));
        let offers = |mv: &ExplainedMove| mv.kinds.contains(&MoveKind::Exchange);
        add(ReasonKind::WithExchange, self.own_moves(own.side).any(offers));
        let rooks = || own.victims.iter().filter(|on| on.piece.kind() == PieceKind::Rook);
        add(ReasonKind::ImmobileRook, rooks().any(|rook| self.always(own, rook, is_immobile)));
        add(ReasonKind::PinningRook, rooks().any(|rook| self.always(own, rook, pins)));
        found
    }

    /// Returns the moves of the side with their chases of the pieces that it always chases.
    fn chases_of_victims(&self, own: &Conduct) -> Vec<(&ExplainedMove, &Attack)> {
        let mut now: Bitboard = own.victims.iter().map(|on| on.square).collect();
        let mut found = Vec::new();
        for mv in self.moves {
            now = carried(now, mv.mv);
            if mv.side() == own.side {
                let chases = mv.attacks.iter().filter(|attack| attack.effect.is_chase());
                let of_victims = chases.filter(|attack| now.contains(attack.victim.square));
                found.extend(of_victims.map(|attack| (mv, attack)));
            }
        }
        found
    }

    /// Returns the number of the side's pieces that chase its constant victims.
    fn chasers(&self, own: &Conduct) -> usize {
        let chases = self.chases_of_victims(own);
        let is_chaser = |square: &Square| {
            let mut now = Bitboard::from(*square);
            self.moves.iter().any(|mv| {
                now = carried(now, mv.mv);
                chases.iter().any(|(by, attack)| {
                    std::ptr::eq(*by, mv) && now.contains(attack.attacker.square)
                })
            })
        };
        self.start.color(own.side).into_iter().filter(is_chaser).count()
    }

    /// Returns whether something holds for the rook after every move of the side that chases it.
    fn always(&self, own: &Conduct, rook: &PieceOn, holds: fn(&Position, Square) -> bool) -> bool {
        let Ok(mut position) = Position::from_board(self.start.clone(), 0) else { return false };
        let mut now = Bitboard::from(rook.square);
        self.moves.iter().all(|mv| {
            now = carried(now, mv.mv);
            position.play_unchecked(mv.mv);
            mv.side() != own.side || now.into_iter().all(|sq| holds(&position, sq))
        })
    }

    /// Returns the reasons of both sides: first those of the side that is nearer to an offence, then
    /// by their kinds, so that the order does not depend on the colours.
    fn of_both(&self, of: impl Fn(Color) -> Vec<Reason>) -> Vec<Reason> {
        let first = self.moves.first().map_or(Color::Red, ExplainedMove::side);
        let mut sides = [first, !first].map(of);
        sides.sort_by_cached_key(|reasons| {
            let distance = reasons.first().map(|reason| reason.kind.distance());
            let kinds: Vec<u8> = reasons.iter().map(|reason| reason.kind as u8).collect();
            (distance, kinds)
        });
        merged(sides.into_iter().flatten())
    }

    /// Returns the reasons why the conduct of both sides is allowed.
    fn permissions(&self) -> Vec<Reason> {
        let mut reasons = self.of_both(|side| self.permitted(side));
        if reasons.iter().any(|reason| !reason.kind.is_default()) {
            reasons.retain(|reason| !reason.kind.is_default());
        }
        reasons
    }

    /// Returns the reasons why the conduct of the side is allowed.
    fn permitted(&self, side: Color) -> Vec<Reason> {
        let own = self.conduct(side);
        let reason = |kind| Reason { kind, side: Some(side), pieces: Vec::new() };
        if own.has(MoveKind::Check) {
            return vec![reason(self.beside_checks(side))];
        }
        if own.only_kind() == Some(MoveKind::Chase) {
            return vec![reason(ReasonKind::SeveralVictims)];
        }
        // Beside chases, that one attack is none because of a root or a reply does not decide.
        let has_chase = own.has(MoveKind::Chase);
        let is_late = |excuse: &Reason| has_chase && excuse.kind.is_about_one_attack();
        let (late, mut found): (Vec<_>, Vec<_>) = self.excuses(side).into_iter().partition(is_late);
        let threatens = |mv: &ExplainedMove| {
            mv.kinds.contains(&MoveKind::Kill) || mv.kinds.contains(&MoveKind::CaptureByCheck)
        };
        let is_chase = |mv: &ExplainedMove| mv.class() == MoveKind::Chase;
        let all_threaten = self.own_moves(side).all(|mv| is_chase(mv) || threatens(mv));
        let is_common = |kind| own.common.contains(&kind);
        let by_kind = [
            (has_chase && all_threaten, ReasonKind::ChaseAndThreat),
            (has_chase, ReasonKind::ChaseAndIdle),
            (own.has(MoveKind::Kill) && all_threaten, ReasonKind::KillAndCapture),
            (own.has(MoveKind::Kill), ReasonKind::KillAndIdle),
        ];
        // The kinds of all moves come before those that take turns.
        for (kinds, allowed) in [
            (&[MoveKind::Kill][..], ReasonKind::PerpetualKill),
            (&[MoveKind::CaptureByCheck], ReasonKind::CaptureByCheck),
            (&[MoveKind::Exchange, MoveKind::Offer], ReasonKind::Offer),
            (&[MoveKind::Block], ReasonKind::Block),
        ] {
            found.extend(kinds.iter().any(|&kind| is_common(kind)).then(|| reason(allowed)));
        }
        let by_kind = by_kind.into_iter().find(|(holds, _)| *holds);
        let by_kind = by_kind.filter(|_| !is_common(MoveKind::Kill));
        found.extend(by_kind.map(|(_, kind)| reason(kind)));
        found.extend(late);
        if found.is_empty() {
            found.push(reason(ReasonKind::OnlyIdle));
        }
        found
    }

    /// Returns the rule on a side's moves other than checks.
    fn beside_checks(&self, side: Color) -> ReasonKind {
        let others = || self.own_moves(side).filter(|mv| mv.class() != MoveKind::Check);
        let beside = [
            (MoveKind::Kill, ReasonKind::CheckAndKill),
            (MoveKind::CaptureByCheck, ReasonKind::CheckAndCapture),
            (MoveKind::Chase, ReasonKind::CheckAndChase),
        ];
        let does = |mv: &ExplainedMove, kind| mv.kinds.contains(&kind);
        let found = beside.iter().find(|(kind, _)| others().all(|mv| does(mv, *kind)));
        match found {
            Some(&(_, reason)) => reason,
            None if others().all(|mv| beside.iter().any(|(kind, _)| does(mv, *kind))) => {
                ReasonKind::CheckAndThreats
            }
            None => ReasonKind::CheckAndIdle,
        }
    }

    /// Returns the reasons why attacks on a piece by every move of the side are no perpetual chase.
    fn excuses(&self, side: Color) -> Vec<Reason> {
        let live = |attack: &&Attack| attack.is_worth_showing();
        let attacked = |mv: &ExplainedMove| -> Bitboard {
            mv.attacks.iter().filter(live).map(|attack| attack.victim.square).collect()
        };
        let mut victims = always_hit(side, self.moves, self.start, attacked);
        let pieces = PieceOn::all(self.start, victims);
        let mut found: Vec<Reason> = Vec::new();
        for mv in self.moves {
            victims = carried(victims, mv.mv);
            if mv.side() != side {
                continue;
            }
            let of_victims =
                mv.attacks.iter().filter(live).filter(|on| victims.contains(on.victim.square));
            let mut kinds: Vec<ReasonKind> = of_victims.filter_map(allowed_effect).collect();
            kinds.sort_unstable_by_key(|&kind| kind as u8);
            for kind in kinds {
                if found.iter().all(|known| known.kind != kind) {
                    found.push(Reason { kind, side: Some(side), pieces: pieces.clone() });
                }
            }
        }
        if found.len() > 1 {
            found.retain(|reason| reason.kind != ReasonKind::NotNew);
        }
        // That a reply lets a piece hang explains less than why it might.
        found.sort_by_key(|reason| reason.kind == ReasonKind::NotMet);
        found
    }
}

/// Returns the reasons, those of one kind that are about either side made one that is about both.
fn merged(found: impl Iterator<Item = Reason>) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for reason in found {
        match reasons.iter_mut().find(|known| known.kind == reason.kind) {
            Some(known) => {
                known.side = None;
                known.pieces.extend(reason.pieces);
            }
            None => reasons.push(reason),
        }
    }
    reasons
}

/// Returns the rule that allows the attack; nothing if it is a chase.
fn allowed_effect(attack: &Attack) -> Option<ReasonKind> {
    let is_same_kind = attack.attacker.piece.kind() == attack.victim.piece.kind();
    Some(match attack.effect {
        Effect::ByKing | Effect::ByPawn => ReasonKind::ByKingOrPawn,
        Effect::UncrossedPawn => ReasonKind::UncrossedPawn,
        Effect::Pinned => ReasonKind::PinnedAttacker,
        Effect::Exchange => ReasonKind::SameKind,
        Effect::Protected if is_same_kind => ReasonKind::SameKindProtected,
        Effect::Protected => ReasonKind::Protected,
        Effect::NotMet => ReasonKind::NotMet,
        Effect::NotNew => ReasonKind::NotNew,
        Effect::Chase | Effect::JointChase | Effect::NoGain | Effect::KeyPoint => return None,
    })
}

/// Returns whether the rook on the square, whose side is to move, has no legal move but captures.
fn is_immobile(position: &Position, rook: Square) -> bool {
    let mut moves = position.legal_moves().into_iter();
    moves.all(|mv| mv.from() != rook || position.is_capture(mv))
}

/// Returns whether a piece of the other side may not leave the line between the rook and its king.
fn pins(position: &Position, rook: Square) -> bool {
    let board = position.board();
    let Some(side) = board.piece_on(rook).map(|piece| !piece.color()) else { return false };
    let Some(king) = board.king(side) else { return false };
    let attacks = |occupied| board.attackers_to(king, occupied).contains(rook);
    let occupied = board.occupied();
    let is_pinned = |sq| attacks(occupied.without(sq));
    !attacks(occupied) && board.color(side).into_iter().any(is_pinned)
}

fn is_king_or_pawn(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::King | PieceKind::Pawn)
}
