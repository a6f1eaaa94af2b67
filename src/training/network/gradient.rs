//! Forward and backward pass over a part of a batch.
//!
//! About 24 of the 1260 inputs for pieces are active per view, and as many threats, so the first layer is a sum of rows, and its
//! gradient is added to the same rows.

use super::layout::ParameterLayout;
use super::model::{Inputs, Model};
use super::second_layer::SecondLayer;
use super::simd;
use crate::evaluation::LOGIT;
use crate::random::Random;
use crate::training::data::Sample;

/// With so many pieces or fewer the weight of the result is that of endings; it falls in a line to
/// the general weight at the second number. A short search cannot see that an ending is drawn, but
/// the game that it plays shows it.
const ENDING_PIECES: (usize, usize) = (10, 18);

/// The target of the squared error.
#[derive(Clone, Copy, Debug)]
pub(super) struct LossTarget {
    /// The share of the result, 0 to 1; the rest is the score's.
    pub(super) result_weight: f32,
    /// The same in endings.
    pub(super) ending_result_weight: f32,
    /// Whether samples are mirrored at random.
    pub(super) flips: bool,
}

impl LossTarget {
    #[inline(always)]
    fn of(&self, sample: &Sample, pieces: usize) -> f32 {
        let (few, many) = ENDING_PIECES;
        let ending = many.saturating_sub(pieces).min(many - few) as f32 / (many - few) as f32;
        let weight = self.result_weight + ending * (self.ending_result_weight - self.result_weight);
        let result = f32::from(sample.result) / 2.0;
        let score = sigmoid(f32::from(sample.score) / LOGIT as f32);
        weight * result + (1.0 - weight) * score
    }
}

/// Buffers of one thread.
pub(super) struct Scratch {
    /// `[view][unit]`, hidden values before the activation, then their gradients.
    hidden: Vec<f32>,
    /// Derivatives of the logit by the activations of a view.
    weights: Vec<f32>,
    second: SecondLayer,
}

impl Scratch {
    pub(super) fn new(layout: ParameterLayout) -> Scratch {
        Scratch {
            hidden: vec![0.0; 4 * layout.units],
            weights: vec![0.0; layout.units],
            second: SecondLayer::new(layout),
        }
    }
}

/// Adds the gradient of the squared error over the samples to `gradient` and returns the sum of the
/// errors. With `flips`, `random` decides which samples are mirrored.
pub(super) fn learn<'a>(
    model: &Model,
    target: LossTarget,
    samples: impl Iterator<Item = &'a Sample>,
    random: Random,
    scratch: &mut Scratch,
    gradient: &mut [f32],
) -> f64 {
    simd::with_best_instructions(
        #[inline(always)]
        || pass(model, target, samples, random, scratch, Some(gradient)),
    )
}

/// The sum of the squared errors over the samples.
pub(super) fn error<'a>(
    model: &Model,
    target: LossTarget,
    samples: impl Iterator<Item = &'a Sample>,
    scratch: &mut Scratch,
) -> f64 {
    let target = LossTarget { flips: false, ..target };
    simd::with_best_instructions(
        #[inline(always)]
        || pass(model, target, samples, Random::new(0), scratch, None),
    )
}

#[inline(always)]
fn pass<'a>(
    model: &Model,
    target: LossTarget,
    samples: impl Iterator<Item = &'a Sample>,
    mut random: Random,
    scratch: &mut Scratch,
    mut gradient: Option<&mut [f32]>,
) -> f64 {
    let layout = ParameterLayout::new(model.shape());
    let units = layout.units;
    let parameters = model.parameters();
    let (rows, rest) = parameters.split_at(layout.biases);
    let biases = &rest[..units];
    let mut total = 0.0;
    for sample in samples {
        let flip = target.flips && random.bits() & 1 == 1;
        let inputs = Inputs::new(&sample.board, model.shape(), flip);
        let outputs = layout.outputs + inputs.bucket * 2 * units;
        let mut logit = parameters[layout.output_biases + inputs.bucket];
        for (number, (view, hidden)) in
            inputs.views().zip(scratch.hidden.chunks_exact_mut(units)).enumerate()
        {
            gather(rows, biases, view, hidden);
            logit += activate(hidden, &parameters[outputs + number % 2 * units..][..units]);
        }
        if layout.pairs > 0 {
            logit += scratch.second.forward(layout, parameters, inputs.bucket, &scratch.hidden);
        }
        let estimate = sigmoid(logit);
        let difference = estimate - target.of(sample, inputs.pieces);
        total += f64::from(difference * difference);

        let Some(gradient) = gradient.as_deref_mut() else { continue };
        let slope = 2.0 * difference * estimate * (1.0 - estimate);
        gradient[layout.output_biases + inputs.bucket] += slope;
        if layout.pairs > 0 {
            scratch.second.backward(layout, parameters, inputs.bucket, slope, gradient);
        }
        for (number, (view, hidden)) in
            inputs.views().zip(scratch.hidden.chunks_exact_mut(units)).enumerate()
        {
            let place = outputs + number % 2 * units;
            let mut weights = &parameters[place..][..units];
            if layout.pairs > 0 {
                scratch.second.weights_seen(number, weights, &mut scratch.weights);
                weights = &scratch.weights;
            }
            differentiate(slope, weights, hidden, &mut gradient[place..][..units]);
            let (rows, rest) = gradient.split_at_mut(layout.biases);
            scatter(rows, &mut rest[..units], view, hidden);
        }
    }
    total
}

/// Units per inner loop: two vectors of AVX2. Each width and half width is a multiple of it.
const TILE: usize = 16;

/// `hidden = biases + rows of the active inputs`, tile by tile so that the sums stay in registers.
#[inline(always)]
fn gather(rows: &[f32], biases: &[f32], on: &[u16], hidden: &mut [f32]) {
    let units = hidden.len();
    let mut done = 0;
    while units - done >= 4 * TILE {
        gather_tile::<{ 4 * TILE }>(rows, biases, on, hidden, done);
        done += 4 * TILE;
    }
    while units - done >= TILE {
        gather_tile::<TILE>(rows, biases, on, hidden, done);
        done += TILE;
    }
}

#[inline(always)]
fn gather_tile<const N: usize>(
    rows: &[f32],
    biases: &[f32],
    on: &[u16],
    hidden: &mut [f32],
    from: usize,
) {
    let units = hidden.len();
    let mut sums = [0.0; N];
    sums.copy_from_slice(&biases[from..from + N]);
    for &feature in on {
        let row = &rows[usize::from(feature) * units + from..][..N];
        for lane in 0..N {
            sums[lane] += row[lane];
        }
    }
    hidden[from..from + N].copy_from_slice(&sums);
}

/// The sum of the squared hidden values, clamped to 0..1, times the weights. Summed lane by lane,
/// so that the result does not depend on the instruction set.
#[inline(always)]
fn activate(hidden: &[f32], weights: &[f32]) -> f32 {
    let mut lanes = [0.0; TILE];
    for (hidden, weights) in hidden.chunks_exact(TILE).zip(weights.chunks_exact(TILE)) {
        for lane in 0..TILE {
            let value = hidden[lane].clamp(0.0, 1.0);
            lanes[lane] += value * value * weights[lane];
        }
    }
    lanes.iter().sum()
}

/// Turns hidden values into their gradients and adds the gradient of the outputs' weights.
#[inline(always)]
fn differentiate(slope: f32, weights: &[f32], hidden: &mut [f32], gradient: &mut [f32]) {
    for ((hidden, weight), gradient) in hidden.iter_mut().zip(weights).zip(gradient) {
        let value = hidden.clamp(0.0, 1.0);
        *gradient += slope * value * value;
        let inside = *hidden > 0.0 && *hidden < 1.0;
        *hidden = if inside { 2.0 * slope * value * weight } else { 0.0 };
    }
}

/// Adds the gradients of the hidden values to the biases and to the row of each active input.
#[inline(always)]
fn scatter(rows: &mut [f32], biases: &mut [f32], on: &[u16], hidden: &[f32]) {
    let units = hidden.len();
    for (bias, value) in biases.iter_mut().zip(hidden) {
        *bias += value;
    }
    for &feature in on {
        let row = &mut rows[usize::from(feature) * units..][..units];
        for (weight, value) in row.iter_mut().zip(hidden) {
            *weight += value;
        }
    }
}

/// The expected result, 0..1, that a logit stands for.
#[inline(always)]
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
