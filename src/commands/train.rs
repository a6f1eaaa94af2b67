//! `cannonade train`: trains a network on self-play data.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::Failure;
use super::data::games_of;
use super::flags::{decimal, whole, whole_from};
use super::interrupt::on_interrupt;
use super::net::load as load_network;
use super::output::{Output, check_outputs, print_error};
use crate::atomic_file;
use crate::evaluation::{Network, network_to_bytes};
use crate::file_lock::LockFile;
use crate::random::Random;
use crate::training::{
    DEFAULT_LOOKAHEAD, DataFile, EpochResult, FilterSettings, Model, Sample, SampleFilter, Trainer,
    TrainingSettings, check_rounding, check_values, loss_curve,
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
    /// Hidden units per view: a multiple of 32 up to 1024; of 64 with --pairs
    #[arg(long, default_value_t = 128, value_parser = width)]
    width: usize,
    /// Output buckets by number of pieces: 1 or 8
    #[arg(long, default_value_t = 8, value_parser = whole::<usize>(1..=8))]
    buckets: usize,
    /// No mirror pairs of hidden units; samples are mirrored at random instead
    #[arg(long)]
    unpaired: bool,
    /// Mirror pairs of units in the second hidden layer of each bucket, up to 32; 0 without that layer
    #[arg(long, default_value_t = 0, value_parser = whole::<usize>(0..=32))]
    pairs: usize,
    /// Threats as inputs: which kind of piece attacks or protects which piece on which square
    #[arg(long)]
    threats: bool,
    /// Train each input on its own: similar inputs have no weights in common
    #[arg(long)]
    no_factoriser: bool,
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
    #[arg(long, default_value_t = 1e-5, value_parser = decimal::<f32>(1e-12..=1.0))]
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
    /// layer and the threats may be missing, and the width may be less
    #[arg(long)]
    start: Option<PathBuf>,
    /// Text to write into the network besides the settings, such as the source of the data
    #[arg(long, default_value = "")]
    note: String,
}

fn width(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|width| (32..=1024).contains(width) && width % 32 == 0);
    number.ok_or_else(|| "expected a multiple of 32 up to 1024".to_owned())
}

/// The files written by a training run.
struct TrainingFiles {
    network: PathBuf,
    curve: PathBuf,
    checkpoint: PathBuf,
    /// Refuses a second training with these files.
    _lock: LockFile,
}

impl TrainingFiles {
    /// Checks that none of the files is an input, that all can be written, and that no other
    /// process writes them.
    fn new(arguments: &Arguments) -> Result<TrainingFiles, Failure> {
        let network = arguments.output.clone();
        let (curve, checkpoint) =
            (network.with_extension("svg"), network.with_extension("checkpoint"));
        if network == curve || network == checkpoint {
            return Err(Failure::Input(anyhow!(
                "--output {}: the loss curve or the checkpoint has this name; give the network \
                 another one, such as {}",
                network.display(),
                network.with_extension("net").display()
            )));
        }
        let inputs = arguments.data.iter().chain(&arguments.validation);
        check_outputs(inputs, &[&network, &curve, &checkpoint])?;
        let path = network.with_extension("checkpoint.lock");
        let lock =
            LockFile::acquire(&path).with_context(|| format!("cannot lock {}", path.display()))?;
        let Some(lock) = lock else {
            let network = network.display();
            return Err(Failure::Work(anyhow!(
                "{network} is being trained by another process; wait for its end, or give another \
                 --output"
            )));
        };
        Ok(TrainingFiles { network, curve, checkpoint, _lock: lock })
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let start = arguments.start.as_deref().map(load_network).transpose()?;
    let mut settings = settings(arguments, start.as_deref());
    if let Some(defect) = settings.shape().defect() {
        return Err(Failure::Input(anyhow!("{defect}")));
    }
    let start = start.map(|network| start_model(arguments, &settings, &network)).transpose()?;
    let files = TrainingFiles::new(arguments)?;
    let (samples, validation) = load(arguments)?;
    check_samples(arguments, &samples, &validation)?;
    settings.set_samples(&samples, &validation);
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

    let mut trainer = Trainer::new(settings, arguments.threads);
    if let Some(model) = start {
        trainer.start_from(model);
        let error = trainer.error(&validation);
        out.line(format_args!("start: validation {error:.6}"));
    }
    if files.checkpoint.exists() {
        trainer.resume(&files.checkpoint).map_err(Failure::input)?;
        out.line(format_args!("continuing after epoch {}", trainer.epochs().len()));
    }
    while !trainer.is_done() {
        let Some(epoch) = train_epoch(&mut trainer, &samples, &validation, &stop) else {
            let done = trainer.epochs().len();
            out.finish()?;
            let text = format!("stopped; the same command continues after epoch {done}");
            return Err(Failure::Interrupted(text));
        };
        print_epoch(&mut out, trainer.epochs().len(), &epoch);
        if !(epoch.training.is_finite() && epoch.validation.is_finite()) {
            return Err(Failure::Work(anyhow!(
                "the loss is not a number any more, since the weights have grown too large; train \
                 with a lower --learning-rate or a greater --epsilon"
            )));
        }
        trainer.save(&files.checkpoint).map_err(anyhow::Error::from)?;
    }
    let finished = finish(arguments, &files, &trainer, &samples, &validation, &mut out);
    out.finish()?;
    finished
}

/// The weights of `--start` in the shape of the training.
fn start_model(
    arguments: &Arguments,
    settings: &TrainingSettings,
    network: &Network,
) -> Result<Model, Failure> {
    Model::from_weights(settings.shape(), network, settings.seed).ok_or_else(|| {
        let path = arguments.start.as_deref().unwrap_or(Path::new(""));
        Failure::Input(anyhow!(
            "--start {}: the network has the shape {}, but the training makes {}; give --buckets, \
             --unpaired, --pairs and --threats as the network has them, and the same --width or more",
            path.display(),
            network.shape(),
            settings.shape()
        ))
    })
}

/// Checks that there are samples to train and to validate with.
fn check_samples(
    arguments: &Arguments,
    samples: &[Sample],
    validation: &[Sample],
) -> Result<(), Failure> {
    if !samples.is_empty() && !validation.is_empty() {
        return Ok(());
    }
    let remedy = if samples.is_empty() {
        "give more data"
    } else if arguments.validation.is_empty() {
        "give files with --validation, or games in which --held-out finds some: nothing is held out \
         from files of samples"
    } else {
        "give other games with --validation, since positions of the data are not taken from them"
    };
    Err(Failure::Input(anyhow!(
        "{} samples to train and {} to validate with, but both are needed; {remedy}",
        samples.len(),
        validation.len()
    )))
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
        factoriser: !arguments.no_factoriser,
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
        // Set once the data are read.
        samples: 0,
        held_out: 0,
        checksum_of_samples: 0,
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
            let reader = match DataFile::open(file).map_err(Failure::input)? {
                DataFile::Games(reader) => reader,
                DataFile::Samples(found) => {
                    let part = if hold_all { &mut validation } else { &mut samples };
                    part.extend(found);
                    continue;
                }
            };
            games_of(file, reader, |game| {
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

/// Writes the loss curve and the network and prints the checks; an error if one fails.
fn finish(
    arguments: &Arguments,
    files: &TrainingFiles,
    trainer: &Trainer,
    samples: &[Sample],
    validation: &[Sample],
    out: &mut Output,
) -> Result<(), Failure> {
    let shape = trainer.model().shape();
    let title = format!("{shape}, {} samples", samples.len());
    let curve = loss_curve(&title, trainer.epochs());
    write(&files.curve, curve.as_bytes())?;

    let last = trainer.epochs().last();
    let description = format!(
        "{} samples, {} held out, validation {:.6}; {}{} epochs of batches of {}, rate {:e} to {:e}, \
         decay {}, epsilon {:e}, result weight {} ({} in endings), lookahead {}, {}seed {}{}{}",
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
        if arguments.no_factoriser { "no factoriser, " } else { "factoriser, " },
        arguments.seed,
        if arguments.note.is_empty() { "" } else { "; " },
        arguments.note
    );
    let bytes = network_to_bytes(shape, &trainer.model().quantise(), &description);
    let network = Network::from_bytes(&bytes).map(Arc::new).map_err(|error| {
        anyhow!(
            "{} is not written, since the weights have grown too large: {error}; delete {} and train \
             with a lower --learning-rate or a greater --weight-decay",
            files.network.display(),
            files.checkpoint.display()
        )
    })?;
    write(&files.network, &bytes)?;

    out.line(format_args!(
        "{}: {} bytes, CRC-32 {:08x}",
        files.network.display(),
        bytes.len(),
        network.checksum()
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
            files.network.display()
        ))),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    atomic_file::replace(path, bytes)
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}
