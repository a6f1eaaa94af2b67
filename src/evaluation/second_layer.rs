//! The layers behind the first one, in a network that has a second hidden layer.
//!
//! The activations of each mirror pair of the first layer enter as their sum `s` and their
//! difference `d`. The units of the second layer come in mirror pairs too, with the values
//! `bias + S s + D d` and `bias + S s - D d`, the same activation and the same output weight: a
//! mirrored board exchanges them and leaves the value as it is. The output adds to these the direct
//! output of the first layer, one more row of weights for `s`.

use super::simd::{Block, Simd};
use super::weights::{ACTIVATION_SCALE, MAX_PAIRS, SECOND_SCALE, Shape, Weights};

/// A hidden value of 1.0 in the second layer.
const ONE: i32 = ACTIVATION_SCALE * SECOND_SCALE;

/// See the module.
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
    /// The second layer of a network; `None` if its shape has none.
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

    /// The value without the output bias, times the scales of activation and output. `pooled` is a
    /// buffer of two rows.
    #[inline]
    pub(super) fn evaluate(
        &self,
        simd: Simd,
        layers: [&[Block]; 2],
        bucket: usize,
        pooled: &mut [Block],
    ) -> i64 {
        let (row, pairs) = (self.row, self.pairs);
        let (sums, differences) = pooled.split_at_mut(row);
        simd.pool(layers, sums, differences);
        let mut s = [0; MAX_PAIRS + 1];
        let mut d = [0; MAX_PAIRS];
        let (s, d) = (&mut s[..=pairs], &mut d[..pairs]);
        simd.dot_products(&self.sums[bucket * (pairs + 1) * row..], sums, s);
        simd.dot_products(&self.differences[bucket * pairs * row..], differences, d);
        let mut value = i64::from(s[0]);
        let biases = &self.biases[bucket * pairs..][..pairs];
        let outputs = &self.outputs[bucket * pairs..][..pairs];
        for (((s, d), bias), output) in s[1..].iter().zip(d).zip(biases).zip(outputs) {
            let both = activation(bias + s + *d) + activation(bias + s - *d);
            value += i64::from(both * i32::from(*output));
        }
        value
    }
}

/// The activation 0..8192 of a hidden value.
#[inline]
fn activation(value: i32) -> i32 {
    // The square of 15 bits fits 32 bits.
    const SHIFT: u32 = ONE.ilog2() - 15;
    const SQUARE_SHIFT: u32 = 30 - ACTIVATION_SCALE.ilog2();
    let value = (value.clamp(0, ONE) + (1 << SHIFT >> 1)) >> SHIFT;
    (value * value + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT
}
