//! Retrograde analysis: all values of a signature from those of the smaller ones.
//!
//! The positions that differ only in the square of one piece are a row, and sets of them are
//! [`Bitboard`]s: one operation moves another piece, or that one, in
//! up to 90 positions at once.
//!
//! 1. The positions of every row in which no king can be captured are found, and their captures
//!    are looked up: a capture that wins decides a position at the latest at its level, one that
//!    draws keeps it from being lost, one that loses until its level.
//! 2. Positions without a legal move are lost in 0 plies.
//! 3. Level by level: a side that can move to a position lost in `n` plies wins in `n + 1`.
//!    Positions that lead to one just won are marked, and those of them all of whose moves lead to
//!    won positions are lost in `n + 1`.
//! 4. Undecided positions are draws. Where both sides have a piece that can give check, draws are
//!    marked that a side may hold only by a perpetual check.
//!
//! See K. Thompson, "Retrograde analysis of certain endgames" (ICCA Journal, 1986), and for
//! xiangqi H. Fang, "The nature of retrograde analysis for Chinese chess" (ICGA Journal, 2005).

mod captures;
mod ends;
mod levels;
mod monitor;
mod moves;
mod parallel;
mod perpetual_check;
mod plane;
mod rows;

use std::sync::Arc;

use xiangqi::geometry::Bitboard;

use super::signature::Signature;
use super::solved::Solved;
use captures::CaptureTables;
use ends::attacking_positions;
use levels::{Levels, mark_illegal};
pub use monitor::{BuildError, Monitor};
use rows::Rows;

/// Returns the rows of a table.
fn rows(signature: Signature) -> Result<Rows, BuildError> {
    Rows::new(signature).ok_or(BuildError::TooLarge(signature))
}

/// Returns the memory that building a table takes, without that of the smaller ones, in bytes: a
/// byte per index and eight planes, and as much again for the sets of the levels.
pub(super) fn memory(signature: Signature) -> Result<u64, BuildError> {
    let rows = rows(signature)?;
    Ok(2 * rows.layout().len() as u64 + 2 * 8 * 16 * rows.len() as u64)
}

/// Solves a signature; `solved` gives the smaller tables.
pub(super) fn solve(
    signature: Signature,
    monitor: &Monitor<'_>,
    solved: impl FnMut(Signature) -> Result<Arc<Solved>, BuildError>,
) -> Result<Solved, BuildError> {
    let rows = rows(signature)?;
    let captures = CaptureTables::new(rows.layout(), solved)?;
    let mut levels = Levels::new(rows, captures);
    levels.find_ends(monitor)?;
    levels.run(monitor)?;
    levels.finish(monitor)
}

/// Marks the indices without a position, which a file does not keep.
pub(super) fn restore(solved: Solved, monitor: &Monitor<'_>) -> Result<Solved, BuildError> {
    let signature = solved.layout.signature();
    let rows = rows(signature)?;
    mark_illegal(rows, solved.values, |_, _, _| Bitboard::EMPTY, monitor)
}

/// Marks the indices without a quiet position: one in which the side to move attacks no piece but
/// a king.
pub(super) fn keep_quiet(solved: Solved, monitor: &Monitor<'_>) -> Result<Solved, BuildError> {
    let rows = rows(solved.layout.signature())?;
    mark_illegal(rows, solved.values, attacking_positions, monitor)
}
