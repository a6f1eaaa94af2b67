//! The ruling of a loop by the classes of its moves, and the memory for classes.

use crate::board::{Board, Move};
use crate::geometry::Color;

use super::class::{ClassifiedMove, MoveClass, classify};

/// Entries of the memory: the loops of a search are few and come again and again.
const ENTRIES: usize = 1 << 14;

/// The classes of moves that were asked for, by position and move. Empty until it is used.
#[derive(Clone, Default)]
pub(in crate::rules) struct Classes {
    entries: Vec<Option<(u64, ClassifiedMove)>>,
}

impl Classes {
    /// The class of a legal move that captures nothing; `before` is the board it is played on.
    pub(in crate::rules) fn of(&mut self, before: &Board, mv: Move) -> ClassifiedMove {
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, None);
        }
        let key = before.key() ^ u64::from(mv.code()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = key as usize % ENTRIES;
        match self.entries.get(index) {
            Some(&Some((known, class))) if known == key => class,
            _ => {
                let class = classify(before, mv);
                self.entries[index] = Some((key, class));
                class
            }
        }
    }
}

/// What the moves of one side in a loop amount to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct SideLoop {
    /// Every move gives check.
    pub(in crate::rules) is_long_check: bool,
    /// Every move is a check, a kill or a chase (24.13).
    pub(in crate::rules) is_forbidden: bool,
    /// Every move is a chase.
    pub(in crate::rules) is_long_chase: bool,
    /// Forbidden, and every chase is of a rook or of a piece without a root (26.9).
    is_heavy: bool,
    /// Some chase takes two pieces.
    has_joint: bool,
}

impl SideLoop {
    /// Collects the classes of a side's moves; stops at the first idle one.
    pub(in crate::rules) fn of(classes: impl Iterator<Item = MoveClass>) -> SideLoop {
        let mut side = SideLoop {
            is_long_check: true,
            is_forbidden: true,
            is_long_chase: true,
            is_heavy: true,
            has_joint: false,
        };
        for class in classes {
            side.is_long_check &= class == MoveClass::Check;
            match class {
                MoveClass::Check | MoveClass::Kill => side.is_long_chase = false,
                MoveClass::Chase(kind) => {
                    side.is_heavy &= kind.is_heavy;
                    side.has_joint |= kind.is_joint;
                }
                MoveClass::Idle => {
                    side.is_forbidden = false;
                    side.is_long_chase = false;
                    side.is_heavy = false;
                    break;
                }
            }
        }
        side
    }

    /// The side that loses the loop of these two, if one does, and the article that decides: the
    /// table of articles 25.1 to 25.3 and 26.9.
    pub(in crate::rules) fn compare(red: &SideLoop, black: &SideLoop) -> (Ground, Option<Color>) {
        let only = |red: bool, black: bool| match (red, black) {
            (true, false) => Some(Color::Red),
            (false, true) => Some(Color::Black),
            _ => None,
        };
        if red.is_long_check && black.is_long_check {
            return (Ground::BothLongCheck, None);
        }
        if let Some(loser) = only(red.is_long_check, black.is_long_check) {
            return (Ground::LongCheck, Some(loser));
        }
        if let Some(loser) = only(red.is_forbidden, black.is_forbidden) {
            return (Ground::OneForbidden, Some(loser));
        }
        if !red.is_forbidden {
            return (Ground::NoneForbidden, None);
        }
        if let Some(loser) = only(red.is_heavy, black.is_heavy) {
            return (Ground::Weight, Some(loser));
        }
        if red.is_heavy
            && red.is_long_chase
            && black.is_long_chase
            && let Some(loser) = only(!red.has_joint, !black.has_joint)
        {
            return (Ground::Joint, Some(loser));
        }
        (Ground::Equal, None)
    }
}

/// What decides a loop by the Chinese rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ground {
    /// One side checks with every move (25.1).
    LongCheck,
    /// Both sides check with every move (25.1).
    BothLongCheck,
    /// The moves of one side are all checks, kills or chases (25.3).
    OneForbidden,
    /// Neither side's are (25.2).
    NoneForbidden,
    /// Both sides' are, one side's in the heavier way (26.9).
    Weight,
    /// Both sides chase alike, one of them with two pieces together (26.9.2, 26.9.3).
    Joint,
    /// Both sides offend alike (26.9).
    Equal,
}
