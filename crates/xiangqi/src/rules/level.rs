//! Levels of offence in a repetition, and their comparison.

use std::cmp::Ordering;
use std::fmt;

use super::result::Wdl;

/// The offence of a side in a repetition, from the lesser to the greater one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Level {
    /// None of the others: what may be repeated without limit.
    #[cfg_attr(feature = "serde", serde(rename = "idle"))]
    Idle,
    /// Every move chases: one and the same piece, or, by the Chinese rules, any.
    #[cfg_attr(feature = "serde", serde(rename = "perpetual chase"))]
    PerpetualChase,
    /// Every move is a check, a threat of mate or a chase, not all of them of one kind; only the
    /// Chinese rules forbid it.
    #[cfg_attr(feature = "serde", serde(rename = "perpetual attack"))]
    PerpetualAttack,
    /// Every move gives check.
    #[cfg_attr(feature = "serde", serde(rename = "perpetual check"))]
    PerpetualCheck,
}

impl Level {
    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Idle => "idle",
            Level::PerpetualChase => "perpetual chase",
            Level::PerpetualAttack => "perpetual attack",
            Level::PerpetualCheck => "perpetual check",
        }
    }

    /// Returns the ruling for a side at this level against one at level `other`: the side that
    /// offends more loses.
    #[inline]
    pub fn against(self, other: Level) -> Wdl {
        match self.cmp(&other) {
            Ordering::Less => Wdl::Win,
            Ordering::Equal => Wdl::Draw,
            Ordering::Greater => Wdl::Loss,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
