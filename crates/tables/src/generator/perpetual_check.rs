//! Draws that a side holds only by a perpetual check, for which every rule book lets it lose.
//!
//! Retrograde analysis calls a position drawn if no side can force mate, also where one side, the
//! checker, can avoid it only by endless checks. A draw is safe for the checker if it can force
//! infinitely many of its moves to give no check, or a capture into a safe draw. The opponent may
//! try everything that does not lose.
//!
//! This is a game with a Buechi condition, solved as a fixed point within a fixed point: the draws
//! from which the checker can force one more move without check that stays in a set are a smaller
//! set, and so on until no change. An endless check of the opponent as well, which would make the
//! position a draw after all, is not examined: draws that are not safe are marked as open.

use std::ops::Range;

use super::captures::CaptureTables;
use super::ends::{capture_results, valid_positions};
use super::monitor::{BuildError, Monitor};
use super::parallel::for_chunks;
use super::plane::{Plane, RowSet};
use super::rows::Rows;

/// Rows per chunk of a thread.
const ROWS_PER_CHUNK: usize = 1 << 10;

/// Positions by side to move.
type Planes = [Plane; 2];

/// Returns the draws among `drawn` that are not safe for both sides.
pub(super) fn unruled_draws(
    rows: &Rows,
    captures: &CaptureTables,
    drawn: &Planes,
    monitor: &Monitor<'_>,
) -> Result<Planes, BuildError> {
    let draws = Draws::new(rows, captures, drawn, monitor)?;
    let safe = [draws.safe(0)?, draws.safe(1)?];
    let unruled = [Plane::new(rows.len()), Plane::new(rows.len())];
    for row in 0..rows.len() {
        for side in 0..2 {
            let both = safe[0][side].row(row) & safe[1][side].row(row);
            unruled[side].add(row, drawn[side].row(row) - both);
        }
    }
    Ok(unruled)
}

/// Draws of a signature and their safety.
struct Draws<'a> {
    rows: &'a Rows,
    monitor: &'a Monitor<'a>,
    drawn: &'a Planes,
    /// Draws in which the side to move is not in check.
    calm: Planes,
    /// Draws with a capture into a safe draw, and into an unsafe one.
    safe_captures: Planes,
    unsafe_captures: Planes,
}

impl<'a> Draws<'a> {
    fn new(
        rows: &'a Rows,
        captures: &CaptureTables,
        drawn: &'a Planes,
        monitor: &'a Monitor<'a>,
    ) -> Result<Draws<'a>, BuildError> {
        let planes = || [Plane::new(rows.len()), Plane::new(rows.len())];
        let (calm, safe_captures, unsafe_captures) = (planes(), planes(), planes());
        for_chunks(monitor, rows.len(), ROWS_PER_CHUNK, |range: Range<usize>, (): &mut ()| {
            for number in range {
                let row = rows.row(number);
                let valid = valid_positions(rows, &row);
                for side in 0..2 {
                    let set = drawn[side].row(number);
                    if set.is_empty() {
                        continue;
                    }
                    // Positions in which the opponent could not capture the king if it were to
                    // move.
                    calm[side].add(number, set & valid[1 - side]);
                    let results = capture_results(rows, captures, &row, side, set);
                    safe_captures[side].add(number, results.drawn);
                    unsafe_captures[side].add(number, results.unruled);
                }
            }
        })?;
        Ok(Draws { rows, monitor, drawn, calm, safe_captures, unsafe_captures })
    }

    /// Returns the draws that `checker` can hold without a perpetual check.
    fn safe(&self, checker: usize) -> Result<Planes, BuildError> {
        let mut within = [self.drawn[0].copy(), self.drawn[1].copy()];
        loop {
            let safe = self.one_more(checker, &within)?;
            let count = |planes: &Planes| planes[0].count() + planes[1].count();
            if count(&safe) == count(&within) {
                return Ok(safe);
            }
            within = safe;
        }
    }

    /// Returns the draws `within` which `checker` can force a move without check, or a safe
    /// capture.
    fn one_more(&self, checker: usize, within: &Planes) -> Result<Planes, BuildError> {
        let (rows, opponent) = (self.rows, 1 - checker);
        let safe = [Plane::new(rows.len()), Plane::new(rows.len())];
        let marked = within[opponent].copy();
        let mut touched: Vec<u32> = (0..rows.len() as u32).collect();
        self.start(checker, within, &safe[checker])?;
        while !touched.is_empty() {
            if self.monitor.is_cancelled() {
                return Err(BuildError::Interrupted);
            }
            let mut fresh = Vec::new();
            for number in touched.drain(..) {
                let number = number as usize;
                let mut set = marked.take(number) - self.unsafe_captures[opponent].row(number);
                set -= safe[opponent].row(number);
                if set.is_empty() {
                    continue;
                }
                let row = rows.row(number);
                set = rows.without_move_into(&row, opponent, set, |row| {
                    self.drawn[checker].row(row) - safe[checker].row(row)
                });
                safe[opponent].add(number, set);
                // The checker may go there, even with a check.
                rows.for_each_predecessor(&row, checker, set, |row, set| {
                    let new = (set & within[checker].row(row)) - safe[checker].row(row);
                    if !new.is_empty() {
                        safe[checker].add(row, new);
                        fresh.push(RowSet::new(row, new));
                    }
                });
            }
            for entry in fresh {
                let row = rows.row(entry.row());
                rows.for_each_predecessor(&row, opponent, entry.set(), |row, set| {
                    let new = (set & within[opponent].row(row)) - safe[opponent].row(row);
                    if marked.add(row, new) {
                        touched.push(row as u32);
                    }
                });
            }
        }
        Ok(safe)
    }

    /// Adds the draws in which `checker` has a move without check to a draw `within`, or a safe
    /// capture.
    fn start(&self, checker: usize, within: &Planes, safe: &Plane) -> Result<(), BuildError> {
        let opponent = 1 - checker;
        let calm = |row| within[opponent].row(row) & self.calm[opponent].row(row);
        for_chunks(self.monitor, self.rows.len(), ROWS_PER_CHUNK, |range, (): &mut ()| {
            for number in range {
                let set = within[checker].row(number);
                if !set.is_empty() {
                    let row = self.rows.row(number);
                    let others = self.rows.without_move_into(&row, checker, set, calm);
                    let captures = self.safe_captures[checker].row(number);
                    safe.add(number, (set - others) | (set & captures));
                }
            }
        })?;
        Ok(())
    }
}
