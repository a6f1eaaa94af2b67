//! Base of the late move reductions, `lmr_factor * ln(depth) * ln(move number)`; `node/move_search`
//! has the whole formula.

use super::parameters::Parameters;

/// Depths and move numbers from this on share the last row or column.
const SIZE: usize = 64;

/// The base in 1024ths of a ply.
pub(super) struct ReductionTable(Vec<i32>);

impl ReductionTable {
    pub(super) fn new(parameters: &Parameters) -> ReductionTable {
        let mut table = vec![0; SIZE * SIZE];
        for depth in 1..SIZE {
            for move_number in 1..SIZE {
                let logarithms = (depth as f64).ln() * (move_number as f64).ln();
                table[depth * SIZE + move_number] =
                    (f64::from(parameters.lmr_factor) * logarithms) as i32;
            }
        }
        ReductionTable(table)
    }

    /// Returns the base of a move, in 1024ths of a ply.
    #[inline(always)]
    pub(super) fn of(&self, depth: i32, move_number: i32) -> i32 {
        let last = SIZE as i32 - 1;
        self.0[(depth.min(last) * SIZE as i32 + move_number.min(last)) as usize]
    }
}
