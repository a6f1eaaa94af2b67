//! One bit per position, in rows that many threads write at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use xiangqi::geometry::Bitboard;

/// A set of positions: for each row the squares of its runner.
pub(super) struct Plane(Vec<[AtomicU64; 2]>);

impl Plane {
    pub(super) fn new(rows: usize) -> Plane {
        Plane(bytemuck::allocation::zeroed_vec(rows))
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> Bitboard {
        let [low, high] = &self.0[row];
        join([low.load(Ordering::Relaxed), high.load(Ordering::Relaxed)])
    }

    /// Copies the positions to another plane.
    pub(super) fn copy(&self) -> Plane {
        let copied = Plane::new(self.0.len());
        for row in 0..self.0.len() {
            copied.add(row, self.row(row));
        }
        copied
    }

    /// Returns the number of positions.
    pub(super) fn count(&self) -> usize {
        (0..self.0.len()).map(|row| self.row(row).len()).sum()
    }

    /// Adds positions. Returns true if the row may have been empty before: of all threads that add
    /// to an empty row one or more see that.
    #[inline]
    pub(super) fn add(&self, row: usize, set: Bitboard) -> bool {
        let before = self.row(row);
        for (word, bits) in self.0[row].iter().zip(split(set - before)) {
            if bits != 0 {
                word.fetch_or(bits, Ordering::Relaxed);
            }
        }
        before.is_empty() && !set.is_empty()
    }

    #[inline]
    pub(super) fn remove(&self, row: usize, set: Bitboard) {
        for (word, bits) in self.0[row].iter().zip(split(set)) {
            if bits != 0 {
                word.fetch_and(!bits, Ordering::Relaxed);
            }
        }
    }

    /// Removes all positions of a row and returns them.
    #[inline]
    pub(super) fn take(&self, row: usize) -> Bitboard {
        let [low, high] = &self.0[row];
        join([take(low), take(high)])
    }
}

#[inline]
fn take(word: &AtomicU64) -> u64 {
    if word.load(Ordering::Relaxed) == 0 { 0 } else { word.swap(0, Ordering::Relaxed) }
}

#[inline]
fn join([low, high]: [u64; 2]) -> Bitboard {
    Bitboard::from_bits(u128::from(low) | u128::from(high) << 64)
}

#[inline]
fn split(set: Bitboard) -> [u64; 2] {
    [set.bits() as u64, (set.bits() >> 64) as u64]
}

/// Some positions of one row, in 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct RowSet {
    row: u32,
    bits: [u32; 3],
}

impl RowSet {
    #[inline]
    pub(super) fn new(row: usize, set: Bitboard) -> RowSet {
        let bits = set.bits();
        RowSet { row: row as u32, bits: [bits as u32, (bits >> 32) as u32, (bits >> 64) as u32] }
    }

    #[inline]
    pub(super) fn row(&self) -> usize {
        self.row as usize
    }

    #[inline]
    pub(super) fn set(&self) -> Bitboard {
        let [low, middle, high] = self.bits;
        Bitboard::from_bits(u128::from(low) | u128::from(middle) << 32 | u128::from(high) << 64)
    }
}
