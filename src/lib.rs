//! The command line of Cannonade, a xiangqi (Chinese chess) engine. Each command is a file or a
//! folder with its arguments and a `run`; the other files are shared by several commands. Without a
//! command the program is an engine that serves a UCI or UCCI client on standard input and output.
//!
//! The work is done by the crates of this workspace: `xiangqi` is the game, `cannonade-engine` what
//! plays; `docs/architecture.md` draws them all. Of these only [`xiangqi`] promises a stable
//! interface.

// A panic ends the process of a client in the middle of a game; tests fail by them.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::exit))]

mod analyze;
mod bench;
mod board;
mod book;
mod completions;
mod convert;
mod data;
mod datagen;
#[cfg(test)]
mod examples;
mod failure;
mod flags;
mod input;
mod interrupt;
mod judge;
mod man;
mod matches;
mod net;
mod output;
mod perft;
mod play;
mod pool;
mod progress;
mod rating;
mod tables;
mod threads;
mod train;
#[cfg(feature = "web")]
mod web;

use std::ffi::OsString;
use std::io::{self, Write as _};

use anyhow::Context as _;
use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub use failure::Failure;
use output::Output;

use cannonade_engine::{build_name, set_commit, uci};

#[derive(Parser)]
#[command(
    name = "cannonade",
    version = build_name(),
    about,
    propagate_version = true,
    after_help = "\
Without a command Cannonade is an engine: it serves a UCI or UCCI client on stdin and stdout.

Examples:
  cannonade                                      # read commands from a client or the keyboard
  cannonade analyze --moves 'h2e2' --time 5      # search a position
  cannonade bench                                # measure the speed
  cannonade help match                           # explain a command"
)]
struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Search a position, or find the mistakes and better moves of whole games
    Analyze(analyze::Arguments),
    /// Measure the speed on fixed positions; the node count is a signature of the search
    Bench(bench::Arguments),
    /// Draw a position, or those of games, as SVG, PNG or text
    Board(board::Arguments),
    /// Build, show and verify opening books
    Book(book::Arguments),
    /// Print a script that completes commands and flags in a shell
    Completions(completions::Arguments),
    /// Convert game files of any kind to PGN, XQF, DhtmlXQ, CBR and others
    Convert(convert::Arguments),
    /// Inspect, filter and convert files of self-play games
    Data(data::Arguments),
    /// Generate training data by self-play
    Datagen(datagen::Arguments),
    /// Rule a repetition and explain the ruling
    Judge(judge::Arguments),
    /// Write manual pages
    Man(man::Arguments),
    /// Play matches between engines
    Match(Box<matches::Arguments>),
    /// Combine the results of several matches between the same engines
    Pool(pool::Arguments),
    /// Compute ratings from game records (Bayesian Elo)
    Rating(rating::Arguments),
    /// Train a network with self-play data
    Train(train::Arguments),
    /// Show, verify and compare networks
    Net(net::Arguments),
    /// Count the move paths of a position, to test the move generator
    Perft(perft::Arguments),
    /// Play a game against the engine in the terminal
    Play(Box<play::Arguments>),
    /// Build, probe and verify endgame tables
    Tables(tables::Arguments),
    /// Play and analyse on a board in the browser
    #[cfg(feature = "web")]
    Web(web::Arguments),
}

/// Runs the command line; the first argument is the name of the program.
///
/// # Errors
/// If the input is wrong or the work could not be done. Wrong flags end the process at once, with
/// clap's message and exit code 2.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Result<(), Failure> {
    set_commit(env!("CANNONADE_COMMIT"));
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "match") {
        let flags = matches::flags(&arguments[2..])?;
        arguments.splice(2.., flags);
    }
    let matches = match with_negative_numbers(Cli::command()).try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        Err(help) => return print_help(&help),
    };
    match Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()).command {
        None => Ok(uci::serve().context("cannot write to standard output")?),
        Some(CliCommand::Analyze(arguments)) => analyze::run(&arguments),
        Some(CliCommand::Bench(arguments)) => bench::run(&arguments),
        Some(CliCommand::Board(arguments)) => board::run(&arguments),
        Some(CliCommand::Book(arguments)) => book::run(&arguments),
        Some(CliCommand::Completions(arguments)) => completions::run(&arguments, Cli::command()),
        Some(CliCommand::Convert(arguments)) => convert::run(&arguments),
        Some(CliCommand::Data(arguments)) => data::run(&arguments),
        Some(CliCommand::Datagen(arguments)) => datagen::run(&arguments),
        Some(CliCommand::Judge(arguments)) => judge::run(&arguments),
        Some(CliCommand::Man(arguments)) => man::run(&arguments, Cli::command()),
        Some(CliCommand::Match(flags)) => matches::run(&flags, &arguments[2..]),
        Some(CliCommand::Pool(arguments)) => pool::run(&arguments),
        Some(CliCommand::Rating(arguments)) => rating::run(&arguments),
        Some(CliCommand::Train(arguments)) => train::run(&arguments),
        Some(CliCommand::Net(arguments)) => net::run(&arguments),
        Some(CliCommand::Perft(arguments)) => perft::run(&arguments),
        Some(CliCommand::Play(arguments)) => play::run(&arguments),
        Some(CliCommand::Tables(arguments)) => tables::run(&arguments),
        #[cfg(feature = "web")]
        Some(CliCommand::Web(arguments)) => web::run(&arguments),
    }
}

/// Prints a help text or the version.
fn print_help(help: &clap::Error) -> Result<(), Failure> {
    match help.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Ok(Err(error).context("cannot write to standard output")?)
        }
        _ => Ok(()),
    }
}

/// Reads a number below 0 after a flag as its value, so that the error tells what the flag accepts.
fn with_negative_numbers(command: Command) -> Command {
    let negative = |argument: Arg| {
        let has_value = argument.get_long().is_some() && argument.get_action().takes_values();
        argument.allow_negative_numbers(has_value)
    };
    command.mut_args(negative).mut_subcommands(with_negative_numbers)
}
