//! The settings of a training run and the result of each of its epochs, as a checkpoint keeps them
//! besides the weights.

use cannonade_engine::nnue::Shape;
use serde::{Deserialize, Serialize};

use crate::data::Sample;

/// Everything that determines the network of a run. The samples are known by their number and
/// checksum, so that a checkpoint of a run on others is refused.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TrainingSettings {
    /// Units of the hidden layer.
    pub width: usize,
    /// Output buckets.
    pub buckets: usize,
    /// True if hidden units come in mirror pairs; otherwise samples are mirrored at random.
    pub paired: bool,
    /// Mirror pairs of units in the second layer; 0 without one.
    pub pairs: usize,
    /// True if threats are inputs.
    pub threats: bool,
    /// True if similar inputs share a part of their weights during training.
    pub factoriser: bool,
    /// Passes over the samples.
    pub epochs: u32,
    /// Samples of a step.
    pub batch: usize,
    /// Learning rate after the warm-up, from which it falls along a cosine.
    pub learning_rate: f32,
    /// Steps of the warm-up, in which the learning rate rises from 0; at most a tenth of the run.
    pub warm_up: u32,
    /// Learning rate at the end.
    pub final_rate: f32,
    /// Weight decay of AdamW.
    pub weight_decay: f32,
    /// Added to the root of the mean squared gradient that a step of AdamW divides by. The weights
    /// of rare inputs have small gradients, so a larger epsilon changes them less.
    pub epsilon: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score's.
    pub result_weight: f32,
    /// Share of the game's result in the target in endings, 0 to 1.
    pub ending_result_weight: f32,
    /// Lookahead of the filter that made the samples of games.
    pub lookahead: f32,
    /// Random seed.
    pub seed: u64,
    /// Checksum of the network whose weights the run starts from; `None` for random weights.
    pub start: Option<u32>,
    /// Samples to train with.
    pub samples: usize,
    /// Samples to validate with.
    pub held_out: usize,
    /// Checksum of all these samples, in their order.
    pub checksum_of_samples: u32,
}

impl TrainingSettings {
    /// Records the number and the checksum of the samples.
    pub fn set_samples(&mut self, samples: &[Sample], held_out: &[Sample]) {
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(bytemuck::cast_slice(samples));
        checksum.update(bytemuck::cast_slice(held_out));
        self.samples = samples.len();
        self.held_out = held_out.len();
        self.checksum_of_samples = checksum.finalize();
    }

    /// Returns the shape of the network.
    pub fn shape(&self) -> Shape {
        Shape {
            width: self.width,
            buckets: self.buckets,
            paired: self.paired,
            pairs: self.pairs,
            threats: self.threats,
        }
    }
}

/// The result of an epoch.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct EpochResult {
    /// Mean squared error over the training samples, measured during the epoch.
    pub training: f64,
    /// Mean squared error over the held-out samples, measured after the epoch.
    pub validation: f64,
    /// Learning rate at the end of the epoch.
    pub learning_rate: f32,
    /// Samples per second.
    pub speed: f64,
}
