//! The shape of a network and its weights, as integers.
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

use std::{fmt, iter};

use xiangqi::geometry::{Piece, Square};

use super::features::FEATURES;
use super::simd::Block;
use super::threats::{features_with_threats, max_victims, threat};

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
pub(super) const MAX_PAIRS: usize = 32;
/// Maximum direct weight of an output, so that no 32-bit sum overflows.
const MAX_OUTPUT_WEIGHT: i16 = 2028;
/// Maximum bias of an output: 8 logits.
const MAX_OUTPUT_BIAS: u32 = 8 * (ACTIVATION_SCALE * OUTPUT_SCALE) as u32;
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
    /// Weights of the second layer for sums and differences of the activations of the first:
    /// `[bucket][pair][sum or difference][own or opponent's view][unit]`
    pub second: Vec<i16>,
    /// `[bucket][pair]`, times the scales of activation and second layer
    pub second_biases: Vec<i32>,
    /// `[bucket][pair]`
    pub second_outputs: Vec<i16>,
}

impl Weights {
    /// Returns the reason why these weights do not fit the shape or could overflow; `None` if they
    /// are usable.
    pub fn defect(&self, shape: Shape) -> Option<String> {
        let units = shape.free_units();
        let sizes = [self.inputs.len(), self.biases.len(), self.outputs.len()];
        if sizes != [shape.features() * units, units, shape.buckets * 2 * units]
            || self.output_biases.len() != shape.buckets
            || self.second.len() != shape.second_weights()
            || self.second_biases.len() != shape.buckets * shape.pairs
            || self.second_outputs.len() != shape.buckets * shape.pairs
        {
            return Some(format!("{sizes:?} weights do not fit {shape}"));
        }
        let largest = |weights: &[i16]| weights.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0);
        let rough = self.rough_ranges(shape);
        let suspects = (0..units).filter(|&unit| !fits_16_bits(rough[unit]));
        if let Some(unit) = suspects.into_iter().find(|&unit| self.could_overflow(unit, shape)) {
            return Some(format!("hidden unit {unit} could overflow 16 bits"));
        }
        let output = largest(&self.outputs);
        if output > MAX_OUTPUT_WEIGHT.unsigned_abs() {
            return Some(format!("output weights of {output} are above {MAX_OUTPUT_WEIGHT}"));
        }
        let bias = self.output_biases.iter().map(|b| b.unsigned_abs()).max().unwrap_or(0);
        if bias > MAX_OUTPUT_BIAS {
            return Some(format!("an output bias of {bias} is out of range"));
        }
        if shape.pairs > 0 { second_layer_defect(shape, self) } else { None }
    }

    /// Reduces the largest input weights of each hidden unit that could overflow, until it cannot.
    /// The sizes must fit the shape.
    pub fn limit_hidden_units(&mut self, shape: Shape) {
        let units = shape.free_units();
        for unit in 0..units {
            let of_unit = self.inputs.iter().skip(unit).step_by(units);
            let mut limit = of_unit.map(|weight| weight.saturating_abs()).max().unwrap_or(0);
            while limit > 0 && self.could_overflow(unit, shape) {
                limit -= limit / 64 + 1;
                for weight in self.inputs.iter_mut().skip(unit).step_by(units) {
                    *weight = (*weight).clamp(-limit, limit);
                }
            }
        }
    }

    /// Returns whether a hidden unit could exceed 16 bits.
    fn could_overflow(&self, unit: usize, shape: Shape) -> bool {
        !fits_16_bits(self.hidden_range(unit, shape))
    }

    /// Returns for each hidden unit bounds at least as wide as its [range](Weights::hidden_range),
    /// all pieces of a kind on the one worst square: at startup they clear most units at once.
    fn rough_ranges(&self, shape: Shape) -> Vec<(i32, i32)> {
        let units = shape.free_units();
        let mut ranges: Vec<_> =
            self.biases.iter().map(|&bias| (bias.into(), bias.into())).collect();
        let mut extremes = vec![(0_i16, 0_i16); units];
        let mut widen = |rows: &mut dyn Iterator<Item = usize>, count: usize| {
            extremes.fill((0, 0));
            for row in rows {
                let weights = &self.inputs[row * units..(row + 1) * units];
                for ((low, high), &weight) in extremes.iter_mut().zip(weights) {
                    *low = weight.min(*low);
                    *high = weight.max(*high);
                }
            }
            for (range, &(low, high)) in ranges.iter_mut().zip(&extremes) {
                range.0 += count as i32 * i32::from(low);
                range.1 += count as i32 * i32::from(high);
            }
        };
        for (piece, plane) in Piece::all().zip(0..) {
            let count = piece.kind().most();
            widen(&mut (plane * Square::COUNT..(plane + 1) * Square::COUNT), count);
            let attacks = count * max_victims(piece.kind());
            if shape.threats && attacks > 0 {
                let threats = Piece::all().flat_map(|victim| threats_on(piece, victim));
                widen(&mut threats.into_iter(), attacks);
            }
        }
        ranges
    }

    /// Returns bounds of the value of a hidden unit: each kind has all of its pieces on the worst
    /// squares, or none, and each piece attacks the worst victims, on the worst squares.
    fn hidden_range(&self, unit: usize, shape: Shape) -> (i32, i32) {
        let units = shape.free_units();
        let weight = |row: usize| i32::from(self.inputs[row * units + unit]);
        let bias = i32::from(self.biases[unit]);
        let (mut least, mut greatest) = (bias, bias);
        for (piece, plane) in Piece::all().zip(0..) {
            let count = piece.kind().most();
            let rows = plane * Square::COUNT..(plane + 1) * Square::COUNT;
            let (lows, highs) = extremes(rows.map(weight), count);
            least += lows.iter().sum::<i32>();
            greatest += highs.iter().sum::<i32>();
            let attacks = count * max_victims(piece.kind());
            if !shape.threats || attacks == 0 {
                continue;
            }
            let (mut all_lows, mut all_highs) = (Vec::new(), Vec::new());
            for victim in Piece::all() {
                let rows = threats_on(piece, victim);
                // Each piece of the victim's kind may be attacked by each of the attacker's.
                let (lows, highs) = extremes(rows.map(weight), victim.kind().most());
                all_lows.extend(lows.iter().flat_map(|&low| iter::repeat_n(low, count)));
                all_highs.extend(highs.iter().flat_map(|&high| iter::repeat_n(high, count)));
            }
            least += extremes(all_lows.into_iter(), attacks).0.iter().sum::<i32>();
            greatest += extremes(all_highs.into_iter(), attacks).1.iter().sum::<i32>();
        }
        (least, greatest)
    }
}

/// Returns the inputs of the attacks of a piece on another.
fn threats_on(piece: Piece, victim: Piece) -> impl Iterator<Item = usize> {
    let squares = piece.domain() & victim.domain();
    squares.into_iter().filter_map(move |sq| threat(piece.index(), victim.index(), sq))
}

fn fits_16_bits((low, high): (i32, i32)) -> bool {
    low >= i16::MIN.into() && high <= i16::MAX.into()
}

/// Returns the lowest `count` of the numbers below 0 and the highest `count` of those above, filled
/// up with zeros. May run at startup for many hidden units, so it avoids sorting.
fn extremes(numbers: impl Iterator<Item = i32>, count: usize) -> (Vec<i32>, Vec<i32>) {
    let (mut lows, mut highs) = (vec![0; count], vec![0; count]);
    for number in numbers {
        if lows.last().is_some_and(|&last| number < last) {
            lows.pop();
            lows.insert(lows.partition_point(|&low| low <= number), number);
        } else if highs.last().is_some_and(|&last| number > last) {
            highs.pop();
            highs.insert(highs.partition_point(|&high| high >= number), number);
        }
    }
    (lows, highs)
}

/// Returns the name of a sum that could overflow 32 bits.
fn second_layer_defect(shape: Shape, weights: &Weights) -> Option<String> {
    let row = shape.width;
    let size = |weight: i16| i64::from(weight.unsigned_abs());
    // Sum and difference of two activations are together at most twice an activation.
    let most = 2 * i64::from(ACTIVATION_SCALE);
    for (bucket, direct) in weights.outputs.chunks(row).enumerate() {
        if direct.iter().map(|&weight| size(weight)).sum::<i64>() * most > i32::MAX.into() {
            return Some(format!("the direct output of bucket {bucket} could overflow 32 bits"));
        }
    }
    for (number, pair) in weights.second.chunks(2 * row).enumerate() {
        let (sums, differences) = pair.split_at(row);
        let weights_sum: i64 =
            sums.iter().zip(differences).map(|(&s, &d)| size(s).max(size(d))).sum();
        let bias = i64::from(weights.second_biases[number].unsigned_abs());
        if weights_sum * most + bias > i32::MAX.into() {
            return Some(format!("pair {number} of the second layer could overflow 32 bits"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::default_network;

    #[test]
    fn rough_ranges_are_never_narrower() {
        let network = default_network();
        let (weights, shape) = (network.weights(), network.shape());
        let rough = weights.rough_ranges(shape);
        for (unit, &(low, high)) in rough.iter().enumerate() {
            let range = weights.hidden_range(unit, shape);
            assert!(low <= range.0 && range.1 <= high, "unit {unit}: {range:?}, {low} to {high}");
        }
        let cleared = rough.iter().filter(|&&range| fits_16_bits(range)).count();
        assert!(cleared > rough.len() / 2, "{cleared} of {} are cleared at once", rough.len());
    }

    #[test]
    fn only_the_largest_weights_of_units_that_could_overflow_are_limited() {
        let shape = Shape { width: 32, buckets: 1, paired: false, threats: true, pairs: 0 };
        let mut weights = Weights {
            inputs: vec![5; shape.features() * 32],
            biases: vec![0; 32],
            outputs: vec![1; 64],
            output_biases: vec![0],
            second: Vec::new(),
            second_biases: Vec::new(),
            second_outputs: Vec::new(),
        };
        assert_eq!(weights.defect(shape), None);
        // Unit 3 could overflow by one weight, unit 4 by all of them.
        weights.inputs[10 * 32 + 3] = i16::MAX;
        weights.inputs.iter_mut().skip(4).step_by(32).for_each(|weight| *weight = -2_000);
        let before = weights.clone();
        assert!(weights.defect(shape).is_some());
        weights.limit_hidden_units(shape);
        assert_eq!(weights.defect(shape), None);
        for (at, (&now, &then)) in weights.inputs.iter().zip(&before.inputs).enumerate() {
            let is_limited = at == 10 * 32 + 3 || at % 32 == 4;
            assert_eq!(now != then, is_limited, "input weight {at}: {then} became {now}");
        }
        assert!(weights.inputs[10 * 32 + 3] > 10_000, "no smaller than needed");
    }
}
