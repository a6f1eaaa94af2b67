//! AdamW: Adam with weight decay apart from the gradient. (I. Loshchilov and F. Hutter, "Decoupled
//! Weight Decay Regularization", arXiv 1711.05101.)

use super::model::CLIP;
use super::simd;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

/// Parameters that are worked on at once.
const PIECE: usize = 1024;

/// The running means of the gradient and of its square.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Moments {
    pub(super) first: Vec<f32>,
    pub(super) second: Vec<f32>,
}

/// The settings of one step.
#[derive(Clone, Copy, Debug)]
pub(super) struct OptimizerStep {
    /// The number of the step, from 1.
    pub(super) number: u64,
    pub(super) learning_rate: f32,
    pub(super) weight_decay: f32,
    pub(super) epsilon: f32,
    /// What the gradients are multiplied by: one over the size of the batch.
    pub(super) scale: f32,
}

impl Moments {
    pub(super) fn new(len: usize) -> Moments {
        Moments { first: vec![0.0; len], second: vec![0.0; len] }
    }
}

/// Adds the other gradients to the first one, in order, and clears them.
pub(super) fn add_gradients(sum: &mut [f32], others: &mut [&mut [f32]]) {
    simd::with_best_instructions(
        #[inline(always)]
        || {
            // Piece by piece, so that the sum stays in the cache.
            for (number, sum) in sum.chunks_mut(PIECE).enumerate() {
                let from = number * PIECE;
                for other in others.iter_mut() {
                    let other = &mut other[from..from + sum.len()];
                    for (sum, other) in sum.iter_mut().zip(other) {
                        *sum += *other;
                        *other = 0.0;
                    }
                }
            }
        },
    );
}

/// Makes one step with the gradient and clears it. The slices are the same stretch of parameters,
/// moments and gradient.
pub(super) fn advance(
    step: OptimizerStep,
    parameters: &mut [f32],
    first: &mut [f32],
    second: &mut [f32],
    gradient: &mut [f32],
) {
    simd::with_best_instructions(
        #[inline(always)]
        || {
            // Both corrections for the start with zeros, in one factor each.
            let exponent = step.number.min(1 << 24) as i32;
            let first_correction = 1.0 / (1.0 - BETA_1.powi(exponent));
            let second_correction = 1.0 / (1.0 - BETA_2.powi(exponent));
            let keep = 1.0 - step.learning_rate * step.weight_decay;
            let moments = first.iter_mut().zip(second);
            for ((weight, gradient), (first, second)) in
                parameters.iter_mut().zip(gradient).zip(moments)
            {
                let slope = *gradient * step.scale;
                *gradient = 0.0;
                *first = BETA_1 * *first + (1.0 - BETA_1) * slope;
                *second = BETA_2 * *second + (1.0 - BETA_2) * slope * slope;
                let size = (*second * second_correction).sqrt() + step.epsilon;
                let change = step.learning_rate * *first * first_correction / size;
                *weight = (*weight * keep - change).clamp(-CLIP, CLIP);
            }
        },
    );
}
