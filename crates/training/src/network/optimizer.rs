//! AdamW: Adam with weight decay apart from the gradient. (I. Loshchilov and F. Hutter, "Decoupled
//! Weight Decay Regularization", arXiv 1711.05101.)

use super::model::{CLIP, OUTPUT_CLIP};
use super::simd;

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;

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
    /// The factor of the gradients: one over the size of the batch.
    pub(super) scale: f32,
}

impl Moments {
    pub(super) fn new(len: usize) -> Moments {
        Moments { first: vec![0.0; len], second: vec![0.0; len] }
    }
}

/// Some parameters and their moments.
pub(super) struct Stretch<'a> {
    pub(super) parameters: &'a mut [f32],
    pub(super) first: &'a mut [f32],
    pub(super) second: &'a mut [f32],
}

impl<'a> Stretch<'a> {
    pub(super) fn new(parameters: &'a mut [f32], moments: &'a mut Moments) -> Stretch<'a> {
        Stretch { parameters, first: &mut moments.first, second: &mut moments.second }
    }

    pub(super) fn split_at(self, place: usize) -> (Stretch<'a>, Stretch<'a>) {
        let (parameters, other_parameters) = self.parameters.split_at_mut(place);
        let (first, other_first) = self.first.split_at_mut(place);
        let (second, other_second) = self.second.split_at_mut(place);
        let other =
            Stretch { parameters: other_parameters, first: other_first, second: other_second };
        (Stretch { parameters, first, second }, other)
    }

    /// Splits into stretches of this length; the last one may be shorter.
    #[inline(always)]
    pub(super) fn chunks(self, len: usize) -> impl Iterator<Item = Stretch<'a>> {
        (self.parameters.chunks_mut(len))
            .zip(self.first.chunks_mut(len))
            .zip(self.second.chunks_mut(len))
            .map(|((parameters, first), second)| Stretch { parameters, first, second })
    }
}

/// A stretch of the gradient of a shard: its values, and a flag for each row that is used.
pub(super) type GradientRows<'a> = (&'a mut [f32], &'a mut [bool]);

/// Adds the other gradients to the first one, in order, and makes one step with the sum. The slices
/// are the same stretch of rows of `units` numbers; those of `others` that are used are read once.
/// The first `clipped_rows` rows stay within [`CLIP`], the others within [`OUTPUT_CLIP`].
pub(super) fn add_and_advance(
    step: OptimizerStep,
    (units, clipped_rows): (usize, usize),
    stretch: Stretch<'_>,
    (sum, used): GradientRows<'_>,
    others: &[GradientRows<'_>],
) {
    let step = step.corrected();
    let zeros = vec![0.0; units];
    simd::with_best_instructions(
        #[inline(always)]
        || {
            // Row by row, so that the sum stays in the cache for the step.
            let sums = sum.chunks_mut(units).zip(used).enumerate();
            for (stretch, (row, (sum, used))) in stretch.chunks(units).zip(sums) {
                for (other, in_other) in others {
                    if !in_other[row] {
                        continue;
                    }
                    let other = &other[row * units..][..sum.len()];
                    if *used {
                        for (sum, other) in sum.iter_mut().zip(other) {
                            *sum += other;
                        }
                    } else {
                        sum.copy_from_slice(other);
                        *used = true;
                    }
                }
                // The moments change without a gradient too.
                let gradient = if *used { &*sum } else { &zeros[..sum.len()] };
                let most = if row < clipped_rows { CLIP } else { OUTPUT_CLIP };
                step.advance(stretch, gradient, most);
            }
        },
    );
}

/// An [`OptimizerStep`] with both corrections for the start with zeros, in one factor each.
#[derive(Clone, Copy)]
pub(super) struct CorrectedStep {
    step: OptimizerStep,
    first_correction: f32,
    second_correction: f32,
}

impl OptimizerStep {
    pub(super) fn corrected(self) -> CorrectedStep {
        let exponent = self.number.min(1 << 24) as i32;
        CorrectedStep {
            step: self,
            first_correction: 1.0 / (1.0 - BETA_1.powi(exponent)),
            second_correction: 1.0 / (1.0 - BETA_2.powi(exponent)),
        }
    }
}

impl CorrectedStep {
    /// Makes one step with the gradient of these parameters, which stay within plus and minus
    /// `most`.
    #[inline(always)]
    pub(super) fn advance(&self, stretch: Stretch<'_>, gradient: &[f32], most: f32) {
        let CorrectedStep { step, first_correction, second_correction } = *self;
        let keep = 1.0 - step.learning_rate * step.weight_decay;
        let moments = stretch.first.iter_mut().zip(stretch.second);
        for ((weight, gradient), (first, second)) in
            stretch.parameters.iter_mut().zip(gradient).zip(moments)
        {
            let slope = gradient * step.scale;
            *first = BETA_1 * *first + (1.0 - BETA_1) * slope;
            *second = BETA_2 * *second + (1.0 - BETA_2) * slope * slope;
            let size = (*second * second_correction).sqrt() + step.epsilon;
            let change = step.learning_rate * *first * first_correction / size;
            *weight = (*weight * keep - change).clamp(-most, most);
        }
    }
}
