//! `cannonade board`: a picture of a position.

use std::io::Write as _;
#[cfg(feature = "png")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "png")]
use anyhow::{Context as _, anyhow};
use clap::Args;

use super::Failure;
use super::flags::{PositionFlags, whole};
use super::output::Output;
use crate::pictures::{
    Arrow, BoardPicture, CoordinateStyle, Mark, PieceSet, TextStyle, Theme, svg, text,
};

#[derive(Args)]
#[command(after_help = "\
Without a form the board is printed as text. Several forms can be written at once; `-` is standard
output. The pictures need no font.

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
    /// What stands on the discs: chinese, simplified, latin or symbols
    #[arg(long, default_value_t)]
    pieces: PieceSet,
    /// The names at the edges: 0-9, 1-10, chinese or none
    #[arg(long, default_value_t)]
    coordinates: CoordinateStyle,
    /// Draw an arrow, such as h2e2 or h2e2:chase:1 (kinds best, other, chase, protect; a label)
    #[arg(long, value_name = "ARROW")]
    arrow: Vec<Arrow>,
    /// Mark a square, such as e4 or e4:victim (kinds plain, chaser, victim, protector; a label)
    #[arg(long, value_name = "MARK")]
    mark: Vec<Mark>,
    /// Show the board with Black below
    #[arg(long)]
    flip: bool,
    /// The colours: light or dark
    #[arg(long, default_value_t)]
    theme: Theme,
    /// Mark the squares of the last of the moves
    #[arg(long, requires = "moves")]
    last_move: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let picture = picture(arguments).map_err(Failure::Input)?;
    #[cfg(feature = "png")]
    if [&arguments.svg, &arguments.png].iter().all(|path| path.as_deref() == Some(Path::new("-"))) {
        let message = "--svg - and --png - would both go to standard output; name a file for one";
        return Err(Failure::Input(anyhow!(message)));
    }
    let mut output = Output::new();
    let mut is_written = false;
    if let Some(path) = &arguments.svg {
        output.file(path, svg(&picture).as_bytes())?;
        is_written = true;
    }
    #[cfg(feature = "png")]
    if let Some(path) = &arguments.png {
        let bytes = crate::pictures::png(&picture, arguments.width).context("--png")?;
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

fn picture(arguments: &Arguments) -> anyhow::Result<BoardPicture> {
    let position = arguments.position.position()?;
    Ok(BoardPicture {
        last_move: position.state().mv.filter(|_| arguments.last_move),
        arrows: arguments.arrow.clone(),
        marks: arguments.mark.clone(),
        flipped: arguments.flip,
        pieces: arguments.pieces,
        coordinates: arguments.coordinates,
        theme: arguments.theme,
        ..BoardPicture::new(position.board().clone())
    })
}
