//! Base of the late move reductions, by depth and move number.

use super::parameters::Parameters;

/// Depths and move numbers from this on share the last row or column.
const SIZE: usize = 64;

/// Reductions in 1024ths of a ply, growing with the logarithms of depth and move number.
pub(super) struct Reductions(Vec<i32>);

impl Reductions {
    pub(super) fn new(parameters: &Parameters) -> Reductions {
        let mut table = vec![0; SIZE * SIZE];
        for depth in 1..SIZE {
            for move_number in 1..SIZE {
                let logarithms = (depth as f64).ln() * (move_number as f64).ln();
                table[depth * SIZE + move_number] =
                    (f64::from(parameters.lmr_factor) * logarithms) as i32;
            }
        }
        Reductions(table)
    }

    /// Returns the reduction of a move, in 1024ths of a ply.
    #[inline(always)]
    pub(super) fn of(&self, depth: i32, move_number: i32) -> i32 {
        let last = SIZE as i32 - 1;
        self.0[(depth.min(last) * SIZE as i32 + move_number.min(last)) as usize]
    }
}
