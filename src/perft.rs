//! `cannonade perft`.

use std::cell::RefCell;

use cannonade_engine::perft;
use clap::Args;
use xiangqi::notation::Ranks;

use super::flags::{PositionFlags, whole};
use super::{Failure, Output};

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade perft --depth 5
  cannonade perft --depth 4 --fen '3k5/9/9/9/9/9/9/9/4A4/R3K4 w'")]
pub(super) struct Arguments {
    /// Plies to count
    #[arg(long, short, value_parser = whole::<u32>(1..=perft::DEEPEST))]
    depth: u32,
    #[command(flatten)]
    position: PositionFlags,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let position = arguments.position.position().map_err(Failure::Input)?;
    let output = RefCell::new(Output::new());
    let print = |line| output.borrow_mut().line(line);
    let ranks = Ranks::default();
    perft::run(position, arguments.depth, ranks, print, || output.borrow().is_closed());
    output.into_inner().finish()
}
