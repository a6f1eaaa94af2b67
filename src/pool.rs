//! `cannonade pool`: combines the results of several matches.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::anyhow;
use cannonade_match::pool_results;
use clap::Args;

use super::Failure;
use super::flags::{sprt_of, verdict};
use super::output::{Output, check_outputs, check_replaces_json, is_stdout};

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade pool part-1.json part-2.json
  cannonade pool part-*.json --sprt elo0=0 elo1=5 --json all.json")]
pub(super) struct Arguments {
    /// Files written by `cannonade match --json`
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// A test on all games: elo0= elo1= alpha= beta= model=normalized|logistic
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Write the combined results to this file as JSON; `-` prints JSON instead of the report
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.json {
        check_outputs(&arguments.results, &[path])?;
        check_replaces_json(path)?;
    }
    let test = sprt_of(&arguments.sprt).map_err(Failure::Input)?;
    let report = pool_results(&arguments.results, test.as_ref()).map_err(Failure::input)?;
    if test.is_some() && report.table.rows.len() != 2 {
        return Err(Failure::Input(anyhow!(
            "--sprt needs the results of two engines; these files have {}",
            report.table.rows.len()
        )));
    }
    let mut out = Output::new();
    if let Some(path) = &arguments.json {
        out.json(path, &report)?;
        if is_stdout(path) {
            return out.finish();
        }
    }
    write!(out, "{report}")?;
    if let Some(verdict) = report.sprt.and_then(|sprt| verdict(sprt.report.state)) {
        out.line(verdict);
    }
    out.finish()
}
