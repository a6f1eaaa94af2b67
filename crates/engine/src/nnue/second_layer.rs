//! The layers after the first one, in a network that has a second hidden layer.
//!
//! The activations of each mirror pair of the first layer enter as their sum `s` and their
//! difference `d`. The units of the second layer come in mirror pairs too, with the values
//! `bias + S s + D d` and `bias + S s - D d`, the same activation and the same output weight: a
//! mirrored board exchanges them and leaves the value as it is. The output adds to these the direct
//! output of the first layer, one more row of weights for `s`.

use super::simd::{Block, SecondWeights, Simd};
use super::weights::{Shape, Weights};

/// Weights of the second layer of all buckets.
#[derive(Clone)]
pub(super) struct SecondLayer {
    pairs: usize,
    /// Blocks of a row: one number for each pair of the first layer, own view before opponent's.
    row: usize,
    /// `[bucket][direct output, then pairs][row]`
    sums: Vec<Block>,
    /// `[bucket][pair][row]`
    differences: Vec<Block>,
    /// `[bucket][pair]`
    biases: Vec<i32>,
    /// `[bucket][pair]`
    outputs: Vec<i16>,
}

impl SecondLayer {
    /// Creates the second layer of a network; `None` if its shape has none.
    pub(super) fn new(shape: Shape, weights: &Weights) -> Option<SecondLayer> {
        let row = shape.width;
        if shape.pairs == 0 {
            return None;
        }
        let (mut sums, mut differences) = (Vec::new(), Vec::new());
        for (direct, pairs) in
            weights.outputs.chunks(row).zip(weights.second.chunks(shape.pairs * 2 * row))
        {
            sums.extend(direct);
            for pair in pairs.chunks(2 * row) {
                sums.extend(&pair[..row]);
                differences.extend(&pair[row..]);
            }
        }
        Some(SecondLayer {
            pairs: shape.pairs,
            row: row / Block::LEN,
            sums: Block::collect(&sums),
            differences: Block::collect(&differences),
            biases: weights.second_biases.clone(),
            outputs: weights.second_outputs.clone(),
        })
    }

    /// Returns the value without the output bias, times the scales of activation and output.
    /// `pooled` is a buffer of two rows.
    #[inline]
    pub(super) fn evaluate(
        &self,
        simd: Simd,
        layers: [&[Block]; 2],
        bucket: usize,
        pooled: &mut [Block],
    ) -> i64 {
        let (row, pairs) = (self.row, self.pairs);
        let weights = SecondWeights {
            row,
            sums: &self.sums[bucket * (pairs + 1) * row..][..(pairs + 1) * row],
            differences: &self.differences[bucket * pairs * row..][..pairs * row],
            biases: &self.biases[bucket * pairs..][..pairs],
            outputs: &self.outputs[bucket * pairs..][..pairs],
        };
        simd.second_layer(layers, &weights, pooled)
    }
}
