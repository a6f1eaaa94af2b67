//! `cannonade board`: pictures of a position, or of games.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, anyhow, ensure};
use clap::Args;
use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::pictures::{
    Arrow, BoardPicture, CoordinateStyle, Mark, PieceSet, TextStyle, Theme, svg, text,
};
use xiangqi::records::Game;

use super::flags::PositionFlags;
#[cfg(feature = "png")]
use super::flags::whole;
use super::input::SoundGames;
use super::output::{Output, check_outputs, is_stdout, numbered_paths, print_error};
use super::{Failure, input};

#[derive(Args)]
#[command(after_help = "\
Without a format the board is printed as text. You can write several formats at once; use `-` to
send one of them to standard output. The pictures need no font.

Of a game file the last position is drawn, or that after a move. Several games or positions are
written to files with numbers: --svg game.svg writes game-1.svg, game-2.svg and so on.

Examples:
  cannonade board --moves 'h2e2 h9g7' --svg board.svg --last-move
  cannonade board --fen '3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w' --png - > board.png
  cannonade board --arrow h2e2 --arrow h7e7:other --mark e6:victim --svg board.svg
  cannonade board game.pgn --move 15 --last-move --svg board.svg
  cannonade board game.xqf --every-move --png move.png
  cannonade board --flip --coordinates chinese --pieces simplified --theme dark --svg board.svg")]
pub(super) struct Arguments {
    /// Game files of any kind that `convert` reads; `-` is standard input
    #[arg(conflicts_with_all = ["fen", "moves"])]
    games: Vec<PathBuf>,
    #[command(flatten)]
    position: PositionFlags,
    /// Draw the position after this move of both sides, such as 15; 15r is after Red's move
    #[arg(long = "move", value_name = "NUMBER", requires = "games", conflicts_with = "every_move")]
    after: Option<AfterMove>,
    /// Draw every position of the games
    #[arg(long, requires = "games")]
    every_move: bool,
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
    /// Mark the squares of the last move
    #[arg(long)]
    last_move: bool,
}

/// The number of a move of a game, and the side that has made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct MoveNumber {
    number: u32,
    side: Color,
}

/// The move after which a position is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct AfterMove {
    mv: MoveNumber,
    /// True if Red's move will do where the game ends with it.
    is_of_both: bool,
}

impl FromStr for AfterMove {
    type Err = String;

    fn from_str(text: &str) -> Result<AfterMove, String> {
        let of = |side: char| text.strip_suffix([side, side.to_ascii_uppercase()]);
        let (digits, side) = match (of('r'), of('b')) {
            (Some(digits), _) => (digits, Some(Color::Red)),
            (None, Some(digits)) => (digits, Some(Color::Black)),
            (None, None) => (text, None),
        };
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|&number| is_number && number > 0);
        let number = number.ok_or("expected the number of a move, such as 15, 15r or 15b")?;
        let mv = MoveNumber { number, side: side.unwrap_or(Color::Black) };
        Ok(AfterMove { mv, is_of_both: side.is_none() })
    }
}

/// A position to draw, and what it is of.
struct Drawing {
    title: String,
    position: Position,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Drawings { drawings, games, left_out } = drawings(arguments).map_err(Failure::Input)?;
    if arguments.last_move && drawings.iter().all(|one| one.position.state().mv.is_none()) {
        let error = anyhow!("--last-move: there is no move; give --moves, or a game with moves");
        return Err(Failure::Input(error));
    }
    let svgs = paths(arguments.svg.as_deref(), drawings.len()).context("--svg");
    let svgs = svgs.map_err(Failure::Input)?;
    #[cfg(feature = "png")]
    let pngs = paths(arguments.png.as_deref(), drawings.len()).context("--png");
    #[cfg(feature = "png")]
    let pngs = pngs.map_err(Failure::Input)?;
    #[cfg(not(feature = "png"))]
    let pngs: Vec<PathBuf> = Vec::new();
    check_forms(arguments, [&svgs, &pngs])?;
    let mut output = Output::new();
    for (index, drawing) in drawings.iter().enumerate() {
        let picture = picture(arguments, &drawing.position);
        if let Some(path) = svgs.get(index) {
            output.file(path, svg(&picture).as_bytes())?;
        }
        #[cfg(feature = "png")]
        if let Some(path) = pngs.get(index) {
            let bytes = xiangqi::pictures::png(&picture, arguments.width).context("--png")?;
            output.file(path, &bytes)?;
        }
        let is_written = !(svgs.is_empty() && pngs.is_empty());
        let style = match (arguments.ascii, arguments.text || !is_written) {
            (true, _) => TextStyle::Ascii,
            (false, true) => TextStyle::Unicode,
            (false, false) => continue,
        };
        if drawings.len() > 1 {
            let blank = if index > 0 { "\n" } else { "" };
            output.line(format_args!("{blank}{}", drawing.title));
        }
        output.write_all(text(&picture, style).as_bytes())?;
    }
    output.finish()?;
    SoundGames::check_complete("drawn", games, left_out)
}

/// Returns the files of a form of picture: one, or with numbers if there are several drawings.
fn paths(path: Option<&Path>, drawings: usize) -> anyhow::Result<Vec<PathBuf>> {
    match path {
        None => Ok(Vec::new()),
        Some(path) if drawings == 1 => Ok(vec![path.to_owned()]),
        Some(path) => {
            ensure!(!is_stdout(path), "{drawings} pictures need files; give a name, not '-'");
            numbered_paths(path, drawings)
        }
    }
}

/// What is drawn.
struct Drawings {
    drawings: Vec<Drawing>,
    /// The number of games drawn.
    games: usize,
    /// The number of games that are left out for their defects.
    left_out: usize,
}

/// Returns the position of the flags, or those of the games.
fn drawings(arguments: &Arguments) -> anyhow::Result<Drawings> {
    if arguments.games.is_empty() {
        let position = arguments.position.recorded_position()?;
        if let Some(defect) = position.defect() {
            print_error(format_args!("warning: --fen: {defect}"));
        }
        let drawings = vec![Drawing { title: String::new(), position }];
        return Ok(Drawings { drawings, games: 0, left_out: 0 });
    }
    let (mut drawings, mut games, mut left_out) = (Vec::new(), 0, 0);
    for path in &arguments.games {
        let sound = input::sound_games(input::read_collection(path)?, path)?;
        games += sound.games.len();
        left_out += sound.left_out;
        for (number, game) in sound.games {
            let title = format!("{}, game {number}", input::name(path));
            drawings.extend(drawings_of(&game, &title, arguments)?);
        }
    }
    Ok(Drawings { drawings, games, left_out })
}

/// Returns the positions of a game that are to be drawn.
fn drawings_of(game: &Game, title: &str, arguments: &Arguments) -> anyhow::Result<Vec<Drawing>> {
    let drawing = |position: Position| {
        let title = match (position.state().mv, last_move_number(&position)) {
            (Some(mv), Some(MoveNumber { number, side })) => {
                format!("{title}, move {number} ({}): {mv}", side.name())
            }
            _ => format!("{title}, start"),
        };
        Drawing { title, position }
    };
    if arguments.every_move {
        return Ok(game.positions().map(|(_, position)| drawing(position)).collect());
    }
    let last = game.last_position();
    let Some(wanted) = arguments.after else { return Ok(vec![drawing(last)]) };
    let mut positions = game.positions().map(|(_, position)| position);
    let found = positions.find(|position| last_move_number(position) == Some(wanted.mv));
    let of_red = MoveNumber { side: Color::Red, ..wanted.mv };
    let last_move = last_move_number(&last);
    let is_last = wanted.is_of_both && last_move == Some(of_red);
    let found = found.or(is_last.then_some(last)).with_context(|| {
        let side = if wanted.is_of_both { "" } else { &format!(" of {}", wanted.mv.side.name()) };
        let (number, last) = (wanted.mv.number, last_move.map_or(0, |mv| mv.number));
        format!("--move: {title} has no move {number}{side}; its last is move {last}")
    })?;
    Ok(vec![drawing(found)])
}

/// Returns the number of the move that has led to a position, and its side.
fn last_move_number(position: &Position) -> Option<MoveNumber> {
    position.state().mv?;
    let side = !position.side();
    let number = position.move_number().saturating_sub(u32::from(side == Color::Black));
    Some(MoveNumber { number, side })
}

/// Refuses two forms that would share an output, and files that cannot be written.
///
/// # Errors
///
/// If two forms go to standard output or to one file, or a file cannot be written.
fn check_forms(arguments: &Arguments, files: [&[PathBuf]; 2]) -> Result<(), Failure> {
    let pictures = ["--svg", "--png"].into_iter().zip(files);
    let is_printed = |(_, paths): &(&str, &[PathBuf])| paths.iter().any(|path| is_stdout(path));
    let mut printed: Vec<String> =
        pictures.filter(is_printed).map(|(flag, _)| format!("{flag} -")).collect();
    printed.extend(arguments.text.then(|| "--text".to_owned()));
    printed.extend(arguments.ascii.then(|| "--ascii".to_owned()));
    if let [first, second, ..] = &printed[..] {
        return Err(Failure::Input(anyhow!(
            "{first} and {second} would both go to standard output; give only one of them, or a \
             file for a picture"
        )));
    }
    let files: Vec<&Path> = files.into_iter().flatten().map(PathBuf::as_path).collect();
    check_outputs(&arguments.games, &files)
}

fn picture(arguments: &Arguments, position: &Position) -> BoardPicture {
    let mut picture = BoardPicture::new(position.board().clone());
    picture.last_move = position.state().mv.filter(|_| arguments.last_move);
    picture.arrows.clone_from(&arguments.arrow);
    picture.marks.clone_from(&arguments.mark);
    picture.flipped = arguments.flip;
    picture.pieces = arguments.pieces;
    picture.coordinates = arguments.coordinates;
    picture.theme = arguments.theme;
    picture
}
