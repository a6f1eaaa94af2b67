//! `cannonade convert`: game files of any kind into PGN or DhtmlXQ.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};

use super::output::{Output, print_error};
use super::{Failure, input};
use crate::atomic_file;
use crate::notation::Notation;
use crate::records::{Game, TextEncoding, write_dhtmlxq, write_pgn};

#[derive(Args)]
#[command(after_help = "\
Reads PGN with moves in any notation, XQF, DhtmlXQ, CBR, CBL and CBF; kind and encoding are
recognised by content. A defect is reported with file, game, line and move; the moves before it and
all other games are converted, and the exit code is 1.

Examples:
  cannonade convert game.xqf                                   as PGN with ICCS moves
  cannonade convert *.xqf *.cbl -o all.pgn --notation chinese
  cannonade convert game.pgn --notation algebraic --plain      for XBoard
  cannonade convert game.pgn --format dhtmlxq                  for web boards")]
pub(super) struct Arguments {
    /// Game files; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The moves of PGN: iccs, uci, uci10, wxf, chinese, traditional or algebraic
    #[arg(long, default_value_t = Notation::Iccs)]
    notation: Notation,
    /// The kind of file to write
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// The encoding of what is written: utf-8, gb18030 or big5
    #[arg(long, default_value_t)]
    encoding: TextEncoding,
    /// Leave out comments, annotations and variations, which some programs cannot read
    #[arg(long)]
    plain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Portable Game Notation
    Pgn,
    /// The text format of web boards
    Dhtmlxq,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut text, mut problems, mut count) = (String::new(), 0, 0);
    for path in &arguments.files {
        let collection = input::read_collection(path).map_err(Failure::Input)?;
        for problem in &collection.problems {
            print_error(format_args!("{}: {problem}", input::name(path)));
        }
        problems += collection.problems.len();
        count += collection.games.len();
        for game in &collection.games {
            text += &write(game, arguments);
        }
    }
    let bytes = arguments.encoding.encode(&text);
    match &arguments.output {
        Some(path) => atomic_file::replace(path, &bytes)
            .with_context(|| format!("cannot write {}", path.display()))?,
        None => {
            let mut out = Output::new();
            out.write_all(&bytes)?;
            out.finish()?;
        }
    }
    if problems > 0 {
        return Err(anyhow!("games converted: {count}; defects reported above: {problems}").into());
    }
    Ok(())
}

fn write(game: &Game, arguments: &Arguments) -> String {
    let plain = arguments.plain.then(|| game.plain());
    let game = plain.as_ref().unwrap_or(game);
    match arguments.format {
        Format::Pgn => write_pgn(game, arguments.notation),
        Format::Dhtmlxq => write_dhtmlxq(game),
    }
}
