//! Entries of the transposition table, and their form as a word of 64 bits.

use xiangqi::board::Move;

use crate::search::value::{from_table, to_table};

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(in crate::search) enum TtBound {
    /// No value stored.
    None = 0,
    /// The true value is at most the stored one.
    Upper = 1,
    /// The true value is at least the stored one.
    Lower = 2,
    /// The stored value is the true one.
    Exact = 3,
}

impl TtBound {
    /// Returns the bound of a node with this fail-soft value; a value below beta is exact or an
    /// upper bound.
    #[inline]
    pub(in crate::search) const fn of(value: i32, beta: i32, is_exact: bool) -> TtBound {
        if value >= beta {
            TtBound::Lower
        } else if is_exact {
            TtBound::Exact
        } else {
            TtBound::Upper
        }
    }

    /// Returns whether the true value is at least the stored one.
    #[inline]
    pub(in crate::search) const fn has_lower(self) -> bool {
        self as u8 & TtBound::Lower as u8 != 0
    }

    /// Returns whether the true value is at most the stored one.
    #[inline]
    pub(super) const fn has_upper(self) -> bool {
        self as u8 & TtBound::Upper as u8 != 0
    }

    const fn from_bits(bits: u64) -> TtBound {
        match bits & 3 {
            0 => TtBound::None,
            1 => TtBound::Upper,
            2 => TtBound::Lower,
            _ => TtBound::Exact,
        }
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) struct TtEntry {
    /// Best move, or the one that failed high.
    pub(in crate::search) mv: Option<Move>,
    /// From the mover's view; the distance of a mate is counted from the root.
    pub(in crate::search) value: i32,
    /// Uncorrected static evaluation; `None` without one, such as in check.
    pub(in crate::search) eval: Option<i32>,
    /// Searched depth in plies; 0 and less in the quiescence search.
    pub(in crate::search) depth: i32,
    pub(in crate::search) bound: TtBound,
    /// True if the position was once on a principal variation.
    pub(in crate::search) is_pv: bool,
}

impl TtEntry {
    /// Returns whether the bound proves on which side of `threshold` the true value lies: at or
    /// above it if the stored value is, else below it.
    #[inline]
    pub(in crate::search) const fn decides(&self, threshold: i32) -> bool {
        if self.value >= threshold { self.bound.has_lower() } else { self.bound.has_upper() }
    }
}

/// Offset of a stored depth, so that the depths of quiescence nodes and plain evaluations are not
/// negative.
const DEPTH_OFFSET: i32 = 3;
/// The `i16` that stands for no evaluation.
const NO_EVAL: i16 = i16::MIN;
/// Number of ages; the count of searches wraps around.
pub(super) const AGES: u8 = 32;

/// Packs the data word of an entry: move 16 | value 16 | eval 16 | depth 8 | age 5, pv 1, bound 2.
#[inline]
pub(super) fn pack(entry: &TtEntry, ply: usize, age: u8) -> u64 {
    let value = to_table(entry.value, ply) as i16 as u16;
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16;
    let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
    u64::from(entry.mv.map_or(0, Move::code))
        | u64::from(value) << 16
        | u64::from(eval) << 32
        | depth << 48
        | u64::from(age) << 59
        | u64::from(entry.is_pv) << 58
        | (entry.bound as u64) << 56
}

/// Unpacks a data word.
#[inline]
pub(super) fn unpack(data: u64, ply: usize) -> TtEntry {
    let eval = (data >> 32) as i16;
    TtEntry {
        mv: Move::from_code(data as u16),
        value: from_table(i32::from((data >> 16) as i16), ply),
        eval: (eval != NO_EVAL).then_some(i32::from(eval)),
        depth: stored_depth(data) - DEPTH_OFFSET,
        bound: TtBound::from_bits(data >> 56),
        is_pv: data >> 58 & 1 != 0,
    }
}

/// Returns the depth of a data word, at least 0.
#[inline]
pub(super) const fn stored_depth(data: u64) -> i32 {
    (data >> 48 & 0xFF) as i32
}

/// Returns the age of a data word.
#[inline]
pub(super) const fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns an exact entry.
    pub(in crate::search::memory) fn entry(value: i32, depth: i32) -> TtEntry {
        TtEntry {
            mv: "h2e2".parse().ok(),
            value,
            eval: Some(-17),
            depth,
            bound: TtBound::Exact,
            is_pv: true,
        }
    }

    #[test]
    fn an_entry_decides_only_on_the_side_of_its_bound() {
        let bounds = [TtBound::None, TtBound::Upper, TtBound::Lower, TtBound::Exact];
        let decides =
            |threshold| bounds.map(|bound| TtEntry { bound, ..entry(50, 5) }.decides(threshold));
        assert_eq!(decides(50), [false, false, true, true]);
        assert_eq!(decides(51), [false, true, false, true]);
    }
}
