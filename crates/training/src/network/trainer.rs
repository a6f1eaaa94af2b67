//! The training run: epochs of shuffled batches, validation, checkpoints.
//!
//! A batch is divided into shards whose size does not depend on the number of threads. Each shard
//! has its own gradient and the gradients are added in order, so a run gives the same network with
//! any number of threads.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cannonade_tables::random::Random;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::factoriser::Factoriser;
use super::gradient::{Gradient, LossTarget, Scratch, error, learn};
use super::head::Head;
use super::layout::ParameterLayout;
use super::model::Model;
use super::optimizer::{Moments, OptimizerStep, Stretch, add_and_advance};
use super::settings::{EpochResult, TrainingSettings};
use crate::data::Sample;

/// Samples per shard, unless a batch would have more than [`MAX_SHARDS`].
const SHARD: usize = 2048;

/// Maximum number of shards of a batch, since each has a gradient as large as the network, up to
/// [`MAX_SHARD`] samples per shard.
const MAX_SHARDS: usize = 64;

/// Maximum number of samples per shard: they are numbered in 16 bits.
const MAX_SHARD: usize = 1 << 16;

/// Samples of a bucket without which nothing is said about its pairs of the second layer.
const SAMPLES_TO_JUDGE: usize = 1000;

/// The number of a shard, its samples, its gradient and its error.
type Part<'a> = (usize, &'a [u32], &'a mut Gradient, f64);

/// Progress within an epoch, reported after each batch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BatchProgress {
    /// The epoch, from 0.
    pub epoch: u32,
    /// Samples done in this epoch.
    pub samples: usize,
    /// Mean squared error over these samples.
    pub error: f64,
    /// Samples per second.
    pub speed: f64,
}

/// A training run.
pub struct Trainer {
    settings: TrainingSettings,
    threads: usize,
    /// The network so far.
    model: Model,
    factoriser: Factoriser,
    /// The trained parameters: those of the network, with the rows of its inputs without the shared
    /// part, then the rows of the groups of inputs.
    trained: Vec<f32>,
    moments: Moments,
    epochs: Vec<EpochResult>,
    /// The gradients of the shards of a batch.
    shards: Vec<Gradient>,
    /// Buffers of the threads.
    scratches: Vec<Scratch>,
}

impl Trainer {
    /// Creates a run from random weights, on up to this many threads of rayon's pool.
    pub fn new(settings: TrainingSettings, threads: usize) -> Trainer {
        let shape = settings.shape();
        let factoriser = if settings.factoriser {
            Factoriser::new(shape)
        } else {
            Factoriser::without_groups(shape)
        };
        let len = ParameterLayout::new(shape).len + factoriser.len();
        let mut trainer = Trainer {
            model: Model::random(shape, settings.seed),
            factoriser,
            trained: vec![0.0; len],
            moments: Moments::new(len),
            epochs: Vec::new(),
            shards: Vec::new(),
            scratches: Vec::new(),
            threads: threads.max(1),
            settings,
        };
        trainer.start_from(trainer.model.clone());
        trainer
    }

    /// Starts from the weights of this network, whose shape must be that of the settings.
    pub fn start_from(&mut self, model: Model) {
        let parameters = model.parameters();
        let (own, shared) = self.trained.split_at_mut(parameters.len());
        own.copy_from_slice(parameters);
        shared.fill(0.0);
        self.model = model;
    }

    /// Gives the [idle pairs](Trainer::idle_pairs) random weights, which change no value of these
    /// samples, and returns their number. Runs that start from the same network get the same
    /// weights, whatever their seeds: else the mean of such runs would be one of unlike pairs.
    ///
    /// To be called after [`Trainer::start_from`], before the first epoch.
    pub fn restart_idle_pairs(&mut self, samples: &[Sample]) -> usize {
        let idle = self.idle_pairs(samples);
        let mut model = self.model.clone();
        model.restart_pairs(&idle, self.settings.start.map_or(self.settings.seed, u64::from));
        self.start_from(model);
        idle.len()
    }

    /// Continues from a checkpoint, which must have the same settings.
    ///
    /// # Errors
    /// If the file cannot be read, is not a checkpoint, or was made with other settings.
    pub fn resume(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let checkpoint = Checkpoint::load(path, &self.settings, self.trained.len())?;
        self.trained = checkpoint.parameters;
        self.moments = checkpoint.moments;
        self.epochs = checkpoint.epochs;
        self.add_up();
        Ok(())
    }

    /// Writes a checkpoint.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        Checkpoint::save(path, &self.settings, &self.trained, &self.moments, &self.epochs)
    }

    /// Returns the network so far.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the checksum of the network whose weights the run started from.
    pub fn start(&self) -> Option<u32> {
        self.settings.start
    }

    /// Returns the epochs so far.
    pub fn epochs(&self) -> &[EpochResult] {
        &self.epochs
    }

    /// Returns whether all epochs are done.
    pub fn is_done(&self) -> bool {
        self.epochs.len() >= self.settings.epochs as usize
    }

    fn target(&self) -> LossTarget {
        LossTarget {
            result_weight: self.settings.result_weight,
            ending_result_weight: self.settings.ending_result_weight,
            flips: !self.settings.paired,
        }
    }

    /// Trains one epoch. Returns `None` if `stop` was set: then the epoch is incomplete, and the
    /// run must be continued from its last checkpoint.
    pub fn train_epoch(
        &mut self,
        samples: &[Sample],
        validation: &[Sample],
        stop: &AtomicBool,
        mut show: impl FnMut(&BatchProgress),
    ) -> Option<EpochResult> {
        let number = self.epochs.len() as u32;
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        Random::stream(self.settings.seed, 1 + u64::from(number)).shuffle(&mut order);
        let steps = order.len().div_ceil(self.settings.batch);
        let (start, mut total, mut done) = (Instant::now(), 0.0, 0);
        let mut rate = self.settings.learning_rate;
        for batch_number in 0..steps {
            // Batches of equal size, since each makes a step of the same size.
            let batch = &order[done..order.len() * (batch_number + 1) / steps];
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let step = steps as u64 * u64::from(number) + batch_number as u64;
            rate = self.rate(step, steps as u64 * u64::from(self.settings.epochs));
            total += self.learn_batch(samples, batch, step);
            self.step(OptimizerStep {
                number: step + 1,
                learning_rate: rate,
                weight_decay: self.settings.weight_decay,
                epsilon: self.settings.epsilon,
                scale: 1.0 / batch.len() as f32,
            });
            done += batch.len();
            let speed = done as f64 / start.elapsed().as_secs_f64().max(1e-9);
            show(&BatchProgress {
                epoch: number,
                samples: done,
                error: total / done as f64,
                speed,
            });
        }
        let epoch = EpochResult {
            training: total / done.max(1) as f64,
            speed: done as f64 / start.elapsed().as_secs_f64().max(1e-9),
            validation: self.error(validation),
            learning_rate: rate,
        };
        self.epochs.push(epoch);
        Some(epoch)
    }

    /// Returns the learning rate of a step: along a cosine, less during the warm-up. The first
    /// steps of Adam are as large as the rate in every weight and could leave units of the second
    /// layer below 0 on all samples, where SCReLU has no gradient.
    fn rate(&self, step: u64, steps: u64) -> f32 {
        let (first, last) = (self.settings.learning_rate, self.settings.final_rate);
        let progress = step as f64 / steps as f64;
        let fall = (1.0 + (progress * std::f64::consts::PI).cos()) / 2.0;
        let warm_up = u64::from(self.settings.warm_up).min(steps / 10).max(1);
        let rise = ((step + 1) as f32 / warm_up as f32).min(1.0);
        rise * (last + (first - last) * fall as f32)
    }

    /// Fills the gradients of the shards and returns the sum of the errors.
    fn learn_batch(&mut self, samples: &[Sample], batch: &[u32], step: u64) -> f64 {
        let (model, target, seed) = (&self.model, self.target(), self.settings.seed);
        // A batch may be larger than all samples, so only the shards that it fills are kept.
        let shard = batch.len().div_ceil(MAX_SHARDS).clamp(SHARD, MAX_SHARD);
        self.shards.resize_with(batch.len().div_ceil(shard), || Gradient::new(model.shape()));
        let mut parts: Vec<_> = (batch.chunks(shard).zip(&mut self.shards).enumerate())
            .map(|(number, (indices, gradient))| (number, indices, gradient, 0.0f64))
            .collect();
        let share = parts.len().div_ceil(self.threads).max(1);
        self.scratches.resize_with(self.threads, || Scratch::new(model.shape()));
        let work = |(parts, scratch): (&mut [Part<'_>], &mut Scratch)| {
            for (number, indices, gradient, error) in parts {
                let random = Random::stream(seed ^ 0xF11B, step << 16 | *number as u64);
                let samples = indices.iter().map(|&index| &samples[index as usize]);
                *error = learn(model, target, samples, random, scratch, gradient);
            }
        };
        in_parallel(parts.chunks_mut(share).zip(&mut self.scratches), work);
        parts.iter().map(|part| part.3).sum()
    }

    /// Makes one step of the optimiser with the gradients of the shards.
    fn step(&mut self, step: OptimizerStep) {
        let (factoriser, units) = (&self.factoriser, self.factoriser.units());
        let clipped_rows = ParameterLayout::new(self.model.shape()).clipped_rows();
        let (own, shared) = Stretch::new(&mut self.trained, &mut self.moments)
            .split_at(self.model.parameters().len());

        let rows = own.parameters.len().div_ceil(units).div_ceil(self.threads);
        let mut shards: Vec<_> = self.shards.iter_mut().map(|shard| shard.chunks(rows)).collect();
        let gradients = std::iter::from_fn(move || {
            let (sum, others) = shards.split_first_mut()?;
            let others: Vec<_> = others.iter_mut().filter_map(Iterator::next).collect();
            Some((sum.next()?, others))
        });
        let parts = own.chunks(rows * units).zip(gradients).enumerate();
        in_parallel(parts, |(number, (stretch, (sum, others)))| {
            let clipped_rows = clipped_rows.saturating_sub(number * rows);
            add_and_advance(step, (units, clipped_rows), stretch, sum, &others);
        });

        // The first shard now has the sum of all.
        let Some(Gradient { values, used, .. }) = self.shards.first() else { return };
        let share = factoriser.groups().div_ceil(self.threads).max(1);
        in_parallel(shared.chunks(share * units).enumerate(), |(number, shared)| {
            factoriser.advance(step, number * share, (values, used), shared);
        });
        self.add_up();
    }

    /// Updates the network from the trained parameters.
    fn add_up(&mut self) {
        let factoriser = &self.factoriser;
        let parameters = self.model.parameters_mut();
        let (own, shared) = self.trained.split_at(parameters.len());
        let (rows, rest) = parameters.split_at_mut(factoriser.inputs() * factoriser.units());
        rest.copy_from_slice(&own[rows.len()..]);
        let share = factoriser.inputs().div_ceil(self.threads).max(1);
        let size = share * factoriser.units();
        let parts = own[..rows.len()].chunks(size).zip(rows.chunks_mut(size)).enumerate();
        in_parallel(parts, |(number, (own, rows))| {
            factoriser.add_up(number * share, own, shared, rows);
        });
    }

    /// Returns the mean squared error over samples.
    pub fn error(&self, samples: &[Sample]) -> f64 {
        self.pass(samples).0 / samples.len().max(1) as f64
    }

    /// Returns the numbers of the pairs of the second layer, over all buckets, that are active on
    /// none of the samples of their bucket, if these are enough to tell.
    pub fn idle_pairs(&self, samples: &[Sample]) -> Vec<usize> {
        let shape = self.model.shape();
        let (_, scratches) = self.pass(samples);
        let heads: Vec<&Head> = scratches.iter().map(Scratch::head).collect();
        let is_idle = |&number: &usize| {
            let seen = heads.iter().map(|head| head.seen(number / shape.pairs)).sum::<usize>();
            seen >= SAMPLES_TO_JUDGE && !heads.iter().any(|head| head.is_active(number))
        };
        (0..shape.buckets * shape.pairs).filter(is_idle).collect()
    }

    /// Returns the sum of the squared errors over samples, and the buffers of the threads.
    fn pass(&self, samples: &[Sample]) -> (f64, Vec<Scratch>) {
        let (model, target) = (&self.model, self.target());
        let mut parts: Vec<_> = samples.chunks(SHARD).map(|samples| (samples, 0.0f64)).collect();
        let share = parts.len().div_ceil(self.threads).max(1);
        let mut scratches: Vec<_> =
            parts.chunks(share).map(|_| Scratch::new(model.shape())).collect();
        let work = |(parts, scratch): (&mut [(&[Sample], f64)], &mut Scratch)| {
            for (samples, total) in parts {
                *total = error(model, target, samples.iter(), scratch);
            }
        };
        in_parallel(parts.chunks_mut(share).zip(&mut scratches), work);
        (parts.iter().map(|part| part.1).sum(), scratches)
    }
}

/// Runs `work` on each part, on the threads of rayon's pool.
fn in_parallel<T: Send>(parts: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let work = &work;
    rayon::in_place_scope(|scope| {
        for part in parts {
            scope.spawn(move |_| work(part));
        }
    });
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;

    use super::*;
    use crate::PackedBoard;

    #[test]
    fn a_large_batch_has_few_gradients() {
        let settings = TrainingSettings {
            width: 32,
            buckets: 1,
            paired: true,
            pairs: 0,
            threats: false,
            factoriser: false,
            epochs: 1,
            batch: usize::MAX,
            learning_rate: 1e-3,
            final_rate: 1e-3,
            warm_up: 0,
            weight_decay: 0.0,
            epsilon: 1e-5,
            result_weight: 0.0,
            ending_result_weight: 0.0,
            lookahead: 0.0,
            seed: 1,
            start: None,
            samples: 0,
            held_out: 0,
            checksum_of_samples: 0,
        };
        let board = PackedBoard::pack(Position::startpos().board(), true);
        let samples = vec![Sample { board, score: 30, result: 1, ply: 0 }; MAX_SHARDS * SHARD + 1];
        let mut trainer = Trainer::new(settings, 1);
        let go = AtomicBool::new(false);
        assert!(trainer.train_epoch(&samples, &samples[..1], &go, |_| ()).is_some());
        assert_eq!(trainer.shards.len(), MAX_SHARDS);
    }
}
