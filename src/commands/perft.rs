//! `cannonade perft`.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;

use super::Failure;
use crate::board::{Position, START_FEN, perft_divide};

#[derive(Args)]
#[command(after_help = "Example: cannonade perft --depth 5")]
pub(super) struct Arguments {
    /// Plies to count
    #[arg(long, short, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The position; the starting position if left out
    #[arg(long, default_value = START_FEN, hide_default_value = true)]
    fen: String,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut position = Position::from_fen(&arguments.fen).map_err(Failure::input)?;
    let start = Instant::now();
    let counts = perft_divide(&mut position, arguments.depth);
    let seconds = start.elapsed().as_secs_f64();
    let nodes: u64 = counts.iter().map(|(_, nodes)| nodes).sum();

    let mut out = io::stdout().lock();
    for (mv, nodes) in counts {
        writeln!(out, "{mv}: {nodes}")?;
    }
    writeln!(out, "\nNodes searched: {nodes}")?;
    writeln!(out, "Time: {seconds:.3} s, {:.1} million nodes/s", nodes as f64 / seconds / 1e6)?;
    Ok(())
}
