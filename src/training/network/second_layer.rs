//! Forward and backward pass of the second hidden layer.
//!
//! Its units come in mirror pairs, as those of the first layer do. With `s` and `d` the sum and the
//! difference of the activations of each pair of the first layer, the two units of a pair have the
//! values `bias + S s + D d` and `bias + S s - D d`: mirroring the board exchanges them. Both have
//! the same activation (SCReLU) and the same output weight.

use super::layout::ParameterLayout;

/// Lanes of an inner loop, summed apart so that the result does not depend on the instruction set.
const LANES: usize = 16;

/// Buffers of one thread.
pub(super) struct SecondLayer {
    /// Sums of the activations of each pair of the first layer: `[own or opponent's view][unit]`.
    sums: Vec<f32>,
    /// Differences of the same.
    differences: Vec<f32>,
    /// Values of both units of each pair before the activation.
    values: Vec<[f32; 2]>,
    /// Gradients of `sums`, then of `differences`, for a slope of 1.
    sum_slopes: Vec<f32>,
    difference_slopes: Vec<f32>,
}

impl SecondLayer {
    pub(super) fn new(layout: ParameterLayout) -> SecondLayer {
        let row = || vec![0.0; 2 * layout.units];
        SecondLayer {
            sums: row(),
            differences: row(),
            values: vec![[0.0; 2]; layout.pairs],
            sum_slopes: row(),
            difference_slopes: row(),
        }
    }

    /// The part of the logit that comes from the second layer. `hidden` are the values of the first
    /// layer in all four views: own, opponent's, and both mirrored.
    #[inline(always)]
    pub(super) fn forward(
        &mut self,
        layout: ParameterLayout,
        parameters: &[f32],
        bucket: usize,
        hidden: &[f32],
    ) -> f32 {
        let row = 2 * layout.units;
        let (plain, mirrored) = hidden.split_at(row);
        for unit in 0..row {
            let [a, b] = [plain[unit], mirrored[unit]].map(activation);
            self.sums[unit] = a + b;
            self.differences[unit] = a - b;
        }
        let mut logit = 0.0;
        for pair in 0..layout.pairs {
            let place = layout.second_row(bucket, pair);
            let sum = dot(&parameters[place..][..row], &self.sums);
            let difference = dot(&parameters[place + row..][..row], &self.differences);
            let base = sum + parameters[layout.second_bias(bucket, pair)];
            self.values[pair] = [base + difference, base - difference];
            let [a, b] = self.values[pair].map(activation);
            logit += (a + b) * parameters[layout.second_output(bucket, pair)];
        }
        logit
    }

    /// Adds the gradient for this slope of the logit, and keeps the gradients of the first layer's
    /// activations for [`SecondLayer::weights_seen`].
    #[inline(always)]
    pub(super) fn backward(
        &mut self,
        layout: ParameterLayout,
        parameters: &[f32],
        bucket: usize,
        slope: f32,
        gradient: &mut [f32],
    ) {
        let row = 2 * layout.units;
        self.sum_slopes.fill(0.0);
        self.difference_slopes.fill(0.0);
        for pair in 0..layout.pairs {
            let output = layout.second_output(bucket, pair);
            let [a, b] = self.values[pair];
            gradient[output] += slope * (activation(a) + activation(b));
            let [a, b] = [a, b].map(|value| parameters[output] * derivative(value));
            if a == 0.0 && b == 0.0 {
                continue;
            }
            gradient[layout.second_bias(bucket, pair)] += slope * (a + b);
            let place = layout.second_row(bucket, pair);
            let (sums, differences) = gradient[place..][..2 * row].split_at_mut(row);
            add_scaled(sums, &self.sums, slope * (a + b));
            add_scaled(differences, &self.differences, slope * (a - b));
            let (sums, differences) = parameters[place..][..2 * row].split_at(row);
            add_scaled(&mut self.sum_slopes, sums, a + b);
            add_scaled(&mut self.difference_slopes, differences, a - b);
        }
    }

    /// The derivative of the logit by the activations of a view of the first layer: the view's
    /// direct output weights and the share of the second layer. `view` counts own, opponent's, and
    /// both mirrored.
    #[inline(always)]
    pub(super) fn weights_seen(&self, view: usize, direct: &[f32], weights: &mut [f32]) {
        let from = view % 2 * direct.len();
        let sign = if view < 2 { 1.0 } else { -1.0 };
        let sums = &self.sum_slopes[from..][..direct.len()];
        let differences = &self.difference_slopes[from..][..direct.len()];
        for unit in 0..direct.len() {
            weights[unit] = direct[unit] + sums[unit] + sign * differences[unit];
        }
    }
}

#[inline(always)]
fn activation(value: f32) -> f32 {
    let value = value.clamp(0.0, 1.0);
    value * value
}

#[inline(always)]
fn derivative(value: f32) -> f32 {
    if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 }
}

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum()
}

#[inline(always)]
fn add_scaled(target: &mut [f32], source: &[f32], factor: f32) {
    for (target, source) in target.iter_mut().zip(source) {
        *target += source * factor;
    }
}
