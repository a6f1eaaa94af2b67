//! `cannonade tables pack`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use cannonade_tables::{Monitor, PackError, pack};
use clap::Args;

use super::selection::{cancelled_by_ctrl_c, failure, open, signatures};
use crate::output::{check_files, write_file};
use crate::progress::Progress;
use crate::{Failure, Output};

#[derive(Args)]
#[command(after_help = "\
The file holds wins and draws without distances, for positions in which the stronger side is to move
and attacks no piece. The program contains crates/tables/src/quiet-results.bin.

Examples:
  cannonade tables build two one-guarded
  cannonade tables pack KPP KNP KCP --output crates/tables/src/quiet-results.bin")]
pub(super) struct PackArguments {
    /// Signatures or groups
    #[arg(required = true)]
    signatures: Vec<String>,
    /// The folder of the tables [default: one in the user's data folder]
    #[arg(long)]
    path: Option<PathBuf>,
    /// The file to write
    #[arg(long, short)]
    output: PathBuf,
}

pub(super) fn run(arguments: &PackArguments) -> Result<(), Failure> {
    let tables = open(arguments.path.as_deref())?;
    let wanted = signatures(&arguments.signatures)?;
    check_files(wanted.iter().filter_map(|&one| tables.file(one)), &[&arguments.output])?;
    let cancelled = cancelled_by_ctrl_c();
    let shown = Progress::new(1000 * wanted.len() as u64);
    shown.set_message(format_args!("{} tables", wanted.len()));
    // The share of each table, one after the other; that of the next one begins at 0 again.
    let (packed, last) = (AtomicU64::new(0), AtomicU64::new(0));
    let progress = |share: f64| {
        let share = (1000.0 * share) as u64;
        if share < last.swap(share, Ordering::Relaxed) {
            packed.fetch_add(1000, Ordering::Relaxed);
        }
        shown.set_position(packed.load(Ordering::Relaxed) + share);
    };
    let monitor = Monitor { threads: 1, cancelled: &cancelled, progress: &progress };
    let bytes = pack(&tables, &wanted, &monitor).map_err(|error| match error {
        PackError::Build(error) => failure(error, "stopped; nothing is written"),
        error => Failure::Work(error.into()),
    })?;
    drop(shown);
    let path = &arguments.output;
    write_file(path, &bytes)?;
    let mut output = Output::new();
    output.line(format_args!(
        "{}: {} tables in {} bytes",
        path.display(),
        wanted.len(),
        bytes.len()
    ));
    output.finish()
}
