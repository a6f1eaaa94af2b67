//! Values of the search and the bands they lie in.
//!
//! ```text
//!   0 ............. DECISIVE .... RULE_WIN ........ MATE
//!   evaluations     won by the judge of repetitions   mates, fewer plies are greater
//! ```
//! A forced win by repetition has a band of its own below the mates: it is a win, but it hangs on
//! the path, so a real mate is preferred to it and never confused with it.

/// Deeper lines than this are not searched.
pub(super) const MAX_PLY: usize = 128;

/// Above every value.
pub(super) const INFINITE: i32 = 32_500;
/// The value of mating at once.
pub(super) const MATE: i32 = 32_000;
/// The value of a repetition ruled as win at once.
pub(super) const RULE_WIN: i32 = 31_000;
/// The smallest mate value.
pub(super) const MATE_BAND: i32 = MATE - MAX_PLY as i32;
/// The smallest value of a win by repetition; evaluations are smaller.
pub(super) const RULE_BAND: i32 = RULE_WIN - MAX_PLY as i32;
/// Evaluations lie strictly within plus and minus this.
pub(super) const EVALUATION_LIMIT: i32 = 20_000;

/// Being mated `ply` plies from the root.
#[inline]
pub(super) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether the value is a win or loss, by mate or by repetition.
#[inline]
pub(super) const fn is_decisive(value: i32) -> bool {
    value.abs() >= RULE_BAND
}

/// Whether the value is a won or lost repetition.
#[inline]
pub(super) const fn is_by_rule(value: i32) -> bool {
    value.abs() >= RULE_BAND && value.abs() <= RULE_WIN
}

/// A value as the table keeps it: decisive values count from the node, not from the root.
#[inline]
pub(super) const fn to_table(value: i32, ply: usize) -> i32 {
    if value >= RULE_BAND {
        value + ply as i32
    } else if value <= -RULE_BAND {
        value - ply as i32
    } else {
        value
    }
}

/// The inverse of [`to_table`].
#[inline]
pub(super) const fn from_table(value: i32, ply: usize) -> i32 {
    if value >= RULE_BAND {
        value - ply as i32
    } else if value <= -RULE_BAND {
        value + ply as i32
    } else {
        value
    }
}
