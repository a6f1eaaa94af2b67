//! Weights of the second layer of one bucket.

use super::block::Block;
use crate::evaluation::weights::{ACTIVATION_SCALE, SECOND_SCALE};

/// Weights of one bucket, see `second_layer`; a row is as long as a layer.
pub(in crate::evaluation) struct SecondWeights<'a> {
    /// Blocks of a row.
    pub(in crate::evaluation) row: usize,
    /// `[direct output, then pairs][row]`
    pub(in crate::evaluation) sums: &'a [Block],
    /// `[pair][row]`
    pub(in crate::evaluation) differences: &'a [Block],
    /// `[pair]`
    pub(in crate::evaluation) biases: &'a [i32],
    /// `[pair]`
    pub(in crate::evaluation) outputs: &'a [i16],
}

/// A hidden value of 1.0 in the second layer.
const ONE: i32 = ACTIVATION_SCALE * SECOND_SCALE;

impl SecondWeights<'_> {
    /// Returns the contribution of the pairs to the output, from the products of their rows of both
    /// kinds of weights.
    #[inline(always)]
    pub(super) fn output_of_pairs(&self, sums: &[i32], differences: &[i32]) -> i64 {
        let units = self.biases.iter().zip(self.outputs);
        let products = sums.iter().zip(differences);
        let outputs = units.zip(products).map(|((bias, output), (s, d))| {
            let both = activation(bias + s + *d) + activation(bias + s - *d);
            // Twice 8192 times a weight of 16 bits fits 32 bits, but the sum of the pairs does not.
            i64::from(both * i32::from(*output))
        });
        outputs.sum()
    }
}

/// Returns the activation 0..8192 of a hidden value.
#[inline(always)]
fn activation(value: i32) -> i32 {
    // The square of 15 bits fits 32 bits.
    const SHIFT: u32 = ONE.ilog2() - 15;
    const SQUARE_SHIFT: u32 = 30 - ACTIVATION_SCALE.ilog2();
    let value = (value.clamp(0, ONE) + (1 << SHIFT >> 1)) >> SHIFT;
    (value * value + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT
}
