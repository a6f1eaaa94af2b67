//! Judging a repetition: each side's level, and the verdict of both.
//!
//! A repetition is a loop: the last `length` plies led from a position to the same position. The
//! loop is judged as a ring. The reply to its last move is its first, so the verdict does not
//! depend on where the loop was entered or who is to move when it closes.

use crate::board::{Move, Position};
use crate::geometry::{Bitboard, Color};

use super::chases::{Chases, carried, detect_block, step, victims as chased};
use super::entries::{Entries, Status};
use super::occurrences::occurrences;
use super::{Level, RuleSet, Verdict};

/// A position that has occurred before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// What it is worth to the side to move.
    pub verdict: Verdict,
    /// The [`Position::ply`] of the earlier occurrence.
    pub since: usize,
}

/// Judges the loop of the last `length` plies for the side to move.
///
/// `length` is even, at least 2, within [`crate::board::State::reversible_plies`], and leads back
/// to the same position.
pub fn judge(position: &Position, length: usize, rules: RuleSet) -> Verdict {
    judge_pruned(&mut Entries::of(position), position, length, rules, false)
}

/// Judges the position if it has occurred at least `times` times, all that was played since the
/// first of the last `times` occurrences taken together.
pub fn judge_ntimes(position: &Position, times: usize, rules: RuleSet) -> Option<Ruling> {
    let earlier = occurrences(position).nth(times.max(2) - 2)?;
    let verdict = judge(position, position.ply() - earlier, rules);
    Some(Ruling { verdict, since: earlier })
}

/// The level of one side in the loop of the last `length` plies; see [`judge`].
pub fn judge_player(position: &Position, length: usize, side: Color, rules: RuleSet) -> Level {
    level(&mut Entries::of(position), position, length, side, rules)
}

/// The verdict as far as a search needs it: if a draw is good enough, a side that does not offend
/// itself need not know whether the opponent does. This saves half of the work (Tan and Watkinson
/// Medina, algorithm 10).
pub(super) fn judge_pruned(
    entries: &mut Entries,
    position: &Position,
    length: usize,
    rules: RuleSet,
    draw_is_enough: bool,
) -> Verdict {
    let us = position.side();
    let own = level(entries, position, length, us, rules);
    if own == Level::Idle && draw_is_enough {
        return Verdict::Draw;
    }
    Verdict::between(own, level(entries, position, length, !us, rules))
}

/// The level of one side, first by the status of its moves, then by what they have chased.
fn level(
    entries: &mut Entries,
    position: &Position,
    length: usize,
    side: Color,
    rules: RuleSet,
) -> Level {
    if rules == RuleSet::None {
        return Level::Idle;
    }
    let last = position.ply();
    let first = last + 1 - length;
    // The side's moves are every second one.
    let newest = if position.side() == side { last - 1 } else { last };
    let own = (first..=newest).rev().step_by(2);
    let count = |status| own.clone().filter(|&ply| entries.status(ply) == status).count();
    let checks = count(Status::Check);
    if checks == length / 2 {
        return Level::PerpetualCheck;
    }
    // A loop of checks and chases is allowed (WXF 20.2).
    if checks > 0 || rules == RuleSet::CheckOnly || count(Status::Idle) > 0 {
        return Level::Idle;
    }
    if chased_throughout(entries, position, first, newest).is_empty() {
        Level::Idle
    } else {
        Level::PerpetualChase
    }
}

/// The pieces that each move of a side chases, on their squares before the move of ply `first`.
/// The loop are the plies from there on; `newest` is the last one of the side, whose moves give no
/// check.
fn chased_throughout(
    entries: &mut Entries,
    position: &Position,
    first: usize,
    newest: usize,
) -> Bitboard {
    let states = position.states();
    let last = position.ply();
    let mv = |ply: usize| states[ply].mv;
    let mut board = position.board().clone();
    if let (true, Some(mv)) = (newest < last, mv(last)) {
        step(&mut board, mv.reversed());
    }
    // The pieces chased by all moves looked at, on their squares of the moment.
    let mut victims = Bitboard::ALL;
    for ply in (first..=newest).rev().step_by(2) {
        let reply = mv(if ply == last { first } else { ply + 1 });
        let (Some(own), Some(reply)) = (mv(ply), reply) else { return Bitboard::EMPTY };
        let threats = entries.threats(ply, &mut board, own).iter();
        let mut chases: Chases =
            threats.copied().filter(|threat| victims.contains(threat.to())).collect();
        if !chases.is_empty() {
            detect_block(&mut board, reply, &mut chases);
        }
        if chases.is_empty() {
            return Bitboard::EMPTY;
        }
        victims = chased(&chases);
        step(&mut board, own.reversed());
        if ply > first {
            let Some(before) = mv(ply - 1) else { return Bitboard::EMPTY };
            step(&mut board, before.reversed());
            victims = carried(victims, before.reversed());
        }
    }
    let replies = states[first..].iter().filter_map(|state| state.mv);
    same_each_turn(victims, replies)
}

/// The victims that are still victims when the loop is played again: equal pieces may have
/// changed places within it.
fn same_each_turn(victims: Bitboard, moves: impl Iterator<Item = Move> + Clone) -> Bitboard {
    let mut kept = victims;
    loop {
        let before = kept;
        for victim in before {
            let end = moves.clone().fold(Bitboard::from(victim), carried);
            if !before.intersects(end) {
                kept.remove(victim);
            }
        }
        if kept == before {
            return kept;
        }
    }
}
