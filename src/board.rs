//! `cannonade board`: a picture of a position.

use std::io::Write as _;
use std::path::{Path, PathBuf};

#[cfg(feature = "png")]
use anyhow::Context as _;
use anyhow::anyhow;
use clap::Args;
use xiangqi::pictures::{
    Arrow, BoardPicture, CoordinateStyle, Mark, PieceSet, TextStyle, Theme, svg, text,
};

use super::Failure;
use super::flags::PositionFlags;
#[cfg(feature = "png")]
use super::flags::whole;
use super::output::{Output, check_outputs, print_error};

#[derive(Args)]
#[command(after_help = "\
Without a format the board is printed as text. Several formats can be written at once, one of them
to standard output, which is `-`. The pictures need no font.

Examples:
  cannonade board --moves 'h2e2 h9g7' --svg board.svg --last-move
  cannonade board --fen '3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w' --png - > board.png
  cannonade board --arrow h2e2 --arrow h7e7:other --mark e6:victim --svg board.svg
  cannonade board --flip --coordinates chinese --pieces simplified --theme dark --svg board.svg")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionFlags,
    /// Write an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write a PNG file
    #[cfg(feature = "png")]
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// The width of the PNG in pixels
    #[cfg(feature = "png")]
    #[arg(long, value_name = "PIXELS", default_value_t = 976, requires = "png")]
    #[arg(value_parser = whole::<u32>(16..=8000))]
    width: u32,
    /// Print the board with Chinese characters and box-drawing characters; this is the default
    #[arg(long)]
    text: bool,
    /// Print the board in ASCII
    #[arg(long)]
    ascii: bool,
    /// Signs on the discs: chinese, simplified, filled, lettered, latin or symbols
    #[arg(long, default_value_t)]
    pieces: PieceSet,
    /// The names at the edges: 0-9, 1-10, files, chinese or none
    #[arg(long, default_value_t)]
    coordinates: CoordinateStyle,
    /// Draw an arrow, such as h2e2 or h2e2:chase:1 (kinds best, other, chase, protect, note; a
    /// label of at most three of the characters 0-9, a-i, ?, !, +, -, # and 一-九); not in text
    #[arg(long, value_name = "ARROW")]
    arrow: Vec<Arrow>,
    /// Mark a square, such as e4 or e4:victim:1 (kinds plain, chaser, victim, protector, note; a
    /// label as for arrows)
    #[arg(long, value_name = "MARK")]
    mark: Vec<Mark>,
    /// Show the board with Black below
    #[arg(long)]
    flip: bool,
    /// The colours: light, dark, paper or jade
    #[arg(long, default_value_t)]
    theme: Theme,
    /// Mark the squares of the last of the moves
    #[arg(long, requires = "moves")]
    last_move: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let picture = picture(arguments).map_err(Failure::Input)?;
    check_forms(arguments)?;
    let mut output = Output::new();
    let mut is_written = false;
    if let Some(path) = &arguments.svg {
        output.file(path, svg(&picture).as_bytes())?;
        is_written = true;
    }
    #[cfg(feature = "png")]
    if let Some(path) = &arguments.png {
        let bytes = xiangqi::pictures::png(&picture, arguments.width).context("--png")?;
        output.file(path, &bytes)?;
        is_written = true;
    }
    if arguments.ascii {
        output.write_all(text(&picture, TextStyle::Ascii).as_bytes())?;
    }
    if arguments.text || !(is_written || arguments.ascii) {
        output.write_all(text(&picture, TextStyle::Unicode).as_bytes())?;
    }
    output.finish()
}

/// Refuses two forms that would share an output, and files that cannot be written.
///
/// # Errors
///
/// If two forms go to standard output or to one file, or a file cannot be written.
fn check_forms(arguments: &Arguments) -> Result<(), Failure> {
    let pictures = [
        ("--svg", arguments.svg.as_deref()),
        #[cfg(feature = "png")]
        ("--png", arguments.png.as_deref()),
    ];
    let is_stdout = |path: Option<&Path>| path == Some(Path::new("-"));
    let mut printed: Vec<String> = Vec::new();
    printed.extend(
        pictures.iter().filter(|(_, path)| is_stdout(*path)).map(|(flag, _)| format!("{flag} -")),
    );
    printed.extend(arguments.text.then(|| "--text".to_owned()));
    printed.extend(arguments.ascii.then(|| "--ascii".to_owned()));
    if let [first, second, ..] = &printed[..] {
        return Err(Failure::Input(anyhow!(
            "{first} and {second} would both go to standard output; give only one of them, or a \
             file for a picture"
        )));
    }
    let none: [&Path; 0] = [];
    let files: Vec<&Path> = pictures.iter().filter_map(|(_, path)| *path).collect();
    check_outputs(none, &files)
}

fn picture(arguments: &Arguments) -> anyhow::Result<BoardPicture> {
    let position = arguments.position.recorded_position()?;
    if let Some(defect) = position.defect() {
        print_error(format_args!("warning: --fen: {defect}"));
    }
    let mut picture = BoardPicture::new(position.board().clone());
    picture.last_move = position.state().mv.filter(|_| arguments.last_move);
    picture.arrows.clone_from(&arguments.arrow);
    picture.marks.clone_from(&arguments.mark);
    picture.flipped = arguments.flip;
    picture.pieces = arguments.pieces;
    picture.coordinates = arguments.coordinates;
    picture.theme = arguments.theme;
    Ok(picture)
}
