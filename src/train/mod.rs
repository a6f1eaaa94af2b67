//! `cannonade train`: trains a network on self-play data.

mod arguments;
mod files;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;

pub(super) use self::arguments::Arguments;
use self::files::{TrainingFiles, finish};
use super::Failure;
use super::data::games_of;
use super::interrupt::stop_on_interrupt;
use super::net::load as load_network;
use super::output::{Output, print_error};
use super::progress::Progress;
use super::threads::start_threads;
use cannonade_engine::nnue::Network;
use cannonade_tables::random::Random;
use cannonade_training::{
    DataFile, EpochResult, FilterSettings, Model, Sample, SampleFilter, Trainer, TrainingSettings,
};

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let start = arguments.start.as_deref().map(load_network).transpose()?;
    let mut settings = arguments.settings(start.as_deref());
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
    stop_on_interrupt(move || flag.store(true, Ordering::Relaxed))?;

    start_threads(arguments.threads)?;
    let mut trainer = Trainer::new(settings, arguments.threads);
    if let Some(model) = start {
        trainer.start_from(model);
        let error = trainer.error(&validation);
        out.line(format_args!("start: validation {error:.6}"));
        let restarted = trainer.restart_idle_pairs(&validation);
        if restarted > 0 {
            out.line(format_args!(
                "start: {restarted} pairs of the second layer begin anew, since they are active on \
                 no held-out sample"
            ));
        }
    }
    if files.checkpoint.exists() {
        trainer.resume(&files.checkpoint).map_err(Failure::input)?;
        out.line(format_args!("continuing after epoch {}", trainer.epochs().len()));
    }
    let mut saved = trainer.epochs().len();
    while !trainer.is_done() {
        let epochs = arguments.epochs;
        let Some(epoch) = train_epoch(&mut trainer, epochs, &samples, &validation, &stop) else {
            out.finish()?;
            let text = format!("stopped; the same command continues after epoch {saved}");
            return Err(Failure::Interrupted(text));
        };
        print_epoch(&mut out, trainer.epochs().len(), &epoch);
        if !(epoch.training.is_finite() && epoch.validation.is_finite()) {
            return Err(Failure::Work(anyhow!(
                "the loss is no longer a number, because the weights have grown too large; train \
                 with a lower --learning-rate or a higher --epsilon"
            )));
        }
        match trainer.save(&files.checkpoint) {
            Ok(()) => saved = trainer.epochs().len(),
            // The network matters more, and there may be room for it.
            Err(error) => print_error(format_args!("warning: {error}; the training goes on")),
        }
    }
    let finished = finish(arguments, &files, &trainer, &samples, &validation, &mut out);
    out.finish()?;
    finished
}

/// Returns the weights of `--start` in the shape of the training.
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
    let remedy = if !arguments.validation.is_empty() {
        "give more data, and for --validation files that hold games or samples which are not \
         among them"
    } else if samples.is_empty() {
        "give more data, or less for --held-out"
    } else {
        "give files with --validation, more games or more for --held-out: nothing is held out \
         from files of samples"
    };
    Err(Failure::Input(anyhow!(
        "{} samples to train and {} to validate with, but both are needed; {remedy}",
        samples.len(),
        validation.len()
    )))
}

/// Trains once with all samples, one of `epochs` times, and shows the progress; `None` if it was stopped.
fn train_epoch(
    trainer: &mut Trainer,
    epochs: u32,
    samples: &[Sample],
    validation: &[Sample],
    stop: &AtomicBool,
) -> Option<EpochResult> {
    let epoch = trainer.epochs().len() as u64;
    let (samples_done, of_epoch) = (epoch * samples.len() as u64, samples.len() as u64);
    let progress = Progress::new(u64::from(epochs) * of_epoch);
    progress.resume_at(samples_done);
    progress.set_message(format_args!("epoch {} of {epochs}", epoch + 1));
    trainer.train_epoch(samples, validation, stop, |batch| {
        progress.set_position(samples_done + batch.samples as u64);
        progress.set_message(format_args!(
            "epoch {} of {epochs}, loss {:.5}, {:.0} positions/s",
            epoch + 1,
            batch.error,
            batch.speed
        ));
    })
}

fn print_epoch(out: &mut Output, number: usize, epoch: &EpochResult) {
    out.line(format_args!(
        "epoch {number:>3}: loss {:.6}, validation {:.6}, rate {:.2e}, {:.0} positions/s",
        epoch.training, epoch.validation, epoch.learning_rate, epoch.speed
    ));
}

/// Returns the samples to train and to validate with. Games are held out as a whole, by their start
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
    let files = arguments.data.len() + arguments.validation.len();
    let progress = Progress::new(files as u64);
    for (files, hold_all) in [(&arguments.data, false), (&arguments.validation, true)] {
        for file in files {
            progress.set_message(format_args!("reading {}", file.display()));
            progress.increase();
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
