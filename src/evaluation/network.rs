//! The network: 1260 inputs a view, one hidden layer, the hidden layers of both views joined, one
//! output a bucket.
//!
//! ```text
//! own view 1260 -> W \
//!                     SCReLU -> 2 W -> 1 (of 1 or 8 by number of pieces)
//! opp view 1260 -> W /
//! ```
//! All in integers: inputs' weights are multiplied by 255, outputs' by 64, the output by 400, which
//! makes centipawns of what the trainer calls a logit. SCReLU is the square of the value cut to
//! 0..1.
//!
//! In a paired network hidden unit `W/2 + i` has the weights of unit `i` on the mirrored board and
//! the same output weights. So a position and its mirror image have exactly the same value.

use std::fmt;

use super::features::{FEATURES, MAX_ACTIVE, bucket, mirrored};
use super::simd::Simd;

/// The factor of the inputs' weights; the hidden value 1.0.
pub const INPUT_SCALE: i32 = 255;
/// The factor of the outputs' weights.
pub const OUTPUT_SCALE: i32 = 64;
/// Centipawns of a logit.
pub const LOGIT: i32 = 400;
/// The greatest weight of an output: it times a hidden value fits 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;
/// The greatest width of the hidden layer.
pub const MAX_WIDTH: usize = 1024;
/// Widths are multiples of this, so that each half of a paired network fills whole vectors.
pub const WIDTH_STEP: usize = 32;

/// The form of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Hidden units of a view.
    pub width: usize,
    /// Output buckets: 1 or 8.
    pub buckets: usize,
    /// Whether the second half of the units mirrors the first.
    pub paired: bool,
}

impl Shape {
    /// Why no network can have this shape, if so.
    pub fn defect(&self) -> Option<String> {
        if self.width == 0 || self.width % WIDTH_STEP != 0 || self.width > MAX_WIDTH {
            let width = self.width;
            Some(format!("width {width} is no multiple of {WIDTH_STEP} up to {MAX_WIDTH}"))
        } else if self.buckets != 1 && self.buckets != 8 {
            Some(format!("{} output buckets; 1 and 8 are possible", self.buckets))
        } else {
            None
        }
    }

    /// Units with weights of their own.
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

/// The weights as a file holds them and the trainer makes them: only those of free units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// `[feature][unit]`
    pub inputs: Vec<i16>,
    /// `[unit]`
    pub biases: Vec<i16>,
    /// `[bucket][own or opponent's view][unit]`
    pub outputs: Vec<i16>,
    /// `[bucket]`, times both scales
    pub output_biases: Vec<i32>,
}

impl Weights {
    /// Why these weights do not fit the shape or could overflow, if so.
    pub fn defect(&self, shape: Shape) -> Option<String> {
        let units = shape.free_units();
        let sizes = [self.inputs.len(), self.biases.len(), self.outputs.len()];
        if sizes != [FEATURES * units, units, shape.buckets * 2 * units]
            || self.output_biases.len() != shape.buckets
        {
            return Some(format!("{sizes:?} weights do not fit {shape}"));
        }
        let largest = |weights: &[i16]| weights.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
        let (input, bias, output) =
            (largest(&self.inputs), largest(&self.biases), largest(&self.outputs));
        if u32::from(input) * MAX_ACTIVE as u32 + u32::from(bias) > i16::MAX as u32 {
            return Some(format!("input weights of {input} could overflow 16 bits"));
        }
        if output > MAX_OUTPUT_WEIGHT.unsigned_abs() {
            return Some(format!("output weights of {output} are above {MAX_OUTPUT_WEIGHT}"));
        }
        let bias = self.output_biases.iter().map(|b| b.unsigned_abs()).max().unwrap_or(0);
        (bias > 1 << 24).then(|| format!("an output bias of {bias} is out of range"))
    }
}

/// A network ready to evaluate with.
pub struct Network {
    shape: Shape,
    description: String,
    checksum: u32,
    weights: Weights,
    /// `[feature][width]`
    inputs: Vec<i16>,
    /// `[width]`
    biases: Vec<i16>,
    /// `[bucket][view][width]`
    outputs: Vec<i16>,
    simd: Simd,
}

impl Network {
    /// A network of these weights; the error says why they are impossible. `checksum` names it.
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
        let outputs = weights.outputs.chunks(units).flat_map(|view| view.repeat(copies)).collect();
        Ok(Network {
            shape,
            description,
            checksum,
            inputs,
            biases: weights.biases.repeat(copies),
            outputs,
            weights,
            simd: Simd::detect(),
        })
    }

    /// The form.
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

    /// Evaluates with another instruction set; refused if the processor lacks it.
    pub fn set_simd(&mut self, simd: Simd) -> bool {
        let available = simd.is_available();
        if available {
            self.simd = simd;
        }
        available
    }

    /// The weights of an input.
    #[inline]
    pub(super) fn row(&self, feature: usize) -> &[i16] {
        &self.inputs[feature * self.shape.width..][..self.shape.width]
    }

    #[inline]
    pub(super) fn biases(&self) -> &[i16] {
        &self.biases
    }

    /// The value in centipawns for the side whose view is `own`.
    #[inline]
    pub(super) fn output(&self, own: &[i16], opponent: &[i16], pieces: usize) -> i32 {
        let width = self.shape.width;
        let bucket = bucket(pieces, self.shape.buckets);
        let weights = &self.outputs[bucket * 2 * width..][..2 * width];
        let sum = self.simd.squared_dot(own, &weights[..width])
            + self.simd.squared_dot(opponent, &weights[width..]);
        let scale = i64::from(INPUT_SCALE * OUTPUT_SCALE);
        let value = sum / i64::from(INPUT_SCALE) + i64::from(self.weights.output_biases[bucket]);
        (value * i64::from(LOGIT) / scale) as i32
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network {:08x} {}", self.checksum, self.shape)
    }
}
