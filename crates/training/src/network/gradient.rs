//! Forward and backward pass over a part of a batch, in blocks of samples.

use cannonade_engine::nnue::{InputRows, LOGIT, Shape};
use cannonade_tables::random::Random;

use super::first_layer::{ActiveInputs, gather};
use super::head::{GROUP, Head};
use super::inputs::{MAX_INPUTS, VIEWS, pieces_and_bucket, views, write_inputs};
use super::layout::ParameterLayout;
use super::model::Model;
use super::optimizer::GradientRows;
use super::simd;
use crate::data::Sample;

/// Numbers of pieces. Up to the first, the result has its weight of endings; up to the second, the
/// weight changes linearly to the general one. A short search cannot see that an ending is drawn,
/// but the game that it plays shows it.
const ENDING_PIECES: (usize, usize) = (10, 18);

/// The target of the squared error.
#[derive(Clone, Copy, Debug)]
pub(super) struct LossTarget {
    /// The share of the result, 0 to 1; the rest is the score's.
    pub(super) result_weight: f32,
    /// The share of the result in endings, 0 to 1.
    pub(super) ending_result_weight: f32,
    /// True if samples are mirrored at random.
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

/// Samples of a block. Their hidden values (512 KiB at width 256) fit into the second cache.
const BLOCK: usize = 256;

/// The gradient of a part of a batch. The rows of inputs that no sample has are neither cleared nor
/// read: a batch has only a part of all inputs.
pub(super) struct Gradient {
    /// In the order of the parameters.
    pub(super) values: Vec<f32>,
    /// True for each row that was cleared and filled. Values after the rows of the inputs count as
    /// rows of the same size, which always are; only the last one may be shorter.
    pub(super) used: Vec<bool>,
    /// Weights of a row.
    units: usize,
    /// The offset of the values after the rows of the inputs.
    rest: usize,
}

impl Gradient {
    pub(super) fn new(shape: Shape) -> Gradient {
        let layout = ParameterLayout::new(shape);
        Gradient {
            values: vec![0.0; layout.len],
            used: vec![false; layout.len.div_ceil(layout.units)],
            units: layout.units,
            rest: layout.biases,
        }
    }

    /// Splits into stretches of `rows` rows: their values, and their flags of use.
    pub(super) fn chunks(&mut self, rows: usize) -> impl Iterator<Item = GradientRows<'_>> {
        self.values.chunks_mut(rows * self.units).zip(self.used.chunks_mut(rows))
    }

    fn clear(&mut self) {
        let (inputs, rest) = self.used.split_at_mut(self.rest / self.units);
        inputs.fill(false);
        rest.fill(true);
        self.values[self.rest..].fill(0.0);
    }
}

/// Buffers of one thread.
pub(super) struct Scratch {
    /// The active inputs of the samples of a block, one after the other, then room for more.
    inputs: Vec<InputRows>,
    /// The offset at which the inputs of each sample of the block begin, followed by the end of the
    /// last.
    starts: Vec<usize>,
    /// `[sample of the block][view][unit]`, hidden values before the activation, then their
    /// gradients.
    hidden: Vec<f32>,
    active: ActiveInputs,
    head: Head,
}

impl Scratch {
    pub(super) fn new(shape: Shape) -> Scratch {
        let layout = ParameterLayout::new(shape);
        Scratch {
            inputs: vec![[0; VIEWS]; BLOCK * MAX_INPUTS],
            starts: Vec::new(),
            hidden: vec![0.0; BLOCK * views(shape) * layout.units],
            active: ActiveInputs::new(),
            head: Head::new(layout),
        }
    }

    /// Returns the head, which knows its active pairs of all samples so far.
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    fn read_inputs(&mut self, block: &[&Sample], shape: Shape, mut flip: impl FnMut() -> bool) {
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        for sample in block {
            end += write_inputs(&sample.board, shape, flip(), &mut self.inputs[end..]);
            self.starts.push(end);
        }
    }
}

/// Sets `gradient` to that of the squared error over the samples and returns the sum of the errors.
/// With `flips`, `random` decides which samples are mirrored.
pub(super) fn learn<'a>(
    model: &Model,
    target: LossTarget,
    samples: impl Iterator<Item = &'a Sample>,
    random: Random,
    scratch: &mut Scratch,
    gradient: &mut Gradient,
) -> f64 {
    gradient.clear();
    pass(model, target, samples, random, scratch, Some(gradient))
}

/// Returns the sum of the squared errors over the samples.
pub(super) fn error<'a>(
    model: &Model,
    target: LossTarget,
    samples: impl Iterator<Item = &'a Sample>,
    scratch: &mut Scratch,
) -> f64 {
    let target = LossTarget { flips: false, ..target };
    pass(model, target, samples, Random::new(0), scratch, None)
}

fn pass<'a>(
    model: &Model,
    target: LossTarget,
    samples: impl Iterator<Item = &'a Sample>,
    mut random: Random,
    scratch: &mut Scratch,
    mut gradient: Option<&mut Gradient>,
) -> f64 {
    let shape = model.shape();
    // Samples of one bucket share the weights of its head, and samples with the same pieces at home
    // share many inputs, whose rows are then in the cache. They are copied first: they come from
    // all over the memory, and a loop that does nothing else waits for many of them at once. The
    // number of the sample in the key keeps the order of equal ones and identifies the sample.
    let samples: Vec<Sample> = samples.copied().collect();
    let mut keys: Vec<u64> = (samples.iter().zip(0u64..))
        .map(|(sample, number)| {
            let bucket = pieces_and_bucket(&sample.board, shape).1 as u64;
            let occupied = u64::from(sample.board.occupied().bits() as u32);
            bucket << 48 | occupied << 16 | number
        })
        .collect();
    keys.sort_unstable();
    let samples: Vec<&Sample> = keys.iter().map(|key| &samples[usize::from(*key as u16)]).collect();
    let mut total = 0.0;
    for block in samples.chunks(BLOCK) {
        scratch.read_inputs(block, shape, || target.flips && random.bits() & 1 == 1);
        total += pass_block(model, target, block, scratch, gradient.as_deref_mut());
    }
    total
}

fn pass_block(
    model: &Model,
    target: LossTarget,
    block: &[&Sample],
    scratch: &mut Scratch,
    mut gradient: Option<&mut Gradient>,
) -> f64 {
    let (shape, layout) = (model.shape(), ParameterLayout::new(model.shape()));
    let (units, size) = (layout.units, views(shape) * layout.units);
    let parameters = model.parameters();
    let (rows, rest) = parameters.split_at(layout.biases);
    let biases = &rest[..units];
    let Scratch { inputs, starts, hidden, active, head } = scratch;
    let bucket = |sample: &Sample| pieces_and_bucket(&sample.board, shape).1;
    let (mut begin, mut total) = (0, 0.0);
    // The three parts are compiled apart: in one function the compiler gives up inlining.
    for same_bucket in block.chunk_by(|a, b| bucket(a) == bucket(b)) {
        for group in same_bucket.chunks(GROUP) {
            let hidden = &mut hidden[begin * size..][..group.len() * size];
            let starts = &starts[begin..=begin + group.len()];
            simd::with_best_instructions(
                #[inline(always)]
                || gather(rows, biases, (inputs, starts), hidden),
            );
            head.begin(bucket(group[0]));
            let gradient = gradient.as_deref_mut().map(|gradient| &mut gradient.values[..]);
            total += simd::with_best_instructions(
                #[inline(always)]
                || pass_head(head, parameters, target, group, hidden, gradient),
            );
            begin += group.len();
        }
    }
    if let Some(gradient) = gradient {
        let (rows, rest) = gradient.values.split_at_mut(layout.biases);
        let (rows, biases) = ((rows, &mut gradient.used[..]), &mut rest[..units]);
        let last = starts.last().copied().unwrap_or(0);
        let block_inputs = (&inputs[..last], &starts[..]);
        simd::with_best_instructions(
            #[inline(always)]
            || active.scatter(rows, biases, block_inputs, hidden, views(shape)),
        );
    }
    total
}

/// Returns the pass of a group of samples through the head; turns their hidden values into
/// gradients.
#[inline(always)]
fn pass_head(
    head: &mut Head,
    parameters: &[f32],
    target: LossTarget,
    group: &[&Sample],
    hidden: &mut [f32],
    mut gradient: Option<&mut [f32]>,
) -> f64 {
    let size = hidden.len() / group.len();
    let mut total = 0.0;
    for (number, sample) in group.iter().enumerate() {
        let hidden = &mut hidden[number * size..][..size];
        let estimate = sigmoid(head.forward(parameters, hidden));
        let difference = estimate - target.of(sample, sample.board.occupied().len());
        total += f64::from(difference * difference);
        if let Some(gradient) = gradient.as_deref_mut() {
            let slope = 2.0 * difference * estimate * (1.0 - estimate);
            head.backward(parameters, slope, hidden, gradient);
        }
    }
    if let Some(gradient) = gradient {
        head.add_gradients(gradient);
    }
    total
}

/// Returns the expected result, 0..1, of a logit.
#[inline(always)]
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
