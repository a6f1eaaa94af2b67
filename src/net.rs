//! `cannonade net`: shows, verifies, compares and averages networks.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::anyhow;
use cannonade_engine::nnue::{
    Accumulators, Network, NetworkError, Simd, default_network, network_to_bytes,
};
use cannonade_training::{average_weights, check_values, random_games};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::Failure;
use super::flags::whole_from;
use super::output::{Output, check_files, write_file};

/// Positions on which two networks are compared.
const POSITIONS: usize = 10_000;

/// Positions on which the speed is measured: few enough to stay in the cache, as in a search.
const TIMED_POSITIONS: usize = 1_000;

/// Passes over these positions with each instruction set.
const ROUNDS: usize = 500;

/// The name and version of the JSON form of `net show`.
const SCHEMA: &str = "net-show-1";

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade net show
  cannonade net verify new.net
  cannonade net compare nets/default.net new.net
  cannonade net average a.net b.net --output mean.net")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: NetCommand,
}

#[derive(Subcommand)]
enum NetCommand {
    /// Show shape, training, checksum and speed
    #[command(after_help = "\
Examples:
  cannonade net show
  cannonade net show nets/default.net new.net --json")]
    Show {
        /// Networks; the built-in one if left out
        files: Vec<PathBuf>,
        /// Print JSON, one object a line for each network
        #[arg(long)]
        json: bool,
    },
    /// Check files and the values of their networks; exit code 1 if a check fails
    #[command(after_help = "\
Examples:
  cannonade net verify new.net")]
    Verify {
        /// Networks; the built-in one if left out
        files: Vec<PathBuf>,
    },
    /// Compare the values of two networks on positions of random games
    #[command(after_help = "\
Examples:
  cannonade net compare nets/default.net new.net --seed 3")]
    Compare {
        /// A network
        first: PathBuf,
        /// Another
        second: PathBuf,
        /// Random seed of the games
        #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
        seed: u64,
    },
    /// Write the mean of the weights of networks that were trained from the same start; exit code 1
    /// if a check of it fails
    #[command(after_help = "\
Examples:
  cannonade net average a.net b.net c.net --output mean.net")]
    Average {
        /// Networks of the same shape
        #[arg(required = true, num_args = 2..)]
        files: Vec<PathBuf>,
        /// The network to write
        #[arg(long, short)]
        output: PathBuf,
    },
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        NetCommand::Show { files, json } => {
            let mut output = Output::new();
            for (name, network) in load_all(files)? {
                if *json {
                    output.line(to_json(&name, &network));
                } else {
                    show(&mut output, &name, &network);
                }
            }
            output.finish()
        }
        NetCommand::Verify { files } => verify(files),
        NetCommand::Compare { first, second, seed } => {
            compare(&load(first)?, &load(second)?, *seed)
        }
        NetCommand::Average { files, output } => average(files, output),
    }
}

pub(super) fn load(path: &Path) -> Result<Arc<Network>, Failure> {
    Network::find(path).map(Arc::new).map_err(|error| unusable(path, error))
}

/// Reports that the network in a file cannot be used.
pub(super) fn unusable(path: &Path, error: NetworkError) -> Failure {
    match error {
        // This error names the file itself.
        NetworkError::Io { .. } => Failure::input(error),
        _ => Failure::Input(anyhow!(error).context(path.display().to_string())),
    }
}

fn load_all(files: &[PathBuf]) -> Result<Vec<(String, Arc<Network>)>, Failure> {
    if files.is_empty() {
        return Ok(vec![("built in".to_owned(), default_network())]);
    }
    files.iter().map(|file| Ok((file.display().to_string(), load(file)?))).collect()
}

fn show(out: &mut Output, name: &str, network: &Network) {
    out.line(name);
    out.line(format_args!("  shape     {}", network.shape()));
    out.line(format_args!("  CRC-32    {:08x}", network.checksum()));
    out.line(format_args!("  trained   {}", network.description()));
    let speeds: Vec<_> = (speeds(network).into_iter())
        .map(|(simd, nanoseconds)| format!("{nanoseconds:.0} ns per move with {}", simd.name()))
        .collect();
    out.line(format_args!("  speed     {}", speeds.join(", ")));
}

fn to_json(name: &str, network: &Network) -> Value {
    let speeds = speeds(network).into_iter().map(|(simd, nanoseconds)| {
        let nanoseconds = (10.0 * nanoseconds).round() / 10.0;
        json!({ "instructions": simd.name(), "ns_per_move": nanoseconds })
    });
    json!({
        "schema": SCHEMA,
        "network": name,
        "shape": network.shape().to_string(),
        "crc32": format!("{:08x}", network.checksum()),
        "description": network.description(),
        "speeds": speeds.collect::<Vec<_>>(),
    })
}

fn verify(files: &[PathBuf]) -> Result<(), Failure> {
    match failed_checks(files)? {
        0 => Ok(()),
        failed => Err(anyhow!("checks failed: {failed}").into()),
    }
}

/// Prints the checks of the networks and returns the number of those that failed.
fn failed_checks(files: &[PathBuf]) -> Result<usize, Failure> {
    let mut out = Output::new();
    let mut failed = 0;
    for (name, network) in load_all(files)? {
        out.line(name);
        for check in check_values(&network) {
            out.line(format_args!("  {check}"));
            failed += usize::from(!check.passed);
        }
    }
    out.finish()?;
    Ok(failed)
}

/// Measures one update of both views and one output with each instruction set that the processor
/// has: the minimum over rounds in which the sets alternate, so that other programs disturb all of
/// them equally.
fn speeds(network: &Network) -> Vec<(Simd, f64)> {
    let mut steps = Vec::new();
    random_games(1, TIMED_POSITIONS, |position, delta| {
        steps.push((position.board().clone(), delta));
    });
    let mut timings: Vec<_> = (Simd::ALL.iter())
        .filter_map(|&simd| {
            let accumulators = Accumulators::new(Arc::new(network.with_simd(simd)?));
            Some((simd, accumulators, f64::INFINITY))
        })
        .collect();
    for _ in 0..ROUNDS {
        for (_, accumulators, best) in &mut timings {
            let start = Instant::now();
            for (board, delta) in &steps {
                match delta {
                    None => accumulators.reset(),
                    Some(delta) => accumulators.push(*delta),
                }
                black_box(accumulators.evaluate(board));
            }
            *best = best.min(start.elapsed().as_secs_f64() * 1e9 / steps.len() as f64);
        }
    }
    timings.into_iter().map(|(simd, _, best)| (simd, best)).collect()
}

/// Writes the mean of the networks and checks its values.
fn average(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    check_files(files, &[output])?;
    let networks = load_all(files)?;
    let all: Vec<&Network> = networks.iter().map(|(_, network)| &**network).collect();
    let Some(weights) = average_weights(&all) else {
        let shapes: Vec<_> = all.iter().map(|network| network.shape().to_string()).collect();
        let shapes = shapes.join(" and ");
        return Err(Failure::Input(anyhow!("the networks have different shapes: {shapes}")));
    };
    let checksums: Vec<_> =
        all.iter().map(|network| format!("{:08x}", network.checksum())).collect();
    let description = format!("mean of networks {}", checksums.join(", "));
    let bytes = network_to_bytes(all[0].shape(), &weights, &description);
    Network::from_bytes(&bytes).map_err(anyhow::Error::from)?;
    write_file(output, &bytes)?;
    match failed_checks(&[output.to_owned()])? {
        0 => Ok(()),
        failed => {
            let name = output.display();
            Err(anyhow!("checks failed: {failed}; {name} was written anyway").into())
        }
    }
}

fn compare(first: &Arc<Network>, second: &Arc<Network>, seed: u64) -> Result<(), Failure> {
    let mut accumulators = [first, second].map(|network| Accumulators::new(Arc::clone(network)));
    let mut pairs = Vec::new();
    random_games(seed, POSITIONS, |position, _| {
        let [a, b] = accumulators.each_mut().map(|accumulators| {
            accumulators.reset();
            f64::from(accumulators.evaluate(position.board()))
        });
        pairs.push((a, b));
    });
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| {
        pairs.iter().map(value).sum::<f64>() / pairs.len().max(1) as f64
    };
    let (mean_a, mean_b) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread_a = mean(&|p| (p.0 - mean_a).powi(2)).sqrt();
    let spread_b = mean(&|p| (p.1 - mean_b).powi(2)).sqrt();
    let together = mean(&|p| (p.0 - mean_a) * (p.1 - mean_b));
    let mut out = Output::new();
    out.line(format_args!("{} positions", pairs.len()));
    out.line(format_args!("mean value        {mean_a:>8.1} {mean_b:>8.1} cp"));
    out.line(format_args!("spread of values  {spread_a:>8.1} {spread_b:>8.1} cp"));
    out.line(format_args!("correlation       {:>8.4}", together / (spread_a * spread_b).max(1e-9)));
    out.line(format_args!("mean difference   {:>8.1} cp", mean(&|p| (p.0 - p.1).abs())));
    out.finish()
}
