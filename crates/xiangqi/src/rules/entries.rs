//! The judge's knowledge of each state of a game, one entry per state.
//!
//! These are the entries of the position history in the paper of Tan and Watkinson Medina. The key
//! and the move, which the paper keeps there too, are in [`crate::board::State`]; the paper's
//! status `Cancel`, for captures and pawn moves, is a [`crate::board::State::reversible_plies`] of
//! zero. A chase also depends on the reply, which is not yet known when a state is reached, so an
//! entry holds the threats of a move and not its chases.

use crate::board::{Board, Move, Position, State};

use super::chases::{Chases, chases_in_position, drop_old, step};
use super::cxa::{Classes, ClassifiedMove};

/// The status of the move into a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// It gave no check; whether it threatens anything has not been asked.
    Unknown,
    /// It gave check; what else it threatens does not matter.
    Check,
    /// It made new threats to capture: chases, if the reply meets them.
    Threat,
    /// Neither.
    Idle,
}

#[derive(Clone)]
struct JudgeEntry {
    status: Status,
    /// The new threats; valid only if the status is [`Status::Threat`].
    threats: Chases,
}

impl JudgeEntry {
    fn of(status: Status) -> JudgeEntry {
        JudgeEntry { status, threats: Chases::new() }
    }
}

/// The entries of the states of a position, by ply. Those beyond its present are left over from
/// other lines.
#[derive(Clone)]
pub(super) struct Entries {
    list: Vec<JudgeEntry>,
    classes: Classes,
    found: u64,
}

impl Entries {
    /// Returns the entries of a position's past, for one ruling; only its checks are known.
    pub(super) fn for_ruling(position: &Position) -> Entries {
        Entries::of(position, Classes::for_ruling())
    }

    /// Returns the entries of a position's past, for a search; only its checks are known.
    pub(super) fn for_search(position: &Position) -> Entries {
        Entries::of(position, Classes::for_search())
    }

    fn of(position: &Position, classes: Classes) -> Entries {
        let checks = position.states().iter().map(State::in_check);
        Entries { list: checks.map(status_of).map(JudgeEntry::of).collect(), classes, found: 0 }
    }

    /// Makes room for `plies` more entries.
    pub(super) fn reserve(&mut self, plies: usize) {
        self.list.reserve(plies);
    }

    /// Returns the number of searches for new threats.
    pub(super) fn found(&self) -> u64 {
        self.found
    }

    /// Begins the entry of the position's present.
    #[inline]
    pub(super) fn begin(&mut self, position: &Position) {
        let status = status_of(position.in_check());
        match self.list.get_mut(position.ply()) {
            Some(entry) => entry.status = status,
            None => self.list.push(JudgeEntry::of(status)),
        }
    }

    /// Notes the new threats of the position's present, which a quiet move has led to.
    #[cold]
    pub(super) fn note(&mut self, position: &Position) {
        let ply = position.ply();
        if self.status(ply) == Status::Unknown
            && let Some(mv) = position.state().mv
        {
            let mut board = position.board().clone();
            self.threats(ply, &mut board, mv);
        }
    }

    /// Returns the known status of the state of this ply.
    #[inline]
    pub(super) fn status(&self, ply: usize) -> Status {
        self.list.get(ply).map_or(Status::Unknown, |entry| entry.status)
    }

    /// Returns the new threats of the move into the state of this ply, which captured nothing and
    /// did not check, noted if they were unknown. `board` is the position after the move.
    pub(super) fn threats(&mut self, ply: usize, board: &mut Board, mv: Move) -> &[Move] {
        let Some(entry) = self.list.get_mut(ply) else { return &[] };
        if entry.status == Status::Unknown {
            self.found += 1;
            entry.threats = new_threats(board, mv);
            entry.status = if entry.threats.is_empty() { Status::Idle } else { Status::Threat };
        }
        if entry.status == Status::Threat { &entry.threats } else { &[] }
    }

    /// Returns the class of a move by the Chinese rules; `before` is the board it was played on.
    pub(super) fn class(&mut self, before: &Board, mv: Move) -> ClassifiedMove {
        self.classes.of(before, mv)
    }
}

#[inline]
fn status_of(in_check: bool) -> Status {
    if in_check { Status::Check } else { Status::Unknown }
}

/// Returns the new threats to capture of the side that made the move.
fn new_threats(board: &mut Board, mv: Move) -> Chases {
    let mut threats = chases_in_position(board, !board.side());
    if !threats.is_empty() {
        step(board, mv.reversed());
        drop_old(board, mv, &mut threats);
        step(board, mv);
    }
    threats
}
