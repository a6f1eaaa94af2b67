//! `cannonade convert`: game files of any kind into another kind.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use xiangqi::notation::Notation;
use xiangqi::pictures::{BoardPicture, svg};
use xiangqi::records::{FileKind, Game, TextEncoding, write};

use super::output::{Output, check_outputs};
use super::{Failure, input};

#[derive(Args)]
#[command(after_help = "\
Reads PGN with moves in any notation, XQF, DhtmlXQ, CBR, CBL, CBF, WXF, lists of games, FENs and
'position' commands; kind and encoding are recognised by content. A defect is reported with file,
game, line and move; the moves before it and all other games are converted, and the exit code is 1.
If no game can be read, nothing is written, and the exit code is 2.

A file of the kinds xqf, cbr and cbf and a picture hold one game; several games become files with
numbers: -o game.xqf writes game-1.xqf, game-2.xqf and so on.

A single input without a defect may be the output. Otherwise an output that is an input is refused.

Examples:
  cannonade convert game.xqf                                   # as PGN with ICCS moves
  cannonade convert *.xqf *.cbl -o all.pgn --notation chinese
  cannonade convert game.pgn -o game.xqf                       # for Xiangqi Wizard
  cannonade convert game.pgn --notation algebraic --plain      # for XBoard
  cannonade convert game.pgn --format dhtmlxq                  # for web boards
  cannonade convert endings.fen -o ending.svg                  # a picture of each position")]
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
    /// Kind of the output: pgn, dhtmlxq, xqf, cbr, cbf, list, position or fen [default: by the
    /// extension of the output, which may be svg or png for a picture of the last position, else
    /// pgn]
    #[arg(long, value_name = "KIND")]
    format: Option<FileKind>,
    /// Encoding of the output: utf-8, gb18030, big5, utf-16le or utf-16be
    #[arg(long, default_value_t)]
    encoding: TextEncoding,
    /// Leave out comments, annotations and variations, which some programs cannot read
    #[arg(long)]
    plain: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut games, mut problems) = (Vec::new(), 0);
    for path in &arguments.files {
        let collection = input::read_collection(path).map_err(Failure::Input)?;
        input::report_defects(path, &collection.problems);
        problems += collection.problems.len();
        let plain = collection.games.into_iter();
        games.extend(plain.map(|game| if arguments.plain { game.plain() } else { game }));
    }
    if games.is_empty() {
        let error = anyhow!("no game can be read, so nothing was written; see the defects above");
        return Err(Failure::Input(error));
    }
    let files = files(&games, arguments).map_err(Failure::Input)?;
    let keeps_all = problems == 0 && files.len() == 1 && arguments.files.len() == 1;
    check_files(&files, if keeps_all { &[] } else { &arguments.files })?;
    let mut out = Output::new();
    for (path, bytes) in &files {
        out.file(path, bytes)?;
    }
    out.finish()?;
    if problems > 0 {
        let count = games.len();
        return Err(anyhow!("games converted: {count}; defects reported above: {problems}").into());
    }
    Ok(())
}

/// Checks before anything is written that the files can be written and that none is an input.
fn check_files(files: &[(PathBuf, Vec<u8>)], inputs: &[PathBuf]) -> Result<(), Failure> {
    // There may be thousands of both.
    let place = |path: &PathBuf| fs::canonicalize(path).ok();
    let inputs: HashMap<PathBuf, &PathBuf> =
        inputs.iter().filter_map(|path| Some((place(path)?, path))).collect();
    for (path, _) in files {
        let input = place(path).and_then(|place| inputs.get(&place).copied());
        check_outputs(input, &[path.as_path()])?;
    }
    Ok(())
}

/// Returns the files to write with their names; `-` is standard output.
///
/// # Errors
/// If the kind of file cannot be written or cannot hold the games.
fn files(games: &[Game], arguments: &Arguments) -> anyhow::Result<Vec<(PathBuf, Vec<u8>)>> {
    let standard_output = || PathBuf::from("-");
    if let (None, Some(path)) = (arguments.format, &arguments.output)
        && let Some(picture) = Picture::of_path(path)
    {
        let paths = numbered_paths(path, games.len(), picture.name())?;
        let files = paths.into_iter().zip(games);
        return files.map(|(path, game)| Ok((path, picture.of(game)?))).collect();
    }
    let kind = match (arguments.format, &arguments.output) {
        (Some(kind), _) => Some(kind),
        (None, Some(path)) => FileKind::of_path(path).with_context(|| input::name(path))?,
        (None, None) => None,
    };
    let kind = kind.unwrap_or(FileKind::Pgn);
    let content = |games| write(games, kind, arguments.notation, arguments.encoding);
    if kind.holds_many() || games.len() < 2 {
        let path = arguments.output.clone().unwrap_or_else(standard_output);
        return Ok(vec![(path, content(games)?)]);
    }
    let path = arguments.output.as_deref().unwrap_or(Path::new("-"));
    let paths = numbered_paths(path, games.len(), kind.name())?;
    let files = paths.into_iter().zip(games.chunks(1));
    files.map(|(path, game)| Ok((path, content(game)?))).collect()
}

/// Returns the names of the files with a game each: with numbers if there are several.
fn numbered_paths(path: &Path, count: usize, kind: &str) -> anyhow::Result<Vec<PathBuf>> {
    if count < 2 {
        return Ok(vec![path.to_owned()]);
    }
    let several = "a file of this kind holds one game: name the files with --output";
    anyhow::ensure!(path != Path::new("-"), "{count} games as {kind}; {several}");
    let name = file_name(path).with_context(|| {
        format!("{}: the names of {count} files cannot be made of this; {several}", path.display())
    })?;
    Ok((1..=count).map(|number| path.with_file_name(numbered(name, number, count))).collect())
}

/// The kinds of pictures, by the extension of the output.
#[derive(Clone, Copy)]
enum Picture {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

impl Picture {
    /// The width of a PNG in pixels.
    #[cfg(feature = "png")]
    const WIDTH: u32 = 976;

    fn of_path(path: &Path) -> Option<Picture> {
        let extension = path.extension()?;
        if extension.eq_ignore_ascii_case("svg") {
            return Some(Picture::Svg);
        }
        #[cfg(feature = "png")]
        if extension.eq_ignore_ascii_case("png") {
            return Some(Picture::Png);
        }
        None
    }

    fn name(self) -> &'static str {
        match self {
            Picture::Svg => "svg",
            #[cfg(feature = "png")]
            Picture::Png => "png",
        }
    }

    /// Returns the picture of the last position of a game, with its last move.
    fn of(self, game: &Game) -> anyhow::Result<Vec<u8>> {
        let position = game.last_position();
        let mut picture = BoardPicture::new(position.board().clone());
        picture.last_move = position.state().mv;
        match self {
            Picture::Svg => Ok(svg(&picture).into_bytes()),
            #[cfg(feature = "png")]
            Picture::Png => Ok(xiangqi::pictures::png(&picture, Picture::WIDTH)?),
        }
    }
}

/// Returns the name of a file that a path ends with; `None` for a folder or device.
fn file_name(path: &Path) -> Option<&OsStr> {
    let is_file = fs::metadata(path).map_or(true, |data| data.is_file());
    // `Path` has a name for `games/` and `games/.` too.
    let ends =
        |name: &&OsStr| path.as_os_str().as_encoded_bytes().ends_with(name.as_encoded_bytes());
    path.file_name().filter(ends).filter(|_| is_file)
}

/// Inserts a number before the extension of a name, with as many digits as the last number has.
fn numbered(name: &OsStr, number: usize, last: usize) -> OsString {
    let width = last.to_string().len();
    let name = Path::new(name);
    let mut numbered = name.file_stem().unwrap_or_default().to_owned();
    numbered.push(format!("-{number:0width$}"));
    if let Some(extension) = name.extension() {
        numbered.push(".");
        numbered.push(extension);
    }
    numbered
}
