//! Weights of the second layer of one bucket.

use super::block::Block;
use crate::nnue::weights::{ACTIVATION_SCALE, MAX_PAIRS, SECOND_SCALE};

/// Weights of one bucket, see `second_layer`; a row is as long as a layer.
pub(in crate::nnue) struct SecondWeights<'a> {
    /// Blocks of a row.
    pub(in crate::nnue) row: usize,
    /// `[direct output, then pairs][row]`
    pub(in crate::nnue) sums: &'a [Block],
    /// `[pair][row]`
    pub(in crate::nnue) differences: &'a [Block],
    /// `[pair]`
    pub(in crate::nnue) biases: &'a [i32],
    /// `[pair]`
    pub(in crate::nnue) outputs: &'a [i16],
}

/// A hidden value of 1.0 in the second layer.
const ONE: i32 = ACTIVATION_SCALE * SECOND_SCALE;

impl SecondWeights<'_> {
    /// Returns the blocks of a row and the number of pairs.
    #[inline(always)]
    pub(super) fn shape(&self) -> (usize, usize) {
        (self.row, self.outputs.len())
    }

    /// Returns the output without its bias. `pool` computes sums and differences of the activations
    /// of mirror pairs, own view before opponent's; `dot_products` the products of rows with a
    /// vector, modulo 2^32. Loops for a constant `ROW` and `PAIRS` are unrolled; 0 stands for the
    /// numbers of these weights.
    #[inline(always)]
    pub(super) fn output<const ROW: usize, const PAIRS: usize>(
        &self,
        layers: [&[Block]; 2],
        pooled: &mut [Block],
        pool: impl Fn([&[Block]; 2], &mut [Block], &mut [Block]),
        dot_products: impl Fn(&[Block], &[Block], &mut [i32]),
    ) -> i64 {
        let (row, pairs) = if ROW > 0 { (ROW, PAIRS) } else { self.shape() };
        let (sums, differences) = pooled[..2 * row].split_at_mut(row);
        pool(layers.map(|layer| &layer[..row]), sums, differences);
        let (direct_rows, rows) = self.sums.split_at(row);
        let (mut direct, mut s, mut d) = ([0], [0; MAX_PAIRS], [0; MAX_PAIRS]);
        dot_products(direct_rows, sums, &mut direct);
        dot_products(&rows[..pairs * row], sums, &mut s[..pairs]);
        dot_products(&self.differences[..pairs * row], differences, &mut d[..pairs]);
        i64::from(direct[0]) + self.output_of_pairs(&s[..pairs], &d[..pairs])
    }

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
