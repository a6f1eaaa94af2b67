//! How far a side offends in a repetition, and what follows from both sides' levels.

use std::fmt;

/// What a side does on every move of a repetition, the lesser offence first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// None of the others: what may be repeated without limit.
    Idle,
    /// Every move chases: one and the same piece, or, by the Chinese rules, any.
    PerpetualChase,
    /// Every move is a check, a threat of mate or a chase, not all of them of one kind; only the
    /// Chinese rules forbid it.
    PerpetualAttack,
    /// Every move gives check.
    PerpetualCheck,
}

impl Level {
    /// The name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Idle => "idle",
            Level::PerpetualChase => "perpetual chase",
            Level::PerpetualAttack => "perpetual attack",
            Level::PerpetualCheck => "perpetual check",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a repetition is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The opponent offends more.
    Win,
    /// Neither offends more.
    Draw,
    /// The side to move offends more.
    Loss,
}

impl Verdict {
    /// The verdict for a side at level `own` against one at level `other`: who offends more loses.
    #[inline]
    pub fn between(own: Level, other: Level) -> Verdict {
        match own.cmp(&other) {
            std::cmp::Ordering::Less => Verdict::Win,
            std::cmp::Ordering::Equal => Verdict::Draw,
            std::cmp::Ordering::Greater => Verdict::Loss,
        }
    }
}
