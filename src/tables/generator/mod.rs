//! Retrograde analysis: all values of a signature from those of the smaller ones.
//!
//! 1. Every index is classed: no position (pieces share a square, a king could be captured), or
//!    undecided.
//! 2. Positions without a legal move are lost in 0 plies. CaptureTables that win are noted with their
//!    distance, and so are positions that have only captures that lose.
//! 3. Level by level: whoever can move to a position lost in `n` plies wins in `n + 1`. Whoever
//!    can only move to won positions loses one ply later than in the longest of them; a counter of
//!    the moves that are not yet known to lose, made when a position is first reached, finds these.
//! 4. What stays undecided is a draw.
//!
//! See K. Thompson, "Retrograde analysis of certain endgames" (ICCA Journal, 1986), and for
//! xiangqi H. Fang, "The nature of retrograde analysis for Chinese chess" (ICGA Journal, 2005).

mod captures;
mod levels;
mod monitor;
mod parallel;
mod steps;

use std::sync::Arc;

use super::layout::Layout;
use super::signature::Signature;
use super::solved::Solved;
use captures::CaptureTables;
use levels::Levels;
pub use monitor::{BuildError, Monitor};

/// The memory that building a table takes, without that of the smaller ones, in bytes: values,
/// counters and at most half of the indices in the lists of a level.
pub(super) fn memory(layout: &Layout) -> u64 {
    6 * layout.len() as u64
}

/// Solves a signature; `solved` gives the smaller tables.
pub(super) fn solve(
    signature: Signature,
    monitor: &Monitor<'_>,
    solved: impl FnMut(Signature) -> Result<Arc<Solved>, BuildError>,
) -> Result<Solved, BuildError> {
    let layout = Layout::new(signature)
        .filter(|_| (1..=3).contains(&signature.attackers()))
        .ok_or(BuildError::TooLarge(signature))?;
    let captures = CaptureTables::new(&layout, solved)?;
    let mut levels = Levels::new(layout, captures);
    levels.classify(monitor)?;
    levels.find_ends(monitor)?;
    levels.run(monitor)?;
    let (layout, values) = levels.finish();
    Ok(Solved { layout, values })
}

/// Marks the indices that no position has, which a file does not keep.
pub(super) fn restore(solved: Solved, monitor: &Monitor<'_>) -> Result<Solved, BuildError> {
    let Solved { layout, mut values } = solved;
    let mut levels = Levels::new(layout, CaptureTables::none());
    levels.classify(monitor)?;
    let (layout, classes) = levels.finish();
    for (values, classes) in values.iter_mut().zip(classes) {
        for (value, class) in values.iter_mut().zip(classes) {
            *value = (*value).max(class);
        }
    }
    Ok(Solved { layout, values })
}
