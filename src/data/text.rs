//! `cannonade data text`: games and samples as lines of text, and games read from them.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use cannonade_training::{DataFile, PackedBoard, Sample, game_from_text, game_to_text};
use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;

use super::games::{games_of, replace, replace_games};
use crate::Failure;
use crate::output::print_error;

pub(super) fn text(
    files: &[PathBuf],
    output: Option<&Path>,
    notation: Notation,
) -> Result<(), Failure> {
    match output {
        Some(path) => {
            let name = path.display().to_string();
            replace(path, |file| write_text(files, notation, &mut BufWriter::new(file), &name))
        }
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write_text(files, notation, &mut out, "standard output")
        }
    }
}

/// Writes the games and samples of the files; `name` is that of the output, for errors.
fn write_text(
    files: &[PathBuf],
    notation: Notation,
    out: &mut impl Write,
    name: &str,
) -> Result<(), Failure> {
    let cannot_write = || format!("cannot write {name}");
    for file in files {
        match DataFile::open(file).map_err(Failure::input)? {
            DataFile::Samples(samples) => {
                for sample in samples {
                    writeln!(out, "{}", sample_text(&sample)).with_context(cannot_write)?;
                }
            }
            DataFile::Games(reader) => games_of(file, reader, |game| {
                match game_to_text(&game, notation) {
                    Ok(line) => writeln!(out, "{line}").with_context(cannot_write)?,
                    Err(error) => print_error(format_args!("warning: {error}")),
                }
                Ok(())
            })?,
        }
    }
    Ok(out.flush().with_context(cannot_write)?)
}

/// Returns a sample as `FEN;score;result;ply`; the side to move is Red.
fn sample_text(sample: &Sample) -> String {
    let position = |packed: &PackedBoard| {
        let mut board = packed.unpack()?;
        board.set_side(Color::Red);
        Position::from_board(board, 0).ok()
    };
    let fen = position(&sample.board).map_or_else(|| "damaged".to_owned(), |p| p.fen());
    format!("{fen};{};{};{}", sample.score, f32::from(sample.result) / 2.0, sample.ply)
}

pub(super) fn parse(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let mut games = 0u64;
    replace_games(output, |writer| {
        each_text_line(files, |line| {
            writer.write(&game_from_text(line)?)?;
            games += 1;
            Ok(())
        })
    })?;
    Ok(writeln!(io::stdout().lock(), "{games} games")?)
}

/// Calls `read` with each line that is not empty; an error names the file and the line.
pub(super) fn each_text_line(
    files: &[PathBuf],
    mut read: impl FnMut(&str) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    for file in files {
        let opened = File::open(file)
            .with_context(|| format!("cannot open {}", file.display()))
            .map_err(Failure::input)?;
        for (number, bytes) in BufReader::new(opened).split(b'\n').enumerate() {
            let bytes = bytes
                .with_context(|| format!("cannot read {}", file.display()))
                .map_err(Failure::Input)?;
            let line = String::from_utf8(bytes)
                .map_err(|_| anyhow!("the text is not UTF-8; convert the file to UTF-8"));
            // Editors of Windows begin a file with a byte order mark.
            let line = line.map(|line| line.trim_start_matches('\u{feff}').to_owned());
            line.and_then(|line| if line.trim().is_empty() { Ok(()) } else { read(&line) })
                .with_context(|| format!("{}, line {}", file.display(), number + 1))
                .map_err(Failure::Input)?;
        }
    }
    Ok(())
}
