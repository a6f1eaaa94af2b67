//! `cannonade bench`.

use std::cell::RefCell;

use clap::Args;
use xiangqi::rules::RuleSet;

use super::flags::whole;
use super::{Failure, Output};
use crate::engine::bench::{self, DEFAULT_DEPTH};

#[derive(Args)]
#[command(after_help = "\
The last line is read by OpenBench. The node count is the same on every machine; the speed is not.

Examples:
  cannonade bench
  cannonade bench 9 --rules CheckOnly   to a smaller depth, with chases not judged")]
pub(super) struct Arguments {
    /// The depth to which each position is searched
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = whole::<u32>(1..=100))]
    depth: u32,

    /// Repetition rules, by the names of `judge --rules`; the signature is the count with WXF
    #[arg(long, value_name = "RULES", default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let output = RefCell::new(Output::new());
    let print = |line| output.borrow_mut().line(line);
    bench::run(arguments.depth, arguments.rules, print, || output.borrow().is_closed());
    output.into_inner().finish()
}
