//! The network: 1260 inputs per view, one hidden layer per view, and one output per bucket, which
//! depends on both hidden layers.
//!
//! ```text
//! own view      1260 -> W \
//!                          SCReLU -> 2 W -> 1 (of 1 or 8, by the number of pieces)
//! opponent view 1260 -> W /
//! ```
//! All numbers are integers. Three scales turn the real numbers of the training into them:
//!
//! - Inputs' weights and hidden values are multiplied by 2048. A hidden value then has the range
//!   from -16 to 16 in 16 bits; trained networks stay below 10, and others are refused.
//! - SCReLU, the square of the hidden value limited to 0..1, has the range 0..8192.
//! - Outputs' weights are multiplied by 2048, so that the sum of 1024 products fits 32 bits.
//!
//! The scales 255 and 64 that other engines use save one instruction in six, but round more
//! coarsely.
//!
//! In a paired network hidden unit `W/2 + i` has the weights of unit `i` on the mirrored board and
//! the same output weights. So a position and its mirror image have exactly the same value.

use std::fmt;

use super::features::{FEATURES, bucket, mirrored};
use super::simd::{Block, Simd};
use crate::geometry::{Piece, Square};

/// The factor of the inputs' weights; this integer is the hidden value 1.0.
pub const INPUT_SCALE: i32 = 2048;
/// The activation 1.0: the square of [`INPUT_SCALE`], shifted by `SQUARE_SHIFT`.
pub const ACTIVATION_SCALE: i32 = (INPUT_SCALE * INPUT_SCALE) >> SQUARE_SHIFT;

/// The scale of the output is a power of two, so a shift divides by it.
const OUTPUT_SHIFT: u32 = (ACTIVATION_SCALE * OUTPUT_SCALE).ilog2();
const _: () = assert!(ACTIVATION_SCALE * OUTPUT_SCALE == 1 << OUTPUT_SHIFT);
/// What a squared hidden value is shifted by, with rounding.
pub(crate) const SQUARE_SHIFT: i32 = 9;
/// The factor of the outputs' weights.
pub const OUTPUT_SCALE: i32 = 2048;
/// Centipawns per logit, the unit of the network's output.
pub const LOGIT: i32 = 400;
/// The greatest weight of an output, so that no sum of 32 bits overflows.
pub const MAX_OUTPUT_WEIGHT: i16 = 2028;
/// The greatest width of the hidden layer.
const MAX_WIDTH: usize = 1024;
/// Widths are multiples of this, so that layers fill whole vectors.
const WIDTH_STEP: usize = Block::LEN;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Hidden units per view.
    pub width: usize,
    /// Output buckets: 1 or 8.
    pub buckets: usize,
    /// Whether the second half of the units mirrors the first.
    pub paired: bool,
}

impl Shape {
    /// Why a network cannot have this shape; `None` if it can.
    pub fn defect(&self) -> Option<String> {
        if self.width == 0 || !self.width.is_multiple_of(WIDTH_STEP) || self.width > MAX_WIDTH {
            let width = self.width;
            Some(format!("width {width}; expected a multiple of {WIDTH_STEP} up to {MAX_WIDTH}"))
        } else if self.buckets != 1 && self.buckets != 8 {
            Some(format!("{} output buckets; expected 1 or 8", self.buckets))
        } else {
            None
        }
    }

    /// Hidden units with their own weights; the others mirror them.
    pub const fn free_units(&self) -> usize {
        if self.paired { self.width / 2 } else { self.width }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paired = if self.paired { ", mirror pairs" } else { "" };
        write!(f, "({FEATURES} -> {})x2 -> {}{paired}", self.width, self.buckets)
    }
}

/// The weights in the form of the file and the trainer: only those of free units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// `[feature][unit]`
    pub inputs: Vec<i16>,
    /// `[unit]`
    pub biases: Vec<i16>,
    /// `[bucket][own or opponent's view][unit]`
    pub outputs: Vec<i16>,
    /// `[bucket]`, times the scales of activation and output
    pub output_biases: Vec<i32>,
}

impl Weights {
    /// Why these weights do not fit the shape or could overflow; `None` if they are usable.
    pub fn defect(&self, shape: Shape) -> Option<String> {
        let units = shape.free_units();
        let sizes = [self.inputs.len(), self.biases.len(), self.outputs.len()];
        if sizes != [FEATURES * units, units, shape.buckets * 2 * units]
            || self.output_biases.len() != shape.buckets
        {
            return Some(format!("{sizes:?} weights do not fit {shape}"));
        }
        let largest = |weights: &[i16]| weights.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
        for unit in 0..units {
            let (low, high) = self.hidden_range(unit, units);
            if low < i16::MIN.into() || high > i16::MAX.into() {
                return Some(format!("hidden unit {unit} could overflow 16 bits"));
            }
        }
        let output = largest(&self.outputs);
        if output > MAX_OUTPUT_WEIGHT.unsigned_abs() {
            return Some(format!("output weights of {output} are above {MAX_OUTPUT_WEIGHT}"));
        }
        let bias = self.output_biases.iter().map(|b| b.unsigned_abs()).max().unwrap_or(0);
        (bias > 1 << 26).then(|| format!("an output bias of {bias} is out of range"))
    }

    /// The least and greatest value of a hidden unit: each kind has all of its pieces on the worst
    /// square, or none.
    fn hidden_range(&self, unit: usize, units: usize) -> (i32, i32) {
        let bias = i32::from(self.biases[unit]);
        Piece::all().zip(0..).fold((bias, bias), |(low, high), (piece, plane)| {
            let rows = plane * Square::COUNT..(plane + 1) * Square::COUNT;
            let weights = rows.map(|row| i32::from(self.inputs[row * units + unit]));
            let (least, most) = weights.fold((0, 0), |(l, m), w| (w.min(l), w.max(m)));
            let count = piece.kind().most() as i32;
            (low + count * least, high + count * most)
        })
    }
}

/// A network in the form in which it evaluates.
#[derive(Clone)]
pub struct Network {
    shape: Shape,
    description: String,
    checksum: u32,
    weights: Weights,
    /// `[feature][width]`
    inputs: Vec<Block>,
    /// `[width]`
    biases: Vec<Block>,
    /// `[bucket][view][width]`
    outputs: Vec<Block>,
    simd: Simd,
}

impl Network {
    /// A network of these weights. `checksum` identifies its file. The error is the defect of the
    /// shape or the weights.
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
        let row = |feature: usize| &weights.inputs[feature * units..(feature + 1) * units];
        let mut inputs = Vec::with_capacity(FEATURES * shape.width);
        for feature in 0..FEATURES {
            inputs.extend(row(feature));
            if shape.paired {
                inputs.extend(row(mirrored(feature)));
            }
        }
        let copies = shape.width / units;
        let outputs: Vec<i16> =
            weights.outputs.chunks(units).flat_map(|view| view.repeat(copies)).collect();
        Ok(Network {
            shape,
            description,
            checksum,
            inputs: Block::collect(&inputs),
            biases: Block::collect(&weights.biases.repeat(copies)),
            outputs: Block::collect(&outputs),
            weights,
            simd: Simd::detect(),
        })
    }

    /// The size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How it was trained.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The checksum of its file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The weights of its free units.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The instruction set that it is evaluated with.
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// The same network, evaluated with another instruction set; `None` if the processor does not
    /// have it.
    pub fn with_simd(&self, simd: Simd) -> Option<Network> {
        simd.is_available().then(|| Network { simd, ..self.clone() })
    }

    /// Blocks per layer.
    #[inline]
    pub(super) fn blocks(&self) -> usize {
        self.shape.width / Block::LEN
    }

    /// The weights of an input.
    #[inline]
    pub(super) fn row(&self, feature: usize) -> &[Block] {
        &self.inputs[feature * self.blocks()..][..self.blocks()]
    }

    /// Computes the layers of both views after a move from those before it: see [`Simd::update`].
    #[inline]
    pub(super) fn update<const N: usize>(
        &self,
        before: &[Block],
        after: &mut [Block],
        added: [usize; 2],
        removed: [[usize; 2]; N],
    ) {
        self.simd.update(&self.inputs, before, after, added, removed);
    }

    #[inline]
    pub(super) fn biases(&self) -> &[Block] {
        &self.biases
    }

    /// The value in centipawns for the side whose view is `own`.
    #[inline]
    pub(super) fn output(&self, own: &[Block], opponent: &[Block], pieces: usize) -> i32 {
        let blocks = self.blocks();
        let bucket = bucket(pieces, self.shape.buckets);
        let weights = self.outputs[bucket * 2 * blocks..][..2 * blocks].split_at(blocks);
        let sum = self.simd.squared_dot([own, opponent], weights.into());
        let value = sum + i64::from(self.weights.output_biases[bucket]);
        // The added half rounds.
        ((value * i64::from(LOGIT) + (1 << OUTPUT_SHIFT >> 1)) >> OUTPUT_SHIFT) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network {:08x} {}", self.checksum, self.shape)
    }
}
