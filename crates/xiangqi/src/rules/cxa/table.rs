//! The ruling of a loop by the classes of its moves, and the memory for classes.

use crate::board::{Board, Move};
use crate::geometry::Color;

use super::class::{ClassifiedMove, CxaClass, classify};

/// Cached classes of moves, by position and move. Empty until it is used.
#[derive(Clone)]
pub(in crate::rules) struct Classes {
    entries: Vec<Option<(u64, ClassifiedMove)>>,
    size: usize,
}

impl Classes {
    /// Returns a memory for one ruling: the moves of a few turns of a loop.
    pub(in crate::rules) fn for_ruling() -> Classes {
        Classes { entries: Vec::new(), size: 1 << 6 }
    }

    /// Returns a memory for a search, whose loops are few and come again and again.
    pub(in crate::rules) fn for_search() -> Classes {
        Classes { entries: Vec::new(), size: 1 << 14 }
    }

    /// Returns the class of a legal move that captures nothing; `before` is the board it is played
    /// on.
    pub(in crate::rules) fn of(&mut self, before: &Board, mv: Move) -> ClassifiedMove {
        if self.entries.is_empty() {
            self.entries.resize(self.size, None);
        }
        let key = before.key() ^ u64::from(mv.code()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = key as usize % self.size;
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

/// Summary of one side's moves in a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct SideLoop {
    /// True if every move gives check.
    pub(in crate::rules) is_long_check: bool,
    /// True if every move is a check, a kill or a chase (24.13).
    pub(in crate::rules) is_forbidden: bool,
    /// True if it would be forbidden with all undecided moves counted as such.
    pub(in crate::rules) may_be_forbidden: bool,
    /// True if a move is undecided, and none is idle for certain.
    is_undecided: bool,
    /// True if every move is a chase.
    pub(in crate::rules) is_long_chase: bool,
    /// True if it is forbidden and every chase is of a rook or of a piece without a root (26.9).
    is_heavy: bool,
    /// True if some chase takes two pieces.
    has_joint: bool,
}

impl SideLoop {
    /// Collects the classes of a side's moves; stops at the first that is surely idle.
    pub(in crate::rules) fn of(moves: impl Iterator<Item = ClassifiedMove>) -> SideLoop {
        let mut side = SideLoop {
            is_long_check: true,
            is_forbidden: true,
            may_be_forbidden: true,
            is_undecided: false,
            is_long_chase: true,
            is_heavy: true,
            has_joint: false,
        };
        for ClassifiedMove { class, is_undecided } in moves {
            side.is_undecided |= is_undecided;
            side.is_long_check &= class == CxaClass::Check;
            match class {
                CxaClass::Check | CxaClass::Kill => side.is_long_chase = false,
                CxaClass::Chase(kind) => {
                    side.is_heavy &= kind.is_heavy;
                    side.has_joint |= kind.is_joint;
                }
                CxaClass::Idle => {
                    side.is_forbidden = false;
                    side.is_long_chase = false;
                    side.is_heavy = false;
                    if !is_undecided {
                        side.may_be_forbidden = false;
                        side.is_undecided = false;
                        break;
                    }
                }
            }
        }
        side
    }

    /// Returns the side that loses the loop of these two, if one does, and the article that
    /// decides: the table of articles 25.1 to 25.3 and 26.9. No side loses by an undecided offence
    /// or by an undecided lack of one.
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
        if !red.may_be_forbidden && !black.may_be_forbidden {
            return (Ground::NoneForbidden, None);
        }
        let only_red = red.is_forbidden && !black.may_be_forbidden;
        let only_black = black.is_forbidden && !red.may_be_forbidden;
        if let Some(loser) = only(only_red, only_black) {
            return (Ground::OneForbidden, Some(loser));
        }
        if red.is_undecided || black.is_undecided {
            return (Ground::Undecided, None);
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

/// The ground of a ruling by the Chinese rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
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
    /// Nothing: a search for kills and gains ran out of nodes, and the ruling depends on it.
    Undecided,
}

#[cfg(test)]
mod tests {
    use super::super::class::CxaClass::{Check, Idle, Kill};
    use super::*;

    fn side(moves: &[(CxaClass, bool)]) -> SideLoop {
        let classified = |&(class, is_undecided)| ClassifiedMove { class, is_undecided };
        SideLoop::of(moves.iter().map(classified))
    }

    #[test]
    fn neither_side_loses_by_an_undecided_offence() {
        let open = side(&[(Kill, false), (Idle, true)]);
        let [idle, kill, check] = [Idle, Kill, Check].map(|class| side(&[(class, false)]));
        // If the open move is a kill, both sides offend; if not, one of them or none.
        assert_eq!(SideLoop::compare(&kill, &open), (Ground::Undecided, None));
        assert_eq!(SideLoop::compare(&open, &idle), (Ground::Undecided, None));
        assert_eq!(SideLoop::compare(&open, &open), (Ground::Undecided, None));
        // Perpetual check loses whatever the other side does.
        assert_eq!(SideLoop::compare(&check, &open), (Ground::LongCheck, Some(Color::Red)));
        // A move that is surely idle decides, wherever it stands.
        for moves in [[(Idle, false), (Idle, true)], [(Idle, true), (Idle, false)]] {
            let allowed = side(&moves);
            assert_eq!(
                SideLoop::compare(&kill, &allowed),
                (Ground::OneForbidden, Some(Color::Red))
            );
            assert_eq!(SideLoop::compare(&allowed, &idle), (Ground::NoneForbidden, None));
        }
        // A chase that may be a kill as well is forbidden in any case.
        let either = side(&[(Kill, true)]);
        assert_eq!(SideLoop::compare(&idle, &either), (Ground::OneForbidden, Some(Color::Black)));
        assert_eq!(SideLoop::compare(&kill, &either), (Ground::Undecided, None));
    }
}
