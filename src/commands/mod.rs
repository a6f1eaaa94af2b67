//! The command line. Each command is a file with its arguments and a `run`; without a command the
//! binary is an engine that speaks its protocols on stdin and stdout.

mod analyze;
mod bench;
mod data;
mod datagen;
mod judge;
mod matches;
mod net;
mod perft;
mod pool;
mod rating;
mod sprt;
mod train;
mod words;

use std::io;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::protocol;

/// The exit code for input that makes no sense: a wrong FEN, move, file or flag. Clap's own too.
const BAD_INPUT: u8 = 2;

#[derive(Parser)]
#[command(
    name = "cannonade",
    version,
    about,
    propagate_version = true,
    after_help = "\
Without a command Cannonade is an engine: a UCI or UCCI client talks to it on stdin and stdout.

Examples:
  cannonade                                      wait for a client, or for what you type
  cannonade analyze --moves 'h2e2' --time 5      think about a position
  cannonade bench                                measure the speed
  cannonade help match                           explain a command"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Think about a position and show the best lines as a table
    Analyze(analyze::Arguments),
    /// Measure the speed on fixed positions; the node count is a signature of the search
    Bench(bench::Arguments),
    /// Look at, filter and convert the files of self-play
    Data(data::Arguments),
    /// Let the engine play itself, to make data for training
    Datagen(datagen::Arguments),
    /// Rule a repetition, and say why
    Judge(judge::Arguments),
    /// Let engines play each other
    Match(Box<matches::Arguments>),
    /// Join the results of several matches of the same engines
    Pool(pool::Arguments),
    /// Rate the players of game records: Bayesian Elo
    Rating(rating::Arguments),
    /// Train a network with the data of self-play
    Train(train::Arguments),
    /// Show, verify and compare networks
    Net(net::Arguments),
    /// Count the move paths of a position, the test of move generation
    Perft(perft::Arguments),
}

/// Why a command failed, which decides the exit code.
enum Failure {
    /// The user's input is wrong: exit code 2.
    Input(anyhow::Error),
    /// The work could not be done: exit code 1.
    Work(anyhow::Error),
}

impl Failure {
    /// An error of the input, for `map_err`.
    fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Input(error.into())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Work(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Work(error.into())
    }
}

/// Runs the command line and returns the exit code.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        None => protocol::serve().map_err(Failure::from),
        Some(Command::Analyze(arguments)) => analyze::run(&arguments),
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Data(arguments)) => data::run(&arguments),
        Some(Command::Datagen(arguments)) => datagen::run(&arguments),
        Some(Command::Judge(arguments)) => judge::run(&arguments),
        Some(Command::Match(arguments)) => matches::run(&arguments),
        Some(Command::Pool(arguments)) => pool::run(&arguments),
        Some(Command::Rating(arguments)) => rating::run(&arguments),
        Some(Command::Train(arguments)) => train::run(&arguments),
        Some(Command::Net(arguments)) => net::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(&arguments),
    };
    let (code, error) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Input(error)) => (BAD_INPUT, error),
        Err(Failure::Work(error)) => (1, error),
    };
    // Whoever reads our output may stop reading (`cannonade ... | head`); that is no failure.
    let broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(broken_pipe) {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {error:#}");
    ExitCode::from(code)
}
