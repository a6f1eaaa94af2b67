//! Values of one signature, decided level by level.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use xiangqi::geometry::Bitboard;

use super::captures::CaptureTables;
use super::ends::{capture_results, valid_positions};
use super::monitor::{BuildError, Monitor};
use super::parallel::for_chunks;
use super::perpetual_check::unruled_draws;
use super::plane::{Plane, RowSet};
use super::rows::{Row, Rows};
use crate::layout::Layout;
use crate::solved::Solved;
use crate::value::Value;

/// Rows per chunk of a thread.
const ROWS_PER_CHUNK: usize = 1 << 10;

/// Sets of positions by side to move.
type Sets = [Vec<RowSet>; 2];

/// Positions to examine later, by the plies of the level.
#[derive(Default)]
struct PendingRow(BTreeMap<u8, Sets>);

impl PendingRow {
    fn add(&mut self, plies: u8, side: usize, row: usize, set: Bitboard) {
        self.0.entry(plies).or_default()[side].push(RowSet::new(row, set));
    }
}

/// Retrograde analysis of one signature.
pub(super) struct Levels {
    rows: Rows,
    captures: CaptureTables,
    /// One byte per index of the layout.
    values: [Vec<AtomicU8>; 2],
    /// Positions that are not decided, by side to move.
    open: [Plane; 2],
    /// Positions not known to be won for the side to move.
    unwon: [Plane; 2],
    /// Positions that a capture keeps from being lost, always or until their level.
    held: [Plane; 2],
    /// Positions that may be decided at the next level.
    marked: [Plane; 2],
    pending: PendingRow,
}

impl Levels {
    pub(super) fn new(rows: Rows, captures: CaptureTables) -> Levels {
        let planes = || [Plane::new(rows.len()), Plane::new(rows.len())];
        let values = || illegal_bytes(rows.layout().len());
        Levels {
            values: [values(), values()],
            open: planes(),
            unwon: planes(),
            held: planes(),
            marked: planes(),
            pending: PendingRow::default(),
            rows,
            captures,
        }
    }

    /// Returns the solved table; undecided positions are draws, unless a perpetual check may decide
    /// them.
    pub(super) fn finish(self, monitor: &Monitor<'_>) -> Result<Solved, BuildError> {
        let Levels { rows, captures, values, open, unwon, held, marked, pending } = self;
        // The planes of the draws take their place.
        drop((unwon, held, marked, pending));
        let unruled = if rows.layout().signature().both_can_check() {
            Some(unruled_draws(&rows, &captures, &open, monitor)?)
        } else {
            None
        };
        for_chunks(monitor, rows.len(), ROWS_PER_CHUNK, |range, (): &mut ()| {
            for number in range {
                let row = rows.row(number);
                for side in 0..2 {
                    let store = |set, value| store(&rows, &values[side], &row, set, value);
                    store(open[side].row(number), Value::DRAW);
                    if let Some(unruled) = &unruled {
                        store(unruled[side].row(number), Value::UNRULED_DRAW);
                    }
                }
            }
        })?;
        let mut values = values.map(plain_bytes);
        let layout = rows.into_layout();
        mark_second_images(&layout, &mut values);
        Ok(Solved { layout, values })
    }

    /// Finds the positions of all rows and looks up their captures.
    pub(super) fn find_ends(&mut self, monitor: &Monitor<'_>) -> Result<(), BuildError> {
        let len = self.rows.len();
        let work = |range: Range<usize>, pending: &mut PendingRow| {
            (monitor.progress)(0.4 * range.start as f64 / len as f64);
            for number in range {
                let row = self.rows.row(number);
                let valid = valid_positions(&self.rows, &row);
                for (side, valid) in valid.into_iter().enumerate() {
                    self.open[side].add(number, valid);
                    self.unwon[side].add(number, valid);
                    self.find_captures(&row, side, valid, pending);
                }
            }
        };
        for found in for_chunks(monitor, len, ROWS_PER_CHUNK, work)? {
            for (plies, sets) in found.0 {
                let all = self.pending.0.entry(plies).or_default();
                all.iter_mut().zip(sets).for_each(|(all, sets)| all.extend(sets));
            }
        }
        Ok(())
    }

    fn find_captures(&self, row: &Row, side: usize, valid: Bitboard, pending: &mut PendingRow) {
        if valid.is_empty() {
            return;
        }
        let results = capture_results(&self.rows, &self.captures, row, side, valid);
        for (plies, set) in results.wins().chain(results.losses()) {
            pending.add(plies, side, row.number, set);
        }
        let any_capture = results.won | results.drawn | results.unruled | results.lost;
        self.held[side].add(row.number, any_capture);
        // Without a capture there may be no move at all.
        self.marked[side].add(row.number, valid - any_capture);
    }

    /// Decides level after level until no position changes.
    pub(super) fn run(&mut self, monitor: &Monitor<'_>) -> Result<(), BuildError> {
        let all = (2 * self.rows.layout().len()) as f64;
        let mut decided = 0;
        let every_row: Vec<u32> = (0..self.rows.len() as u32).collect();
        let mut touched = [every_row.clone(), every_row];
        for plies in 0..=Value::MAX_PLIES {
            if self.pending.0.is_empty() && touched.iter().all(Vec::is_empty) {
                return Ok(());
            }
            let pending = self.pending.0.remove(&plies).unwrap_or_default();
            for side in 0..2 {
                touched[side].extend(self.release(side, plies, &pending[side]));
            }
            let mut fresh = Sets::default();
            for side in 0..2 {
                fresh[side] = self.decide_rows(side, plies, &touched[side], monitor)?;
                decided += fresh[side].iter().map(|set| set.set().len()).sum::<usize>();
            }
            (monitor.progress)(0.4 + 0.6 * decided as f64 / all);
            for side in 0..2 {
                touched[side] = self.spread(side, plies, &fresh[1 - side], monitor)?;
            }
        }
        Err(BuildError::TooLong(self.rows.layout().signature()))
    }

    /// Marks the positions that captures decide at this level; returns their rows.
    fn release(&self, side: usize, plies: u8, sets: &[RowSet]) -> Vec<u32> {
        let mut touched = Vec::new();
        for set in sets {
            let (row, set) = (set.row(), set.set());
            if plies.is_multiple_of(2) {
                self.held[side].remove(row, set);
            }
            if self.marked[side].add(row, set & self.open[side].row(row)) {
                touched.push(row as u32);
            }
        }
        touched
    }

    /// Decides the marked positions of some rows: all as won at an odd level, those without
    /// another move as lost at an even one.
    fn decide_rows(
        &self,
        side: usize,
        plies: u8,
        touched: &[u32],
        monitor: &Monitor<'_>,
    ) -> Result<Vec<RowSet>, BuildError> {
        let work = |range: Range<usize>, fresh: &mut Vec<RowSet>| {
            for &number in &touched[range] {
                let number = number as usize;
                let mut set = self.marked[side].take(number) & self.open[side].row(number);
                if set.is_empty() {
                    continue;
                }
                let row = self.rows.row(number);
                if plies.is_multiple_of(2) {
                    set -= self.held[side].row(number);
                    let unwon = |row| self.unwon[1 - side].row(row);
                    set = self.rows.without_move_into(&row, side, set, unwon);
                } else {
                    self.unwon[side].remove(number, set);
                }
                if !set.is_empty() {
                    self.open[side].remove(number, set);
                    store(&self.rows, &self.values[side], &row, set, Value::decided(plies));
                    fresh.push(RowSet::new(number, set));
                }
            }
        };
        Ok(for_chunks(monitor, touched.len(), ROWS_PER_CHUNK, work)?.concat())
    }

    /// Marks the positions of `mover` from which a position that was just decided is reached;
    /// returns their rows.
    fn spread(
        &self,
        mover: usize,
        plies: u8,
        fresh: &[RowSet],
        monitor: &Monitor<'_>,
    ) -> Result<Vec<u32>, BuildError> {
        let are_lost = plies.is_multiple_of(2);
        let mark = |row: usize, set: Bitboard, touched: &mut Vec<u32>| {
            let mut set = set & self.open[mover].row(row);
            if !are_lost && !set.is_empty() {
                set -= self.held[mover].row(row);
            }
            if !set.is_empty() && self.marked[mover].add(row, set) {
                touched.push(row as u32);
            }
        };
        let work = |range: Range<usize>, touched: &mut Vec<u32>| {
            for entry in &fresh[range] {
                let (row, set) = (self.rows.row(entry.row()), entry.set());
                self.rows.for_each_predecessor(&row, mover, set, |row, set| {
                    mark(row, set, touched);
                });
            }
        };
        Ok(for_chunks(monitor, fresh.len(), ROWS_PER_CHUNK, work)?.concat())
    }
}

/// Stores the value of some positions of a row.
fn store(rows: &Rows, values: &[AtomicU8], row: &Row, set: Bitboard, value: Value) {
    let Some((first, digit)) = rows.runner_digit(row) else { return };
    for sq in set {
        values[first + digit.at(sq)].store(value.byte(), Ordering::Relaxed);
    }
}

/// Marks the second of the two indices of a position and its mirror image where the weaker side's
/// camp is its own image.
fn mark_second_images(layout: &Layout, values: &mut [Vec<u8>; 2]) {
    let len = layout.block_len();
    let is_symmetric = |block: &usize| layout.is_symmetric(layout.camps_of(*block).0);
    for block in (0..layout.blocks()).filter(is_symmetric) {
        for index in block * len..(block + 1) * len {
            if layout.index(&layout.squares(index)) != Some(index) {
                for values in values.iter_mut() {
                    values[index] = Value::ILLEGAL.byte();
                }
            }
        }
    }
}

/// Marks the indices without a position, which a file does not keep, and those that `left_out`
/// gives for a row and the side to move.
pub(super) fn mark_illegal(
    rows: Rows,
    values: [Vec<u8>; 2],
    left_out: impl Fn(&Rows, &Row, usize) -> Bitboard + Sync,
    monitor: &Monitor<'_>,
) -> Result<Solved, BuildError> {
    let kept = [0, 1].map(|_| illegal_bytes(rows.layout().len()));
    for_chunks(monitor, rows.len(), ROWS_PER_CHUNK, |range, (): &mut ()| {
        for number in range {
            let row = rows.row(number);
            let Some((first, digit)) = rows.runner_digit(&row) else { continue };
            for (side, valid) in valid_positions(&rows, &row).into_iter().enumerate() {
                for sq in valid - left_out(&rows, &row, side) {
                    let index = first + digit.at(sq);
                    kept[side][index].store(values[side][index], Ordering::Relaxed);
                }
            }
        }
    })?;
    let mut values = kept.map(plain_bytes);
    let layout = rows.into_layout();
    mark_second_images(&layout, &mut values);
    Ok(Solved { layout, values })
}

/// Creates bytes for concurrent writing, each marked as no position.
fn illegal_bytes(len: usize) -> Vec<AtomicU8> {
    (0..len).map(|_| AtomicU8::new(Value::ILLEGAL.byte())).collect()
}

/// Converts to plain bytes once only one thread is left.
fn plain_bytes(bytes: Vec<AtomicU8>) -> Vec<u8> {
    bytes.into_iter().map(AtomicU8::into_inner).collect()
}
