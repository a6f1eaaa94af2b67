//! The training run: epochs of shuffled batches, validation, checkpoints.
//!
//! A batch is cut into shards of a fixed size, whatever the number of threads. Each shard has a
//! gradient of its own and they are added in order, so a run gives the same network on any number
//! of threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::checkpoint::{Checkpoint, CheckpointError};
use super::gradient::{Scratch, Target, error, learn};
use super::model::{Layout, Model};
use super::optimizer::{Moments, Step, advance};
use super::packed::Sample;
use crate::evaluation::Shape;
use crate::random::Random;

/// Samples of a shard.
const SHARD: usize = 2048;

/// All that decides what comes out of a run, besides the samples.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Units of the hidden layer.
    pub width: usize,
    /// Output buckets.
    pub buckets: usize,
    /// Whether hidden units come in mirror pairs; if not, samples are mirrored at random.
    pub paired: bool,
    /// Passes over the samples.
    pub epochs: u32,
    /// Samples of a step.
    pub batch: usize,
    /// The rate at the start; it falls as a cosine ...
    pub learning_rate: f32,
    /// ... to this.
    pub final_rate: f32,
    /// Of AdamW.
    pub weight_decay: f32,
    /// The share of the result in the target; the rest is the score's.
    pub result_weight: f32,
    /// Of the filter that made the samples; here so that a checkpoint of other ones is refused.
    pub lookahead: f32,
    /// Random seed.
    pub seed: u64,
}

impl Settings {
    /// The shape of the network.
    pub fn shape(&self) -> Shape {
        Shape { width: self.width, buckets: self.buckets, paired: self.paired }
    }
}

/// What an epoch came to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Epoch {
    /// The mean squared error over the samples, while they were learned.
    pub training: f64,
    /// The mean squared error over the held-out samples, afterwards.
    pub validation: f64,
    /// The learning rate at its end.
    pub learning_rate: f32,
    /// Samples a second.
    pub speed: f64,
}

/// How far a run is within an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Batch {
    /// The epoch, from 0.
    pub epoch: u32,
    /// Samples of the epoch so far.
    pub samples: usize,
    /// The mean squared error of the epoch so far.
    pub error: f64,
    /// Samples a second.
    pub speed: f64,
}

/// A training run.
pub struct Trainer {
    settings: Settings,
    threads: usize,
    model: Model,
    moments: Moments,
    epochs: Vec<Epoch>,
    shards: Vec<Vec<f32>>,
}

impl Trainer {
    /// A run from random weights.
    pub fn new(settings: Settings, threads: usize) -> Trainer {
        let shape = settings.shape();
        let len = Layout::new(shape).len;
        Trainer {
            model: Model::random(shape, settings.seed),
            moments: Moments::new(len),
            epochs: Vec::new(),
            shards: vec![vec![0.0; len]; settings.batch.div_ceil(SHARD).max(1)],
            threads: threads.max(1),
            settings,
        }
    }

    /// Goes on from a checkpoint, which must be of the same settings.
    pub fn resume(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let checkpoint = Checkpoint::load(path, &self.settings)?;
        self.model = checkpoint.model;
        self.moments = checkpoint.moments;
        self.epochs = checkpoint.epochs;
        Ok(())
    }

    /// Writes a checkpoint.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        Checkpoint::save(path, &self.settings, &self.model, &self.moments, &self.epochs)
    }

    /// The network so far.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The epochs so far.
    pub fn epochs(&self) -> &[Epoch] {
        &self.epochs
    }

    /// Whether all epochs are done.
    pub fn is_done(&self) -> bool {
        self.epochs.len() >= self.settings.epochs as usize
    }

    fn target(&self) -> Target {
        Target { result_weight: self.settings.result_weight, flips: !self.settings.paired }
    }

    /// Trains one epoch. `None` if `stop` was set: then the run is of no use any more and goes on
    /// from its last checkpoint.
    pub fn train_epoch(
        &mut self,
        samples: &[Sample],
        validation: &[Sample],
        stop: &AtomicBool,
        mut show: impl FnMut(&Batch),
    ) -> Option<Epoch> {
        let number = self.epochs.len() as u32;
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        Random::stream(self.settings.seed, 1 + u64::from(number)).shuffle(&mut order);
        let steps = order.len().div_ceil(self.settings.batch) as u64;
        let all_steps = (steps * u64::from(self.settings.epochs)).max(1);
        let (start, mut total, mut done) = (Instant::now(), 0.0, 0);
        let mut rate = self.settings.learning_rate;
        for (batch_number, batch) in (0u64..).zip(order.chunks(self.settings.batch)) {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let step = steps * u64::from(number) + batch_number;
            rate = self.rate(step as f64 / all_steps as f64);
            total += self.learn_batch(samples, batch, step);
            self.step(Step {
                number: step + 1,
                learning_rate: rate,
                weight_decay: self.settings.weight_decay,
                scale: 1.0 / batch.len() as f32,
            });
            done += batch.len();
            let speed = done as f64 / start.elapsed().as_secs_f64().max(1e-9);
            show(&Batch { epoch: number, samples: done, error: total / done as f64, speed });
        }
        let epoch = Epoch {
            training: total / done.max(1) as f64,
            speed: done as f64 / start.elapsed().as_secs_f64().max(1e-9),
            validation: self.error(validation),
            learning_rate: rate,
        };
        self.epochs.push(epoch);
        Some(epoch)
    }

    /// A cosine from the first rate to the last.
    fn rate(&self, progress: f64) -> f32 {
        let (first, last) = (self.settings.learning_rate, self.settings.final_rate);
        let fall = (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0;
        last + (first - last) * fall as f32
    }

    /// Fills the gradients of the shards and returns the sum of the errors.
    fn learn_batch(&mut self, samples: &[Sample], batch: &[u32], step: u64) -> f64 {
        let (model, target, seed) = (&self.model, self.target(), self.settings.seed);
        let mut parts: Vec<_> = (batch.chunks(SHARD).zip(&mut self.shards).enumerate())
            .map(|(number, (indices, gradient))| (number, indices, gradient, 0.0f64))
            .collect();
        let share = parts.len().div_ceil(self.threads).max(1);
        let work = |parts: &mut [(usize, &[u32], &mut Vec<f32>, f64)]| {
            let mut scratch = Scratch::new(Layout::new(model.shape()));
            for (number, indices, gradient, error) in parts {
                let random = Random::stream(seed ^ 0xF11B, step << 16 | *number as u64);
                let samples = indices.iter().map(|&index| &samples[index as usize]);
                *error = learn(model, target, samples, random, &mut scratch, gradient);
            }
        };
        in_parallel(parts.chunks_mut(share), work);
        parts.iter().map(|part| part.3).sum()
    }

    /// Moves the weights along the gradients and clears these.
    fn step(&mut self, step: Step) {
        let stretch = self.model.parameters().len().div_ceil(self.threads);
        let mut gradients: Vec<_> =
            self.shards.iter_mut().map(|shard| shard.chunks_mut(stretch)).collect();
        let work = |(parameters, first, second, mut shards): Stretch| {
            advance(step, parameters, first, second, &mut shards);
        };
        let stretches = (self.model.parameters_mut().chunks_mut(stretch))
            .zip(self.moments.first.chunks_mut(stretch))
            .zip(self.moments.second.chunks_mut(stretch))
            .map(|((parameters, first), second)| {
                let shards = gradients.iter_mut().filter_map(Iterator::next).collect();
                (parameters, first, second, shards)
            });
        in_parallel(stretches, work);
    }

    /// The mean squared error over samples.
    pub fn error(&self, samples: &[Sample]) -> f64 {
        let (model, target) = (&self.model, self.target());
        let mut parts: Vec<_> = samples.chunks(SHARD).map(|samples| (samples, 0.0f64)).collect();
        let share = parts.len().div_ceil(self.threads).max(1);
        let work = |parts: &mut [(&[Sample], f64)]| {
            let mut scratch = Scratch::new(Layout::new(model.shape()));
            for (samples, total) in parts {
                *total = error(model, target, samples.iter(), &mut scratch);
            }
        };
        in_parallel(parts.chunks_mut(share), work);
        parts.iter().map(|part| part.1).sum::<f64>() / samples.len().max(1) as f64
    }
}

/// Parameters, both moments, and the gradients of all shards.
type Stretch<'a> = (&'a mut [f32], &'a mut [f32], &'a mut [f32], Vec<&'a mut [f32]>);

/// Does each part of the work in a thread of its own, the first one in this thread.
fn in_parallel<T: Send>(parts: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let work = &work;
    thread::scope(|scope| {
        let mut parts = parts;
        let first = parts.next();
        for part in parts {
            scope.spawn(move || work(part));
        }
        if let Some(first) = first {
            work(first);
        }
    });
}
