//! Judging a repetition: each side's level, and the verdict of both.
//!
//! A repetition is a loop: the last `length` plies led from a position to the same position. The
//! loop is judged as a ring. The reply to its last move is its first, so the verdict does not
//! depend on where the loop was entered or who is to move when it closes.

use crate::board::{Move, Position};
use crate::geometry::{Bitboard, Color};

use super::chases::{Chases, carried, chases_in_position, detect_block, step, victims as chased};
use super::cxa::{ClassifiedMove, CxaClass, Ground, SideLoop};
use super::entries::{Entries, Status};
use super::occurrences::occurrences;
use super::{Level, RuleSet, Wdl};

/// A position that has occurred before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ruling {
    /// The verdict for the side to move.
    pub verdict: Wdl,
    /// The [`Position::ply`] of the earlier occurrence from which on the moves were judged.
    pub since: usize,
}

/// The conduct of both sides in a loop, and the loser; see [`judge_loop`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LoopRuling {
    /// Red's conduct.
    pub red: Level,
    /// Black's conduct.
    pub black: Level,
    /// The side that must change or lose; `None` if the loop is a draw.
    pub loser: Option<Color>,
    /// True if the ruling depends on a search for kills and gains that ran out of nodes (only by
    /// the Chinese rules). Offences may be missed, never invented; no side is penalised.
    pub is_undecided: bool,
    /// The ground of the ruling by the Chinese rules; `None` by the others.
    pub ground: Option<Ground>,
}

impl LoopRuling {
    /// Returns the ruling by levels: who offends more loses.
    fn by_levels(red: Level, black: Level) -> LoopRuling {
        let loser = match red.against(black) {
            Wdl::Win => Some(Color::Black),
            Wdl::Draw => None,
            Wdl::Loss => Some(Color::Red),
        };
        LoopRuling { red, black, loser, is_undecided: false, ground: None }
    }

    /// Returns the level of a side.
    pub fn level(&self, side: Color) -> Level {
        match side {
            Color::Red => self.red,
            Color::Black => self.black,
        }
    }

    /// Returns the verdict from the view of a side.
    pub fn verdict(&self, side: Color) -> Wdl {
        verdict_for(side, self.loser)
    }
}

/// Returns the verdict from the view of a side.
fn verdict_for(side: Color, loser: Option<Color>) -> Wdl {
    match loser {
        None => Wdl::Draw,
        Some(loser) if loser == side => Wdl::Loss,
        Some(_) => Wdl::Win,
    }
}

/// Judges the loop of the last `length` plies.
///
/// # Panics
/// If these plies are no loop: `length` is even and within
/// [`State::reversible_plies`](crate::board::State::reversible_plies), and leads back to the same
/// position, as [`occurrences`] finds it.
///
/// ```
/// use xiangqi::rules::{Level, RuleSet, Wdl, judge_loop};
/// use xiangqi::{Color, Position};
///
/// let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")?;
/// for mv in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8"] {
///     position.play(mv.parse()?)?;
/// }
/// let ruling = judge_loop(&position, 4, RuleSet::Wxf);
/// assert_eq!((ruling.red, ruling.black), (Level::PerpetualCheck, Level::Idle));
/// assert_eq!(ruling.verdict(Color::Black), Wdl::Win);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge_loop(position: &Position, length: usize, rules: RuleSet) -> LoopRuling {
    let is_loop = (2..=usize::from(position.state().reversible_plies)).contains(&length)
        && length.is_multiple_of(2)
        && position.states()[position.ply() - length].key == position.key();
    assert!(is_loop, "the last {length} plies are no loop");
    let entries = &mut Entries::for_ruling(position);
    if rules == RuleSet::Cxa {
        let [red, black] =
            [Color::Red, Color::Black].map(|side| side_loop(entries, position, length, side));
        let (ground, loser) = SideLoop::compare(&red, &black);
        return LoopRuling {
            red: cxa_level(&red),
            black: cxa_level(&black),
            loser,
            is_undecided: ground == Ground::Undecided,
            ground: Some(ground),
        };
    }
    let [red, black] =
        [Color::Red, Color::Black].map(|side| level(entries, position, length, side, rules));
    LoopRuling::by_levels(red, black)
}

/// Judges a position that has occurred at least `times` times: the moves since the first of its
/// last `times` occurrences, as one loop. Returns `None` if it has occurred less often.
pub fn judge_occurrences(position: &Position, times: usize, rules: RuleSet) -> Option<Ruling> {
    let earlier = occurrences(position).nth(times.max(2) - 2)?;
    let ruling = judge_loop(position, position.ply() - earlier, rules);
    Some(Ruling { verdict: ruling.verdict(position.side()), since: earlier })
}

/// Returns the verdict as far as a search needs it: if a draw is good enough, a side that does not
/// offend itself need not know whether the opponent does. This saves half of the work (Tan and
/// Watkinson Medina, algorithm 10).
pub(super) fn judge_pruned(
    entries: &mut Entries,
    position: &Position,
    length: usize,
    rules: RuleSet,
    draw_is_enough: bool,
) -> Wdl {
    let us = position.side();
    if rules == RuleSet::Cxa {
        let own = side_loop(entries, position, length, us);
        if !own.is_forbidden && draw_is_enough {
            return Wdl::Draw;
        }
        let other = side_loop(entries, position, length, !us);
        let (red, black) = if us == Color::Red { (own, other) } else { (other, own) };
        let (_, loser) = SideLoop::compare(&red, &black);
        return verdict_for(us, loser);
    }
    let own = level(entries, position, length, us, rules);
    if own == Level::Idle && draw_is_enough {
        return Wdl::Draw;
    }
    own.against(level(entries, position, length, !us, rules))
}

/// Judges as [`judge_pruned`], but returns a verdict only if no later loop from the same position
/// can change it.
///
/// A verdict lasts if neither side offends, and if the side to move checks perpetually while the
/// other side does not offend. A chase may be followed by checks or by the chase of another piece,
/// which together are allowed, and of two sides that offend one may stop. A loop that closes with a
/// check of the other side does not count: the move into its first position may have been a chase,
/// and the longer loop that begins there has both. By the Chinese rules, which look at each move
/// alone, any offence is like a check here.
pub(super) fn judge_lasting(
    entries: &mut Entries,
    position: &Position,
    length: usize,
    rules: RuleSet,
    draw_is_enough: bool,
) -> Option<Wdl> {
    let us = position.side();
    if rules == RuleSet::Cxa {
        let own = side_loop(entries, position, length, us);
        if !own.is_forbidden && draw_is_enough {
            return Some(Wdl::Draw);
        }
        let other = side_loop(entries, position, length, !us);
        return match (own.is_forbidden, other.may_be_forbidden) {
            (false, _) => (!other.is_forbidden).then_some(Wdl::Draw),
            (true, false) => Some(Wdl::Loss),
            (true, true) => None,
        };
    }
    let own = level(entries, position, length, us, rules);
    if own == Level::Idle && draw_is_enough {
        return Some(Wdl::Draw);
    }
    if own == Level::PerpetualChase {
        return None;
    }
    let other = level(entries, position, length, !us, rules);
    (other == Level::Idle).then(|| own.against(other))
}

/// Returns the plies of a side's moves in the loop of the last `length` plies, the newest first.
fn own_plies(
    position: &Position,
    length: usize,
    side: Color,
) -> impl Iterator<Item = usize> + Clone {
    let last = position.ply();
    // The side's moves are every second one.
    let newest = if position.side() == side { last - 1 } else { last };
    (last + 1 - length..=newest).rev().step_by(2)
}

/// Returns the level of one side, first by the status of its moves, then by what they have chased.
/// Not for the Chinese rules, which know no order of levels.
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
    let own = own_plies(position, length, side);
    let count = |status| own.clone().filter(|&ply| entries.status(ply) == status).count();
    let checks = count(Status::Check);
    if checks == length / 2 {
        return Level::PerpetualCheck;
    }
    let is_chasing = match rules {
        // A loop of checks and chases is allowed (WXF 20.2).
        RuleSet::Wxf | RuleSet::Axf => {
            checks == 0
                && count(Status::Idle) == 0
                && !chased_throughout(entries, position, length, side).is_empty()
        }
        // A check by either side is enough.
        RuleSet::Computer => {
            let first = position.ply() + 1 - length;
            let any_check =
                (first..=position.ply()).any(|ply| entries.status(ply) == Status::Check);
            !any_check && !newly_attacked_throughout(position, length, side).is_empty()
        }
        _ => false,
    };
    if is_chasing { Level::PerpetualChase } else { Level::Idle }
}

/// Summarises the moves of one side by the Chinese rules.
fn side_loop(entries: &mut Entries, position: &Position, length: usize, side: Color) -> SideLoop {
    let mut board = position.board().clone();
    let last = position.ply();
    let loop_plies = (last + 1 - length..=last).rev();
    SideLoop::of(loop_plies.filter_map(|ply| {
        let mv = position.states()[ply].mv?;
        step(&mut board, mv.reversed());
        if board.side() != side {
            return None;
        }
        if entries.status(ply) == Status::Check {
            return Some(ClassifiedMove::certain(CxaClass::Check));
        }
        Some(entries.class(&board, mv))
    }))
}

/// Returns the level that shows what a side did by the Chinese rules.
fn cxa_level(side: &SideLoop) -> Level {
    if side.is_long_check {
        Level::PerpetualCheck
    } else if side.is_long_chase {
        Level::PerpetualChase
    } else if side.is_forbidden {
        Level::PerpetualAttack
    } else {
        Level::Idle
    }
}

/// Returns the pieces that each move of a side attacks and that the side did not attack before the
/// move, on their squares before the loop: the chase of computer matches, which does not look at
/// the reply.
fn newly_attacked_throughout(position: &Position, length: usize, side: Color) -> Bitboard {
    let mut board = position.board().clone();
    let last = position.ply();
    let mut victims = Bitboard::ALL;
    for ply in (last + 1 - length..=last).rev() {
        let Some(mv) = position.states()[ply].mv else { return Bitboard::EMPTY };
        let is_own = board.side() != side;
        let after =
            if is_own { chased(&chases_in_position(&board, side)) } else { Bitboard::EMPTY };
        step(&mut board, mv.reversed());
        if is_own {
            victims = (victims & after) - chased(&chases_in_position(&board, side));
            if victims.is_empty() {
                return victims;
            }
        }
        victims = carried(victims, mv.reversed());
    }
    same_each_turn(victims, position.states()[last + 1 - length..].iter().filter_map(|s| s.mv))
}

/// Returns the pieces that each move of a side chases, on their squares before the loop; no move of
/// the side gives check.
fn chased_throughout(
    entries: &mut Entries,
    position: &Position,
    length: usize,
    side: Color,
) -> Bitboard {
    let states = position.states();
    let last = position.ply();
    let first = last + 1 - length;
    let mv = |ply: usize| states[ply].mv;
    let mut board = position.board().clone();
    if let (true, Some(mv)) = (position.side() == side, mv(last)) {
        step(&mut board, mv.reversed());
    }
    // The pieces chased by all moves looked at, on their squares at this ply.
    let mut victims = Bitboard::ALL;
    for ply in own_plies(position, length, side) {
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

/// Returns the victims that are still victims when the loop is played again: equal pieces may have
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
