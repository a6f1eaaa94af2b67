//! Judging a repetition: each side's level, and the verdict of both.
//!
//! A repetition is a loop: the last `length` plies led from a position to the same position. The
//! loop is judged as a ring. The reply to its last move is its first, so the verdict does not
//! depend on where the loop was entered or who is to move when it closes.

use crate::board::{Move, Position};
use crate::geometry::{Bitboard, Color};

use super::chases::{carried, detect_block, drop_old, get_chases_of, step, victims as chased};
use super::history::{Ruling, occurrences};
use super::{Level, RuleSet, Verdict};

/// Judges the loop of the last `length` plies for the side to move.
///
/// `length` is even, at least 2, within [`crate::board::State::reversible_plies`], and leads back
/// to the same position.
pub fn judge(position: &Position, length: usize, rules: RuleSet) -> Verdict {
    let us = position.side();
    let own = judge_player(position, length, us, rules);
    Verdict::between(own, judge_player(position, length, !us, rules))
}

/// Judges the position if it has occurred at least `times` times, all that was played since the
/// first of the last `times` occurrences taken together.
pub fn judge_ntimes(position: &Position, times: usize, rules: RuleSet) -> Option<Ruling> {
    let earlier = occurrences(position).nth(times.max(2) - 2)?;
    let verdict = judge(position, position.ply() - earlier, rules);
    Some(Ruling { verdict, since: earlier })
}

/// The verdict as far as a search needs it: if a draw is good enough, a side that does not offend
/// itself need not know whether the opponent does. This saves half of the work (Tan and Watkinson
/// Medina, algorithm 10).
pub(super) fn judge_pruned(
    position: &Position,
    length: usize,
    rules: RuleSet,
    draw_is_enough: bool,
) -> Verdict {
    let us = position.side();
    let own = judge_player(position, length, us, rules);
    if own == Level::Idle && draw_is_enough {
        return Verdict::Draw;
    }
    Verdict::between(own, judge_player(position, length, !us, rules))
}

/// The level of one side in the loop of the last `length` plies; see [`judge`].
pub fn judge_player(position: &Position, length: usize, side: Color, rules: RuleSet) -> Level {
    if rules == RuleSet::None {
        return Level::Idle;
    }
    let states = position.states();
    let last = states.len() - 1;
    let first = last + 1 - length;
    // The side's moves are every second one; `newest` is its last.
    let newest = if position.side() == side { last - 1 } else { last };
    let own = |offset: usize| &states[newest - 2 * offset];
    let checks = (0..length / 2).filter(|&offset| own(offset).in_check()).count();
    if checks == length / 2 {
        return Level::PerpetualCheck;
    }
    // A loop of checks and chases is allowed (WXF 20.2).
    if checks > 0 || rules == RuleSet::CheckOnly {
        return Level::Idle;
    }

    let mv = |ply: usize| states[ply].mv;
    let mut board = position.board().clone();
    if let (true, Some(mv)) = (newest < last, mv(last)) {
        step(&mut board, mv.reversed());
    }
    // The pieces chased by all moves looked at, on their squares of the moment.
    let mut victims = Bitboard::ALL;
    let mut ply = newest;
    loop {
        let mut chases = get_chases_of(&board, side, victims);
        let reply = mv(if ply == last { first } else { ply + 1 });
        let (Some(own), Some(reply)) = (mv(ply), reply) else { return Level::Idle };
        if chases.is_empty() {
            return Level::Idle;
        }
        detect_block(&mut board, reply, &mut chases);
        step(&mut board, own.reversed());
        drop_old(&board, own, &mut chases);
        if chases.is_empty() {
            return Level::Idle;
        }
        victims = chased(&chases);
        if ply == first {
            break;
        }
        let Some(before) = mv(ply - 1) else { return Level::Idle };
        step(&mut board, before.reversed());
        victims = carried(victims, before.reversed());
        if ply == first + 1 {
            break;
        }
        ply -= 2;
    }
    let replies = states[first..].iter().filter_map(|state| state.mv);
    if same_each_turn(victims, replies).is_empty() { Level::Idle } else { Level::PerpetualChase }
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
