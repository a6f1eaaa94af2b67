//! The head of the network: all layers after the first. A network has one for each bucket.
//!
//! The direct weights and the second layer both work on the activations of the first layer. The
//! units of the second layer come in mirror pairs, as those of the first layer do. With `s` and `d`
//! the sum and the difference of the activations of each pair of the first layer, the two units of
//! a pair have the values `bias + S s + D d` and `bias + S s - D d`: mirroring the board exchanges
//! them. Both have the same activation (SCReLU) and the same output weight. Both units of a pair of
//! the first layer have the same direct weight too, so the direct part of the logit is `w s`.
//!
//! The gradient of the weights is added for groups of samples, so that each weight's gradient is
//! read and written once per group.

use super::first_layer::TILE;
use super::layout::ParameterLayout;

/// Samples of a group. Their sums and differences fit into the first cache at width 256.
pub(super) const GROUP: usize = 8;

/// Rows of weights that are worked on at once.
const ROWS_AT_ONCE: usize = 4;

/// Buffers of one thread.
pub(super) struct Head {
    layout: ParameterLayout,
    bucket: usize,
    /// Samples in the group.
    used: usize,
    /// Samples of each bucket so far.
    seen: Vec<usize>,
    /// True for each pair of the second layer of each bucket that was active on one of them.
    active: Vec<bool>,
    /// For each sample of the group, the sums of the activations of each pair of the first layer:
    /// `[own or opponent's view][unit]`. Without mirror pairs, the activations.
    sums: Vec<f32>,
    /// The differences, likewise.
    differences: Vec<f32>,
    /// The results of [`products`] for the direct weights, and for the weights for sums and
    /// differences of each pair of the second layer.
    products: [Vec<[f32; TILE]>; 3],
    /// Values of both units of each pair of the second layer before the activation.
    values: Vec<[f32; 2]>,
    /// Derivatives of the logit by `D d` and by `S s`; at last by `w s`, which is 1.
    slopes: [Vec<f32>; 2],
    /// The same, times the slope of the error, for each sample of the group.
    factors: [Vec<f32>; 2],
}

impl Head {
    pub(super) fn new(layout: ParameterLayout) -> Head {
        let activations = || vec![0.0; GROUP * 2 * layout.units];
        let slopes = || vec![0.0; layout.pairs + 1];
        let factors = || vec![0.0; GROUP * (layout.pairs + 1)];
        Head {
            layout,
            bucket: 0,
            used: 0,
            seen: vec![0; layout.buckets],
            active: vec![false; layout.buckets * layout.pairs],
            sums: activations(),
            differences: activations(),
            products: [1, layout.pairs, layout.pairs].map(|rows| vec![[0.0; TILE]; rows]),
            values: vec![[0.0; 2]; layout.pairs],
            slopes: [slopes(), slopes()],
            factors: [factors(), factors()],
        }
    }

    /// Begins a group of samples of this bucket.
    #[inline(always)]
    pub(super) fn begin(&mut self, bucket: usize) {
        (self.bucket, self.used) = (bucket, 0);
    }

    /// Returns the logit of a sample. `hidden` are the values of the first layer in all views: own,
    /// opponent's, and with mirror pairs both mirrored.
    #[inline(always)]
    pub(super) fn forward(&mut self, parameters: &[f32], hidden: &[f32]) -> f32 {
        let (layout, bucket, row) = (self.layout, self.bucket, 2 * self.layout.units);
        let sums = &mut self.sums[self.used * row..][..row];
        let differences = &mut self.differences[self.used * row..][..row];
        self.seen[bucket] += 1;
        let (plain, mirrored) = hidden.split_at(row);
        if mirrored.is_empty() {
            sums.iter_mut().zip(plain).for_each(|(sum, &value)| *sum = activation(value));
        } else {
            let (plain, mirrored) = (&plain[..row], &mirrored[..row]);
            for unit in 0..row {
                let [a, b] = [plain[unit], mirrored[unit]].map(activation);
                sums[unit] = a + b;
                differences[unit] = a - b;
            }
        }
        let [direct, from_sums, from_differences] = &mut self.products;
        direct[0] = products(&parameters[layout.direct_row(bucket)..][..row], sums);
        for pair in 0..layout.pairs {
            let weights = &parameters[layout.second_row(bucket, pair)..][..2 * row];
            from_sums[pair] = products(&weights[..row], sums);
            from_differences[pair] = products(&weights[row..], differences);
        }
        let mut logit = parameters[layout.output_biases + bucket] + total(&direct[0]);
        for pair in 0..layout.pairs {
            let base = parameters[layout.second_bias(bucket, pair)] + total(&from_sums[pair]);
            let difference = total(&from_differences[pair]);
            let values = [base + difference, base - difference];
            self.active[bucket * layout.pairs + pair] |= values[0].max(values[1]) > 0.0;
            let [a, b] = values.map(activation);
            logit += (a + b) * parameters[layout.second_output(bucket, pair)];
            self.values[pair] = values;
        }
        logit
    }

    /// Returns the number of samples of a bucket so far.
    pub(super) fn seen(&self, bucket: usize) -> usize {
        self.seen[bucket]
    }

    /// Returns whether a pair of the second layer was active on one of the samples so far.
    pub(super) fn is_active(&self, pair: usize) -> bool {
        self.active[pair]
    }

    /// Turns the hidden values of the sample of the last [`Head::forward`] into their gradients for
    /// this slope of the error by the logit, and adds the sample to the group.
    #[inline(always)]
    pub(super) fn backward(
        &mut self,
        parameters: &[f32],
        slope: f32,
        hidden: &mut [f32],
        gradient: &mut [f32],
    ) {
        let (layout, bucket, pairs) = (self.layout, self.bucket, self.layout.pairs);
        gradient[layout.output_biases + bucket] += slope;
        for pair in 0..pairs {
            let output = layout.second_output(bucket, pair);
            let [a, b] = self.values[pair];
            gradient[output] += slope * (activation(a) + activation(b));
            let [a, b] = [a, b].map(|value| parameters[output] * derivative(value));
            gradient[layout.second_bias(bucket, pair)] += slope * (a + b);
            (self.slopes[0][pair], self.slopes[1][pair]) = (a + b, a - b);
        }
        self.slopes[0][pairs] = 1.0;
        for (factors, slopes) in self.factors.iter_mut().zip(&self.slopes) {
            let factors = &mut factors[self.used * (pairs + 1)..][..=pairs];
            factors.iter_mut().zip(slopes).for_each(|(factor, by)| *factor = slope * by);
        }
        self.used += 1;
        let mut from = 0;
        while from < 2 * layout.units {
            self.differentiate(parameters, slope, hidden, from);
            from += TILE;
        }
    }

    /// Turns a tile of hidden values into their gradients.
    #[inline(always)]
    fn differentiate(&self, parameters: &[f32], slope: f32, hidden: &mut [f32], from: usize) {
        let (layout, row) = (self.layout, 2 * self.layout.units);
        let (mut by_sum, mut by_difference) = ([0.0f32; TILE], [0.0f32; TILE]);
        by_sum.copy_from_slice(&parameters[layout.direct_row(self.bucket) + from..][..TILE]);
        for pair in 0..layout.pairs {
            let (sum_slope, difference_slope) = (self.slopes[0][pair], self.slopes[1][pair]);
            let place = layout.second_row(self.bucket, pair) + from;
            let (sums, differences) = (&parameters[place..], &parameters[place + row..]);
            let (sums, differences) = (&sums[..TILE], &differences[..TILE]);
            for lane in 0..TILE {
                by_sum[lane] += sum_slope * sums[lane];
                by_difference[lane] += difference_slope * differences[lane];
            }
        }
        let (plain, mirrored) = hidden.split_at_mut(row);
        for (lane, value) in plain[from..][..TILE].iter_mut().enumerate() {
            *value = slope * (by_sum[lane] + by_difference[lane]) * derivative(*value);
        }
        if !mirrored.is_empty() {
            for (lane, value) in mirrored[from..][..TILE].iter_mut().enumerate() {
                *value = slope * (by_sum[lane] - by_difference[lane]) * derivative(*value);
            }
        }
    }

    /// Adds the gradient of the weights over the samples of the group.
    #[inline(always)]
    pub(super) fn add_gradients(&self, gradient: &mut [f32]) {
        let (layout, bucket, row) = (self.layout, self.bucket, 2 * self.layout.units);
        let [by_sum, by_difference] = &self.factors;
        self.add_products([layout.direct_row(bucket)], by_sum, layout.pairs, &self.sums, gradient);
        let mut pair = 0;
        while pair + ROWS_AT_ONCE <= layout.pairs {
            let places: [usize; ROWS_AT_ONCE] =
                std::array::from_fn(|index| layout.second_row(bucket, pair + index));
            self.add_products(places, by_sum, pair, &self.sums, gradient);
            let places = places.map(|place| place + row);
            self.add_products(places, by_difference, pair, &self.differences, gradient);
            pair += ROWS_AT_ONCE;
        }
        while pair < layout.pairs {
            let place = layout.second_row(bucket, pair);
            self.add_products([place], by_sum, pair, &self.sums, gradient);
            self.add_products([place + row], by_difference, pair, &self.differences, gradient);
            pair += 1;
        }
    }

    /// Adds to the gradients of some rows of weights the activations of each sample times its
    /// factors, which for the first of the rows are at `first`.
    #[inline(always)]
    fn add_products<const N: usize>(
        &self,
        places: [usize; N],
        factors: &[f32],
        first: usize,
        activations: &[f32],
        gradient: &mut [f32],
    ) {
        let (row, all) = (2 * self.layout.units, self.layout.pairs + 1);
        let mut from = 0;
        while from < row {
            let mut sums = [[0.0f32; TILE]; N];
            for (sums, place) in sums.iter_mut().zip(places) {
                sums.copy_from_slice(&gradient[place + from..][..TILE]);
            }
            for sample in 0..self.used {
                let activations = &activations[sample * row + from..][..TILE];
                let factors = &factors[sample * all + first..][..N];
                for index in 0..N {
                    for lane in 0..TILE {
                        sums[index][lane] += factors[index] * activations[lane];
                    }
                }
            }
            for (sums, place) in sums.iter().zip(places) {
                gradient[place + from..][..TILE].copy_from_slice(sums);
            }
            from += TILE;
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

/// Adds the products up lane by lane; [`total`] of the sums is the scalar product.
#[inline(always)]
fn products(a: &[f32], b: &[f32]) -> [f32; TILE] {
    let mut lanes = [[0.0f32; TILE]; 4];
    let mut from = 0;
    while a.len() - from >= 4 * TILE {
        let (a, b) = (&a[from..][..4 * TILE], &b[from..][..4 * TILE]);
        for part in 0..4 {
            for lane in 0..TILE {
                lanes[part][lane] += a[part * TILE + lane] * b[part * TILE + lane];
            }
        }
        from += 4 * TILE;
    }
    let [mut sums, second, third, fourth] = lanes;
    while a.len() - from >= TILE {
        let (a, b) = (&a[from..][..TILE], &b[from..][..TILE]);
        for lane in 0..TILE {
            sums[lane] += a[lane] * b[lane];
        }
        from += TILE;
    }
    for lane in 0..TILE {
        sums[lane] = (sums[lane] + second[lane]) + (third[lane] + fourth[lane]);
    }
    sums
}

/// Returns the sum of the lanes, in an order that does not depend on the instruction set. Not
/// inlined, or the compiler would arrange the lanes of [`products`] for this sum.
#[inline(never)]
fn total(lanes: &[f32; TILE]) -> f32 {
    let mut quarters = [0.0f32; TILE / 4];
    for lane in 0..TILE / 4 {
        quarters[lane] = (lanes[lane] + lanes[lane + 4]) + (lanes[lane + 8] + lanes[lane + 12]);
    }
    (quarters[0] + quarters[1]) + (quarters[2] + quarters[3])
}
