//! `cannonade bench`.

use std::cell::RefCell;

use cannonade_engine::bench::{self, BenchedPosition, DEFAULT_DEPTH};
use cannonade_engine::build_name;
use clap::Args;
use serde_json::json;
use xiangqi::rules::RuleSet;

use super::flags::whole;
use super::{Failure, Output};

#[derive(Args)]
#[command(after_help = "\
The last line is read by OpenBench. The node count is the same on every machine; the speed is not.

Examples:
  cannonade bench
  cannonade bench --json
  cannonade bench 9 --rules CheckOnly   # to a smaller depth, with chases not judged")]
pub(super) struct Arguments {
    /// The depth to which each position is searched
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = whole::<u32>(1..=100))]
    depth: u32,

    /// Rules of repetition, as for `judge --rules`; the signature is the count with WXF
    #[arg(long, value_name = "RULES", default_value_t = RuleSet::Wxf)]
    rules: RuleSet,

    /// Print JSON, one object
    #[arg(long)]
    json: bool,
}

/// The name and version of the JSON form.
const SCHEMA: &str = "bench-1";

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = RefCell::new(Output::new());
    let mut positions = Vec::new();
    let report = |position: BenchedPosition| {
        if arguments.json {
            positions.push(position);
        } else {
            output.borrow_mut().line(position);
        }
    };
    let is_closed = || output.borrow().is_closed();
    let summary = bench::run(arguments.depth, arguments.rules, report, is_closed);
    let mut output = output.into_inner();
    if arguments.json {
        output.line(json!({
            "schema": SCHEMA,
            "version": build_name(),
            "depth": arguments.depth,
            "rules": arguments.rules.name(),
            "nodes": summary.nodes,
            "time_ms": u64::try_from(summary.time.as_millis()).unwrap_or(u64::MAX),
            "nps": summary.nps(),
            "positions": positions,
        }));
    } else {
        output.line(summary);
    }
    output.finish()
}
