//! `cannonade convert`: game files of any kind into PGN or DhtmlXQ.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::{Args, ValueEnum};

use super::Failure;
use super::output::{Output, print_error};
use crate::atomic_file;
use crate::notation::Notation;
use crate::records::{self, Collection, Game, TextEncoding, write_dhtmlxq, write_pgn};

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
        let collection = read(path).map_err(Failure::Input)?;
        for problem in &collection.problems {
            print_error(format_args!("{}: {problem}", path.display()));
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

/// Reads a file that must hold games.
fn read(path: &Path) -> anyhow::Result<Collection> {
    let name = path.display();
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let collection = records::read(&bytes.with_context(|| format!("cannot read {name}"))?);
    let is_empty = collection.games.is_empty() && collection.problems.is_empty();
    anyhow::ensure!(!is_empty, "{name} holds no game; expected PGN, XQF, DhtmlXQ, CBR, CBL or CBF");
    Ok(collection)
}

fn write(game: &Game, arguments: &Arguments) -> String {
    let plain = arguments.plain.then(|| game.plain());
    let game = plain.as_ref().unwrap_or(game);
    match arguments.format {
        Format::Pgn => write_pgn(game, arguments.notation),
        Format::Dhtmlxq => write_dhtmlxq(game),
    }
}
