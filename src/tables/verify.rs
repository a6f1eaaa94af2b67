//! `cannonade tables verify`.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use cannonade_tables::{OpenedTables, ProbeError, Signature, Tables, VerifyPlan, verify};
use clap::Args;

use super::selection::{cancelled_by_ctrl_c, missing_table, signatures};
use crate::flags::{open_tables, whole, whole_from};
use crate::output::print_error;
use crate::progress::Progress;
use crate::threads::start_threads;
use crate::{Failure, Output};

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade tables verify KR-KA KP-KAA
  cannonade tables verify --path tables --positions 10000 --searched 81 --plies 3")]
pub(super) struct VerifyArguments {
    /// Signatures or groups [default: all tables]
    signatures: Vec<String>,
    /// The folder of the tables; `none`: the built-in ones only [default: one in the user's data
    /// folder]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Positions of each table to compare, drawn at random, in steps of 81 [default: all]
    #[arg(long, value_parser = whole_from::<u64>(0))]
    positions: Option<u64>,
    /// Positions of each table to confirm by a search, drawn at random, in steps of 81
    #[arg(long, default_value_t = 100, value_parser = whole_from::<u64>(0))]
    searched: u64,
    /// Plies of these searches
    #[arg(long, default_value_t = 4, value_parser = whole::<u8>(0..=8))]
    plies: u8,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
    seed: u64,
    /// Number of threads
    #[arg(long, short, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
}

/// Returns the tables that words name, all if there are none. If some files are not sound, those of
/// missing tables may be among them, so these are reported; otherwise the first is an error.
fn wanted(tables: &Tables, words: &[String], are_unsound: bool) -> Result<Vec<Signature>, Failure> {
    let there = tables.signatures();
    if words.is_empty() {
        return Ok(there);
    }
    let (found, missing): (Vec<_>, Vec<_>) =
        signatures(words)?.into_iter().partition(|signature| there.contains(signature));
    for signature in missing {
        match missing_table(signature) {
            Failure::Input(error) if error.is::<ProbeError>() && are_unsound => print_error(error),
            failure => return Err(failure),
        }
    }
    Ok(found)
}

pub(super) fn run(arguments: &VerifyArguments) -> Result<(), Failure> {
    let OpenedTables { tables, problems } = open_tables(arguments.path.as_deref())?;
    for problem in &*problems {
        print_error(problem);
    }
    start_threads(usize::from(arguments.threads))?;
    let cancelled = cancelled_by_ctrl_c();
    let plan = VerifyPlan {
        positions: arguments.positions,
        searched: arguments.searched,
        plies: arguments.plies,
        seed: arguments.seed,
        threads: usize::from(arguments.threads),
    };
    let mut output = Output::new();
    output.line("signature        positions  searched  contradictions");
    let (mut positions, mut contradictions) = (0, 0);
    let signatures = wanted(&tables, &arguments.signatures, !problems.is_empty())?;
    let mut verified = 0;
    let progress = Progress::new(signatures.len() as u64);
    for &signature in &signatures {
        let tables_of = signatures.len();
        progress.set_message(format_args!("{signature} ({} of {tables_of} tables)", verified + 1));
        let found = verify(&tables, signature, &plan, &cancelled);
        progress.increase();
        // Partial findings of a table that was stopped in the middle are reported too.
        progress.suspend(|| {
            output.line(format_args!(
                "{signature:<15} {:>10} {:>9} {:>15}",
                found.positions, found.searched, found.contradictions
            ));
            for example in &found.examples {
                output.line(format_args!("    {example}"));
            }
        });
        positions += found.positions;
        contradictions += found.contradictions;
        if cancelled.load(Ordering::Relaxed) || output.is_closed() {
            break;
        }
        verified += 1;
    }
    drop(progress);
    output.line(format_args!("{positions} positions, {contradictions} contradictions"));
    output.finish()?;
    let mut failures = Vec::new();
    if contradictions > 0 {
        failures.push("the tables contradict themselves; build them again".to_owned());
    }
    if !problems.is_empty() {
        let files = problems.len();
        failures.push(format!("files that are not sound tables, named above: {files}"));
    }
    if !failures.is_empty() {
        return Err(Failure::Work(anyhow!(failures.join("; "))));
    }
    if cancelled.load(Ordering::Relaxed) && verified < signatures.len() {
        let text = format!("stopped after {verified} of {} tables", signatures.len());
        return Err(Failure::Interrupted(text));
    }
    Ok(())
}
