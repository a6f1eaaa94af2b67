//! Levels of offence in a repetition, and their comparison.

use std::cmp::Ordering;

use thiserror::Error;

use super::result::Wdl;

/// The offence of a side in a repetition, from the lesser to the greater one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
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

/// The error for a text that is not the name of a level.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a level; expected idle, perpetual chase, perpetual attack or perpetual check"
)]
pub struct ParseLevelError(pub String);

impl Level {
    /// All levels, the lightest first.
    pub const ALL: [Level; 4] =
        [Level::Idle, Level::PerpetualChase, Level::PerpetualAttack, Level::PerpetualCheck];

    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Idle => "idle",
            Level::PerpetualChase => "perpetual chase",
            Level::PerpetualAttack => "perpetual attack",
            Level::PerpetualCheck => "perpetual check",
        }
    }

    /// Returns the English name for readers.
    pub(super) const fn english(self) -> &'static str {
        match self {
            Level::Idle => "allowed moves",
            _ => self.name(),
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

crate::text_form::serde_as_text!(Level);

crate::text_form::text_by_name!(Level, Level::ALL, ParseLevelError);
