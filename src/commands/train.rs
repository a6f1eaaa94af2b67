//! `cannonade train`: trains a network on self-play data.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use super::data::{each_game, holds_samples};
use super::flags::{decimal, whole, whole_from};
use super::interrupt::on_interrupt;
use super::output::{Output, print_error};
use crate::atomic_file;
use crate::evaluation::{Network, network_to_bytes};
use crate::random::Random;
use crate::training::{
    DEFAULT_LOOKAHEAD, EpochResult, FilterSettings, Model, Sample, SampleFilter, Trainer,
    TrainingSettings, check_rounding, check_values, loss_curve, read_samples,
};

/// Positions on which the integer network is compared with the floating-point one.
const ROUNDING_SAMPLES: usize = 10_000;

#[derive(Args)]
#[command(after_help = "\
The same command continues an interrupted run from its checkpoint (new.checkpoint). At the end the
network is checked; the exit code is 1 if a check fails, but the network is written.

Examples:
  cannonade train --width 128 --output new.net *.games
  cannonade train --epochs 10 --output new.net train.samples --validation test.samples")]
pub(super) struct Arguments {
    /// Files of games (which are filtered) or of samples
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The network to write; the checkpoint and the loss curve are written beside it
    #[arg(long, short)]
    output: PathBuf,
    /// Files to validate with; if left out, part of the games is held out
    #[arg(long)]
    validation: Vec<PathBuf>,
    /// Share of the games to hold out, in percent
    #[arg(long, default_value_t = 5.0, value_parser = decimal::<f32>(0.0..=100.0))]
    held_out: f32,
    /// Hidden units per view
    #[arg(long, default_value_t = 128, value_parser = whole::<usize>(1..=4096))]
    width: usize,
    /// Output buckets by number of pieces: 1 or 8
    #[arg(long, default_value_t = 8, value_parser = whole::<usize>(1..=8))]
    buckets: usize,
    /// No mirror pairs of hidden units; samples are mirrored at random instead
    #[arg(long)]
    unpaired: bool,
    /// Mirror pairs of units in the second hidden layer of each bucket; 0 without that layer
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..=1024))]
    pairs: usize,
    /// Threats as inputs: which kind of piece attacks or protects which piece on which square
    #[arg(long)]
    threats: bool,
    /// Passes over the data
    #[arg(long, default_value_t = 30, value_parser = whole::<u32>(1..=100_000))]
    epochs: u32,
    /// Samples per step
    #[arg(long, default_value_t = 4_096, value_parser = whole_from::<u32>(1))]
    batch: u32,
    /// The learning rate at the start
    #[arg(long, default_value_t = 1e-3, value_parser = decimal::<f32>(0.0..=1.0))]
    learning_rate: f32,
    /// The learning rate at the end
    #[arg(long, default_value_t = 2.4e-6, value_parser = decimal::<f32>(0.0..=1.0))]
    final_rate: f32,
    /// Weight decay of AdamW
    #[arg(long, default_value_t = 0.1, value_parser = decimal::<f32>(0.0..=100.0))]
    weight_decay: f32,
    /// Epsilon of AdamW: the greater, the less the weights of rare inputs change
    #[arg(long, default_value_t = 1e-5, value_parser = decimal::<f32>(0.0..=1.0))]
    epsilon: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score's
    #[arg(long, default_value_t = 0.1, value_parser = decimal::<f32>(0.0..=1.0))]
    result_weight: f32,
    /// The same share in endings: with 10 pieces and fewer, less with up to 18
    #[arg(long, default_value_t = 0.2, value_parser = decimal::<f32>(0.0..=1.0))]
    ending_result_weight: f32,
    /// Share of each score of a game that comes from the scores after it, 0 to 1
    #[arg(long, default_value_t = DEFAULT_LOOKAHEAD, value_parser = decimal::<f32>(0.0..=1.0))]
    lookahead: f32,
    /// Threads
    #[arg(long, short, default_value_t = 1, value_parser = whole::<usize>(1..=1024))]
    threads: usize,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
    seed: u64,
    /// Start from the weights of this network, which must have the same shape; only the second
    /// layer and the threats may be missing
    #[arg(long)]
    start: Option<PathBuf>,
    /// Text to write into the network besides the settings, such as the source of the data
    #[arg(long, default_value = "")]
    note: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let start = match &arguments.start {
        Some(path) => Some(Network::find(path).map_err(Failure::input)?),
        None => None,
    };
    let settings = settings(arguments, start.as_ref());
    if let Some(defect) = settings.shape().defect() {
        return Err(Failure::Input(anyhow!("{defect}")));
    }
    let (samples, validation) = load(arguments)?;
    if samples.is_empty() || validation.is_empty() {
        return Err(Failure::Input(anyhow!(
            "{} samples to train and {} to validate with; both are needed",
            samples.len(),
            validation.len()
        )));
    }
    let mut out = Output::new();
    out.line(format_args!(
        "{}: {} samples, {} held out",
        settings.shape(),
        samples.len(),
        validation.len()
    ));

    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    on_interrupt(move || flag.store(true, Ordering::Relaxed))?;

    let checkpoint = arguments.output.with_extension("checkpoint");
    let mut trainer = Trainer::new(settings.clone(), arguments.threads);
    if let Some(network) = start {
        let model = Model::from_weights(settings.shape(), &network, settings.seed)
            .ok_or_else(|| Failure::Input(anyhow!("--start: the network has another shape")))?;
        trainer.start_from(model);
        let error = trainer.error(&validation);
        out.line(format_args!("start: validation {error:.6}"));
    }
    if checkpoint.exists() {
        trainer.resume(&checkpoint).map_err(Failure::input)?;
        out.line(format_args!("continuing after epoch {}", trainer.epochs().len()));
    }
    while !trainer.is_done() {
        let Some(epoch) = train_epoch(&mut trainer, &samples, &validation, &stop) else {
            let done = trainer.epochs().len();
            out.line(format_args!("stopped; the same command continues after epoch {done}"));
            return out.finish();
        };
        print_epoch(&mut out, trainer.epochs().len(), &epoch);
        trainer.save(&checkpoint).map_err(anyhow::Error::from)?;
    }
    let finished = finish(arguments, &trainer, &samples, &validation, &mut out);
    out.finish()?;
    finished
}

/// Trains once with all samples, with a progress bar; `None` if it was stopped.
fn train_epoch(
    trainer: &mut Trainer,
    samples: &[Sample],
    validation: &[Sample],
    stop: &AtomicBool,
) -> Option<EpochResult> {
    let bar = ProgressBar::new(samples.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {bar:30} {percent} %, {msg}") {
        bar.set_style(style);
    }
    bar.set_prefix(format!("epoch {:>3}", trainer.epochs().len() + 1));
    let epoch = trainer.train_epoch(samples, validation, stop, |batch| {
        bar.set_position(batch.samples as u64);
        bar.set_message(format!("loss {:.5}, {:.0} positions/s", batch.error, batch.speed));
    });
    bar.finish_and_clear();
    epoch
}

fn print_epoch(out: &mut Output, number: usize, epoch: &EpochResult) {
    out.line(format_args!(
        "epoch {number:>3}: loss {:.6}, validation {:.6}, rate {:.2e}, {:.0} positions/s",
        epoch.training, epoch.validation, epoch.learning_rate, epoch.speed
    ));
}

fn settings(arguments: &Arguments, start: Option<&Network>) -> TrainingSettings {
    TrainingSettings {
        width: arguments.width,
        buckets: arguments.buckets,
        paired: !arguments.unpaired,
        pairs: arguments.pairs,
        threats: arguments.threats,
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        learning_rate: arguments.learning_rate,
        final_rate: arguments.final_rate,
        weight_decay: arguments.weight_decay,
        epsilon: arguments.epsilon,
        result_weight: arguments.result_weight,
        ending_result_weight: arguments.ending_result_weight,
        lookahead: arguments.lookahead,
        seed: arguments.seed,
        start: start.map(Network::checksum),
    }
}

/// The samples to train and to validate with. Games are held out as a whole, by their start
/// position, so that nothing of them is learned. A position of several games belongs to the first.
fn load(arguments: &Arguments) -> Result<(Vec<Sample>, Vec<Sample>), Failure> {
    let mut filter = SampleFilter::new(FilterSettings {
        lookahead: arguments.lookahead,
        ..FilterSettings::default()
    });
    let (mut samples, mut validation) = (Vec::new(), Vec::new());
    let held_out = |game: u64| {
        let share = Random::stream(arguments.seed, game).unit_f32() * 100.0;
        arguments.validation.is_empty() && share < arguments.held_out
    };
    for (files, hold_all) in [(&arguments.data, false), (&arguments.validation, true)] {
        for file in files {
            if holds_samples(file)? {
                let part = if hold_all { &mut validation } else { &mut samples };
                part.extend(read_samples(file).map_err(Failure::input)?);
                continue;
            }
            each_game(std::slice::from_ref(file), |game| {
                let hold = hold_all || held_out(game.start.hash());
                let part = if hold { &mut validation } else { &mut samples };
                if let Err(error) = filter.filter_game(&game, part) {
                    print_error(format_args!("warning: {error}"));
                }
                Ok(())
            })?;
        }
    }
    Ok((samples, validation))
}

/// Writes the network and the loss curve and prints the checks; an error if one fails.
fn finish(
    arguments: &Arguments,
    trainer: &Trainer,
    samples: &[Sample],
    validation: &[Sample],
    out: &mut Output,
) -> Result<(), Failure> {
    let shape = trainer.model().shape();
    let last = trainer.epochs().last();
    let description = format!(
        "{} samples, {} held out, validation {:.6}; {}{} epochs of batches of {}, rate {:e} to {:e}, \
         decay {}, epsilon {:e}, result weight {} ({} in endings), lookahead {}, seed {}{}{}",
        samples.len(),
        validation.len(),
        last.map_or(f64::NAN, |epoch| epoch.validation),
        trainer.start().map_or_else(String::new, |start| format!("from network {start:08x}, ")),
        arguments.epochs,
        arguments.batch,
        arguments.learning_rate,
        arguments.final_rate,
        arguments.weight_decay,
        arguments.epsilon,
        arguments.result_weight,
        arguments.ending_result_weight,
        arguments.lookahead,
        arguments.seed,
        if arguments.note.is_empty() { "" } else { "; " },
        arguments.note
    );
    let bytes = network_to_bytes(shape, &trainer.model().quantise(), &description);
    let network = Arc::new(Network::from_bytes(&bytes).map_err(anyhow::Error::from)?);
    write(&arguments.output, &bytes)?;
    let title = format!("{shape}, {} samples", samples.len());
    let curve = loss_curve(&title, trainer.epochs());
    write(&arguments.output.with_extension("svg"), curve.as_bytes())?;

    out.line(format_args!(
        "{}: {} bytes, CRC-32 {:08x}",
        arguments.output.display(),
        bytes.len(),
        crc32fast::hash(&bytes)
    ));
    let some = &validation[..validation.len().min(ROUNDING_SAMPLES)];
    let mut checks = check_values(&network);
    checks.push(check_rounding(trainer.model(), &network, some));
    for check in &checks {
        out.line(format_args!("{check}"));
    }
    match checks.iter().filter(|check| !check.passed).count() {
        0 => Ok(()),
        failed => Err(Failure::Work(anyhow!(
            "{failed} of {} checks failed; {} is written all the same",
            checks.len(),
            arguments.output.display()
        ))),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    atomic_file::replace(path, bytes)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}
