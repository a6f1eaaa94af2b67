//! Offsets of the parts of a network's parameters.

use cannonade_engine::nnue::Shape;

/// The offsets of the parts of the parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParameterLayout {
    pub(super) units: usize,
    pub(super) biases: usize,
    pub(super) outputs: usize,
    pub(super) second: usize,
    pub(super) second_biases: usize,
    pub(super) output_biases: usize,
    pub(super) second_outputs: usize,
    /// Output buckets.
    pub(super) buckets: usize,
    /// Pairs of units in the second layer.
    pub(super) pairs: usize,
    pub(super) len: usize,
}

impl ParameterLayout {
    pub(super) fn new(shape: Shape) -> ParameterLayout {
        let units = shape.free_units();
        let biases = shape.features() * units;
        let outputs = biases + units;
        let second = outputs + shape.buckets * 2 * units;
        let second_biases = second + shape.second_weights();
        let output_biases = second_biases + shape.buckets * shape.pairs;
        let second_outputs = output_biases + shape.buckets;
        ParameterLayout {
            units,
            biases,
            outputs,
            second,
            second_biases,
            output_biases,
            second_outputs,
            buckets: shape.buckets,
            pairs: shape.pairs,
            len: second_outputs + shape.buckets * shape.pairs,
        }
    }

    /// Returns the direct weights of a bucket: `[own or opponent's view][unit]`.
    #[inline(always)]
    pub(super) fn direct_row(&self, bucket: usize) -> usize {
        self.outputs + bucket * 2 * self.units
    }

    /// Returns the number of rows of `units` weights within [`CLIP`](super::model::CLIP); the
    /// weights after them, those of the outputs of the second layer and all biases but the first
    /// layer's, are within [`OUTPUT_CLIP`](super::model::OUTPUT_CLIP).
    pub(super) fn clipped_rows(&self) -> usize {
        self.second_biases / self.units
    }

    /// Returns the weights of a pair of the second layer for the sums; those for the differences
    /// follow.
    #[inline(always)]
    pub(super) fn second_row(&self, bucket: usize, pair: usize) -> usize {
        self.second + (bucket * self.pairs + pair) * 4 * self.units
    }

    #[inline(always)]
    pub(super) fn second_bias(&self, bucket: usize, pair: usize) -> usize {
        self.second_biases + bucket * self.pairs + pair
    }

    #[inline(always)]
    pub(super) fn second_output(&self, bucket: usize, pair: usize) -> usize {
        self.second_outputs + bucket * self.pairs + pair
    }
}
