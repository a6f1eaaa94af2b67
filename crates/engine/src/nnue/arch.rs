//! The shape of a network and the scales of its numbers.
//!
//! All numbers are integers. Three scales convert the real numbers of the training:
//!
//! - Inputs' weights and hidden values are multiplied by 1024. A hidden value then has the range
//!   from -32 to 32 in 16 bits; networks that could leave it are refused.
//! - SCReLU, the square of the hidden value limited to 0..1, has the range 0..8192.
//! - Outputs' weights are multiplied by 2048, so that the sum of 1024 products fits 32 bits.
//!
//! The scales 255 and 64 that other engines use save one instruction in six, but round more
//! coarsely.

use std::fmt;

use super::features::{FEATURES, features_with_threats};
use super::simd::Block;

/// The factor of the inputs' weights; this integer is the hidden value 1.0.
pub const INPUT_SCALE: i32 = 1024;
/// The activation 1.0: the square of [`INPUT_SCALE`], shifted by `SQUARE_SHIFT`.
pub const ACTIVATION_SCALE: i32 = (INPUT_SCALE * INPUT_SCALE) >> SQUARE_SHIFT;

/// Right shift of a squared hidden value, with rounding.
pub const SQUARE_SHIFT: i32 = 7;
/// The factor of the outputs' weights.
pub const OUTPUT_SCALE: i32 = 2048;
/// The factor of the weights of the second layer.
pub const SECOND_SCALE: i32 = 2048;
/// Centipawns per logit, the unit of the network's output.
pub const LOGIT: i32 = 400;
/// Maximum number of pairs of units in the second layer.
pub(crate) const MAX_PAIRS: usize = 32;
/// Maximum width of the hidden layer.
const MAX_WIDTH: usize = 1024;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Hidden units per view.
    pub width: usize,
    /// Output buckets: 1 or 8.
    pub buckets: usize,
    /// True if the second half of the units mirrors the first.
    pub paired: bool,
    /// Mirror pairs of units in the second hidden layer of each bucket; 0 without that layer.
    pub pairs: usize,
    /// True if threats are inputs, besides the pieces on their squares.
    pub threats: bool,
}

impl Shape {
    /// Returns the reason why a network cannot have this shape; `None` if it can.
    pub fn defect(&self) -> Option<String> {
        // Layers, or their halves, fill whole vectors.
        let step = if self.paired { 2 * Block::LEN } else { Block::LEN };
        if self.width == 0 || !self.width.is_multiple_of(step) || self.width > MAX_WIDTH {
            let (width, pairs) = (self.width, if self.paired { " with mirror pairs" } else { "" });
            Some(format!("width {width}; expected a multiple of {step} up to {MAX_WIDTH}{pairs}"))
        } else if self.buckets != 1 && self.buckets != 8 {
            Some(format!("{} output buckets; expected 1 or 8", self.buckets))
        } else if self.pairs > MAX_PAIRS {
            let most = MAX_PAIRS;
            Some(format!("{} pairs in the second layer; expected at most {most}", self.pairs))
        } else if self.pairs > 0 && !self.paired {
            Some("a second layer needs mirror pairs".to_owned())
        } else {
            None
        }
    }

    /// Returns the number of inputs of a view.
    pub fn features(&self) -> usize {
        if self.threats { features_with_threats() } else { FEATURES }
    }

    /// Returns the number of weights of the second layer.
    pub const fn second_weights(&self) -> usize {
        self.buckets * self.pairs * 2 * self.width
    }

    /// Returns the number of hidden units with their own weights; the others mirror them.
    pub const fn free_units(&self) -> usize {
        if self.paired { self.width / 2 } else { self.width }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paired = if self.paired { ", mirror pairs" } else { "" };
        write!(f, "({FEATURES}")?;
        if self.threats {
            write!(f, " + {} threats", self.features() - FEATURES)?;
        }
        write!(f, " -> {})x2 -> ", self.width)?;
        match self.pairs {
            0 => write!(f, "{}{paired}", self.buckets),
            pairs => write!(f, "(1 + {} -> 1) x {}{paired}", 2 * pairs, self.buckets),
        }
    }
}
