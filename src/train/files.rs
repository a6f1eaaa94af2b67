//! Files that a training writes.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use cannonade_engine::nnue::{Network, network_to_bytes};
use cannonade_tables::file_lock::LockFile;
use cannonade_training::{Sample, Trainer, check_rounding, check_values, loss_curve};

use super::arguments::Arguments;
use crate::Failure;
use crate::input::check_distinct;
use crate::output::{Output, check_files, write_file};

/// Positions on which the integer network is compared with the floating-point one.
const ROUNDING_SAMPLES: usize = 10_000;

/// The files written by a training run.
pub(super) struct TrainingFiles {
    network: PathBuf,
    curve: PathBuf,
    pub(super) checkpoint: PathBuf,
    /// Refuses a second training with these files.
    _lock: LockFile,
}

impl TrainingFiles {
    /// Checks that no sample is learned twice or both learned and held out, that none of the files
    /// is an input, that all can be written, and that no other process writes them.
    pub(super) fn new(arguments: &Arguments) -> Result<TrainingFiles, Failure> {
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
        check_distinct(inputs.clone())?;
        let inputs = inputs.chain(&arguments.start);
        check_files(inputs, &[&network, &curve, &checkpoint])?;
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

/// Writes the loss curve and the network and prints the checks; an error if one fails.
pub(super) fn finish(
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
    // Without room for the curve there may be room for the network.
    let curve_written = write_file(&files.curve, curve.as_bytes());

    let description = description(arguments, trainer, samples.len(), validation.len());
    let bytes = network_to_bytes(shape, &trainer.model().quantise(), &description);
    let network = Network::from_bytes(&bytes).map(Arc::new).map_err(|error| {
        anyhow!(
            "{} was not written, because the weights have grown too large: {error}; delete {} and \
             train with a lower --learning-rate or a higher --weight-decay",
            files.network.display(),
            files.checkpoint.display()
        )
    })?;
    write_file(&files.network, &bytes)?;

    out.line(format_args!(
        "{}: {} bytes, CRC-32 {:08x}",
        files.network.display(),
        bytes.len(),
        network.checksum()
    ));
    if shape.pairs > 0 {
        out.line(format_args!(
            "{} of {} pairs of the second layer are active on no held-out sample",
            trainer.idle_pairs(validation).len(),
            shape.buckets * shape.pairs
        ));
    }
    let some = &validation[..validation.len().min(ROUNDING_SAMPLES)];
    let mut checks = check_values(&network);
    checks.push(check_rounding(trainer.model(), &network, some));
    for check in &checks {
        out.line(format_args!("{check}"));
    }
    curve_written?;
    match checks.iter().filter(|check| !check.passed).count() {
        0 => Ok(()),
        failed => Err(Failure::Work(anyhow!(
            "{failed} of {} checks failed; {} was written anyway",
            checks.len(),
            files.network.display()
        ))),
    }
}

/// Returns how the network was trained, for its file.
fn description(
    arguments: &Arguments,
    trainer: &Trainer,
    samples: usize,
    held_out: usize,
) -> String {
    let last = trainer.epochs().last();
    format!(
        "{} samples, {} held out, validation {:.6}; {}{} epochs of batches of {}, rate {:e} to {:e}, \
         warm-up {}, decay {}, epsilon {:e}, result weight {} ({} in endings), lookahead {}, \
         {}seed {}{}{}",
        samples,
        held_out,
        last.map_or(f64::NAN, |epoch| epoch.validation),
        trainer.start().map_or_else(String::new, |start| format!("from network {start:08x}, ")),
        arguments.epochs,
        arguments.batch,
        arguments.learning_rate,
        arguments.final_rate,
        arguments.warm_up,
        arguments.weight_decay,
        arguments.epsilon,
        arguments.result_weight,
        arguments.ending_result_weight,
        arguments.lookahead,
        if arguments.no_factoriser { "no factoriser, " } else { "factoriser, " },
        arguments.seed,
        if arguments.note.is_empty() { "" } else { "; " },
        arguments.note
    )
}
