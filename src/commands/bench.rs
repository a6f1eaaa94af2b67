//! `cannonade bench`.

use std::io::{self, Write};

use clap::Args;

use super::Failure;
use crate::engine::bench::{self, DEFAULT_DEPTH};
use crate::rules::RuleSet;

#[derive(Args)]
#[command(after_help = "The last line is read by OpenBench. The node count is the same on every \
                        machine; the speed is not.\nExample: cannonade bench")]
pub(super) struct Arguments {
    /// The depth to which each position is searched
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,

    /// The rules of repetition: WXF, CheckOnly or None; only with WXF the count is the signature
    #[arg(long, value_name = "RULES", default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    bench::run(
        arguments.depth,
        arguments.rules,
        |line| {
            if written.is_ok() {
                written = writeln!(out, "{line}");
            }
        },
        || false,
    );
    Ok(written?)
}
