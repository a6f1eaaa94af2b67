//! The network: inputs for the pieces on their squares and optionally for threats, one hidden layer
//! per view, optionally a second hidden layer over both views, and one output per bucket.
//!
//! ```text
//! own view      inputs -> W \
//!                            SCReLU -> 2 W -> 1 (of 1 or 8, by the number of pieces)
//! opponent view inputs -> W /
//! ```
//! In a paired network hidden unit `W/2 + i` has the weights of unit `i` on the mirrored board and
//! the same output weights. So a position and its mirror image have exactly the same value.
//!
//! In a network with a second hidden layer the activations of each mirror pair of the first layer
//! enter it as their sum `s` and their difference `d`. The units of the second layer come in mirror
//! pairs too, with the values `bias + S s + D d` and `bias + S s - D d`, the same activation and
//! the same output weight: a mirrored board exchanges them and leaves the value as it is. The
//! output adds to these the direct output of the first layer, one more row of weights for `s`.

use std::fmt;

use super::arch::{ACTIVATION_SCALE, LOGIT, OUTPUT_SCALE, Shape};
use super::features::{Changes, bucket};
use super::file::Weights;
use super::simd::{Block, SecondWeights, Simd};

/// The scale of the output is a power of two, so a shift divides by it.
const OUTPUT_SHIFT: u32 = (ACTIVATION_SCALE * OUTPUT_SCALE).ilog2();
const _: () = assert!(ACTIVATION_SCALE * OUTPUT_SCALE == 1 << OUTPUT_SHIFT);

/// A network in the layout used for evaluation.
#[derive(Clone)]
pub struct Network {
    shape: Shape,
    description: String,
    checksum: u32,
    weights: Weights,
    /// `[feature][free unit]`: a paired network finds the weights of its other units in the rows of
    /// the mirrored inputs.
    inputs: Vec<Block>,
    /// `[width]`
    biases: Vec<Block>,
    /// `[bucket][view][width]`
    outputs: Vec<Block>,
    second: Option<SecondLayer>,
    simd: Simd,
}

impl Network {
    /// Creates a network of these weights. `checksum` identifies its file.
    ///
    /// # Errors
    /// The defect of the shape or of the weights, as a text.
    pub fn new(
        shape: Shape,
        weights: Weights,
        description: String,
        checksum: u32,
    ) -> Result<Network, String> {
        if let Some(defect) = shape.defect().or_else(|| weights.defect(shape)) {
            return Err(defect);
        }
        let units = shape.free_units();
        let copies = shape.width / units;
        let outputs: Vec<i16> =
            weights.outputs.chunks(units).flat_map(|view| view.repeat(copies)).collect();
        Ok(Network {
            shape,
            description,
            checksum,
            inputs: Block::collect(&weights.inputs),
            biases: Block::collect(&weights.biases.repeat(copies)),
            outputs: Block::collect(&outputs),
            second: SecondLayer::new(shape, &weights),
            weights,
            simd: Simd::detect(),
        })
    }

    /// Returns the size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the description of its training.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the checksum of its file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// Returns the weights of its free units.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns the instruction set used.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// Returns the same network with another instruction set; `None` if the processor lacks it.
    pub fn with_simd(&self, simd: Simd) -> Option<Network> {
        simd.is_available().then(|| Network { simd, ..self.clone() })
    }

    /// Returns the blocks per layer.
    #[inline]
    pub(crate) fn blocks(&self) -> usize {
        self.shape.width / Block::LEN
    }

    /// Computes the layers of both views from those of another board and the inputs that differ.
    #[inline]
    pub(crate) fn update(&self, before: [&[Block]; 2], after: &mut [Block], changes: &Changes) {
        let row_len = self.shape.free_units() / Block::LEN;
        let Changes { added, removed } = changes;
        self.simd.update(&self.inputs, row_len, before, after, added.rows(), removed.rows());
    }

    #[inline]
    pub(crate) fn biases(&self) -> &[Block] {
        &self.biases
    }

    /// Returns the value in centipawns for the side whose view is `own`. `buffer` has the size of a
    /// layer.
    #[inline]
    pub(crate) fn output(
        &self,
        own: &[Block],
        opponent: &[Block],
        pieces: usize,
        buffer: &mut [Block],
    ) -> i32 {
        let blocks = self.blocks();
        let bucket = bucket(pieces, self.shape.buckets);
        let layers = [own, opponent];
        let sum = if let Some(second) = &self.second {
            second.evaluate(self.simd, layers, bucket, buffer)
        } else {
            let weights = self.outputs[bucket * 2 * blocks..][..2 * blocks].split_at(blocks);
            self.simd.squared_dot(layers, weights.into())
        };
        let value = sum + i64::from(self.weights.output_biases[bucket]);
        // Adding half rounds to nearest.
        ((value * i64::from(LOGIT) + (1 << OUTPUT_SHIFT >> 1)) >> OUTPUT_SHIFT) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network {:08x} {}", self.checksum, self.shape)
    }
}

/// Weights of the second layer of all buckets.
#[derive(Clone)]
struct SecondLayer {
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
    fn new(shape: Shape, weights: &Weights) -> Option<SecondLayer> {
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
    fn evaluate(
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
