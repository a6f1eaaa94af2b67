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

use std::fmt;

use super::changes::Changes;
use super::features::bucket;
use super::second_layer::SecondLayer;
use super::simd::{Block, Simd};
use super::weights::{ACTIVATION_SCALE, LOGIT, OUTPUT_SCALE, Shape, Weights};

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
    pub(super) fn blocks(&self) -> usize {
        self.shape.width / Block::LEN
    }

    /// Computes the layers of both views from those of another board and the inputs that differ.
    #[inline]
    pub(super) fn update(&self, before: [&[Block]; 2], after: &mut [Block], changes: &Changes) {
        let row_len = self.shape.free_units() / Block::LEN;
        let Changes { added, removed } = changes;
        self.simd.update(&self.inputs, row_len, before, after, added.rows(), removed.rows());
    }

    #[inline]
    pub(super) fn biases(&self) -> &[Block] {
        &self.biases
    }

    /// Returns the value in centipawns for the side whose view is `own`. `buffer` has the size of a
    /// layer.
    #[inline]
    pub(super) fn output(
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
