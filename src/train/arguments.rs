//! Arguments of `cannonade train`.

use std::path::PathBuf;

use cannonade_engine::nnue::Network;
use cannonade_training::{DEFAULT_LOOKAHEAD, TrainingSettings};
use clap::Args;

use crate::flags::{decimal, whole, whole_from};

#[derive(Args)]
#[command(after_help = "\
The same command continues an interrupted run from its checkpoint (new.checkpoint). At the end the
network is checked; the exit code is 1 if a check fails, but the network is written.

Examples:
  cannonade train --width 128 --output new.net *.games
  cannonade train --epochs 10 --output new.net train.samples --validation test.samples")]
pub(crate) struct Arguments {
    /// Files of games (which are filtered) or of samples
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,
    /// The network to write; the checkpoint and the loss curve are written beside it
    #[arg(long, short)]
    pub(super) output: PathBuf,
    /// Files to validate with; if left out, part of the games is held out
    #[arg(long)]
    pub(super) validation: Vec<PathBuf>,
    /// Share of the games to hold out, in percent
    #[arg(long, default_value_t = 5.0, value_parser = decimal::<f32>(0.0..=100.0))]
    pub(super) held_out: f32,
    /// Hidden units per view: a multiple of 64 up to 1024; of 32 with --unpaired
    #[arg(long, default_value_t = 128, value_parser = width)]
    pub(super) width: usize,
    /// Output buckets by number of pieces: 1 or 8
    #[arg(long, default_value_t = 8, value_parser = whole::<usize>(1..=8))]
    pub(super) buckets: usize,
    /// No mirror pairs of hidden units; samples are mirrored at random instead
    #[arg(long)]
    pub(super) unpaired: bool,
    /// Mirror pairs of units in the second hidden layer of each bucket, up to 32; 0 without that
    /// layer
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..=32))]
    pub(super) pairs: usize,
    /// Threats as inputs: which kind of piece attacks or protects which piece on which square
    #[arg(long)]
    pub(super) threats: bool,
    /// Train each input on its own: similar inputs have no weights in common
    #[arg(long)]
    pub(super) no_factoriser: bool,
    /// Passes over the data
    #[arg(long, default_value_t = 30, value_parser = whole::<u32>(1..=100_000))]
    pub(super) epochs: u32,
    /// Samples per step
    #[arg(long, default_value_t = 4_096, value_parser = whole_from::<u32>(1))]
    pub(super) batch: u32,
    /// The learning rate after the warm-up
    #[arg(long, default_value_t = 1e-3, value_parser = decimal::<f32>(0.0..=1.0))]
    pub(super) learning_rate: f32,
    /// The learning rate at the end
    #[arg(long, default_value_t = 2.4e-6, value_parser = decimal::<f32>(0.0..=1.0))]
    pub(super) final_rate: f32,
    /// Steps in which the learning rate rises from 0; at most a tenth of the run
    #[arg(long, default_value_t = 100, value_parser = whole_from::<u32>(0))]
    pub(super) warm_up: u32,
    /// Weight decay of AdamW
    #[arg(long, default_value_t = 0.1, value_parser = decimal::<f32>(0.0..=100.0))]
    pub(super) weight_decay: f32,
    /// Epsilon of AdamW: the higher, the less the weights of rare inputs change
    #[arg(long, default_value_t = 1e-5, value_parser = decimal::<f32>(1e-12..=1.0))]
    pub(super) epsilon: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score's
    #[arg(long, default_value_t = 0.1, value_parser = decimal::<f32>(0.0..=1.0))]
    pub(super) result_weight: f32,
    /// The same share in endings: with 10 pieces and fewer, less with up to 18
    #[arg(long, default_value_t = 0.2, value_parser = decimal::<f32>(0.0..=1.0))]
    pub(super) ending_result_weight: f32,
    /// Share of each score of a game that comes from the scores after it, 0 to 1
    #[arg(long, default_value_t = DEFAULT_LOOKAHEAD, value_parser = decimal::<f32>(0.0..=1.0))]
    pub(super) lookahead: f32,
    /// Threads
    #[arg(long, short, default_value_t = 1, value_parser = whole::<usize>(1..=1024))]
    pub(super) threads: usize,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
    pub(super) seed: u64,
    /// Start from the weights of this network, which must have the same shape; only the second
    /// layer and the threats may be missing, and the width may be less
    #[arg(long)]
    pub(super) start: Option<PathBuf>,
    /// Text to write into the network besides the settings, such as the source of the data
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(super) note: String,
}

impl Arguments {
    pub(super) fn settings(&self, start: Option<&Network>) -> TrainingSettings {
        TrainingSettings {
            width: self.width,
            buckets: self.buckets,
            paired: !self.unpaired,
            pairs: self.pairs,
            threats: self.threats,
            factoriser: !self.no_factoriser,
            epochs: self.epochs,
            batch: self.batch as usize,
            learning_rate: self.learning_rate,
            final_rate: self.final_rate,
            warm_up: self.warm_up,
            weight_decay: self.weight_decay,
            epsilon: self.epsilon,
            result_weight: self.result_weight,
            ending_result_weight: self.ending_result_weight,
            lookahead: self.lookahead,
            seed: self.seed,
            start: start.map(Network::checksum),
            // Set once the data are read.
            samples: 0,
            held_out: 0,
            checksum_of_samples: 0,
        }
    }
}

fn width(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|width| (32..=1024).contains(width) && width % 32 == 0);
    number.ok_or_else(|| "expected a multiple of 32 up to 1024".to_owned())
}
