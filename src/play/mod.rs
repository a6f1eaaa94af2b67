//! `cannonade play`: a person plays in the terminal.

mod board;
mod game;
mod session;
mod words;

use std::path::PathBuf;

use board::{BoardStyle, Letters, has_colors};
use cannonade_tables::OpenedTables;
use clap::{Args, ColorChoice, ValueEnum};
use game::TerminalGame;
use session::TerminalSession;
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::Language;
use xiangqi::rules::{Regulations, RuleSet};

use super::Failure;
use super::flags::{PositionFlags, decimal, warn_of_tables, whole_from, within_bounds};
use super::output::check_files;

/// The level of full strength.
const FULL_LEVEL: u32 = 20;
const DEFAULT_LEVEL: u32 = 5;
/// The maximum time for a move, in seconds.
const DEFAULT_MOVE_TIME: f64 = 2.0;
const DEFAULT_THREADS: u32 = 1;
const DEFAULT_HASH: u32 = 16;

#[derive(Args)]
#[command(after_help = "\
Type a move in any notation (h2e2, C2=5, 炮二平五) or a command; 'help' lists them. Ctrl-C stops
the engine's thinking; on your turn it ends the program, as 'quit' does.

Examples:
  cannonade play                                   # Red against level 5
  cannonade play --side black --level 12
  cannonade play --level full --movetime 10        # up to ten seconds per move
  cannonade play --language zh                     # all in Chinese
  cannonade play --save game.pgn                   # save the game when you leave
  cannonade play --load game.pgn --save game.pgn   # continue it")]
pub(super) struct Arguments {
    /// The side that you play [default: red, with --load the side of `Player` in the file]
    #[arg(long, value_enum)]
    side: Option<SideChoice>,
    /// Language of the messages: en or zh
    #[arg(long, default_value_t)]
    language: Language,
    /// The strength of the engine: a level from 0 (beginner) to 19, or 20 or `full` for full
    /// strength
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = parse_level)]
    level: u32,
    /// Maximum time of the engine for a move, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MOVE_TIME, value_parser = decimal::<f64>(0.01..=86_400.0))]
    movetime: f64,
    /// Number of search threads of the engine
    #[arg(long, value_name = "N", default_value_t = DEFAULT_THREADS, value_parser = within_bounds("Threads"))]
    threads: u32,
    /// Size of the engine's transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH, value_parser = within_bounds("Hash"))]
    hash: u32,
    #[command(flatten)]
    position: PositionFlags,
    /// Continue the first game of this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    load: Option<PathBuf>,
    /// Save the game to this file when you leave. An existing file must be the one of --load
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The letters of the pieces [default: those of the language, Latin or Chinese]
    #[arg(long, value_enum)]
    letters: Option<Letters>,
    /// Notation of moves: uci, iccs, uci10, wxf, chinese, traditional or algebraic [default: the
    /// one that fits the letters]
    #[arg(long)]
    notation: Option<Notation>,
    /// Draw the board without lines
    #[arg(long)]
    compact: bool,
    /// Colours: auto is yes on a terminal unless NO_COLOR is set
    #[arg(long, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,
    /// The rules for repetitions: WXF, AXF, CXA, Computer, CheckOnly or None
    #[arg(long, default_value_t)]
    rules: RuleSet,
    /// Seed of the oversights of levels below full strength: the same seed gives the same answers;
    /// 0 takes another one each time
    #[arg(long, default_value_t = 0, value_parser = whole_from::<u32>(0))]
    seed: u32,
}

/// The side that the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SideChoice {
    /// Red, who begins
    Red,
    /// Black
    Black,
    /// Both: two people, or a board to try moves on
    Both,
}

impl SideChoice {
    /// Returns the side, if it is one.
    fn color(self) -> Option<Color> {
        match self {
            SideChoice::Red => Some(Color::Red),
            SideChoice::Black => Some(Color::Black),
            SideChoice::Both => None,
        }
    }

    /// Returns whether the person plays this side.
    fn includes(self, side: Color) -> bool {
        self.color().is_none_or(|own| own == side)
    }
}

/// Reads a level: a number from 0 to 20, or `full`, also in Chinese.
fn parse_level(text: &str) -> Result<u32, String> {
    let level = match text.trim().to_lowercase().as_str() {
        "full" | "最强" | "最強" => Some(FULL_LEVEL),
        number => number.parse().ok().filter(|&level| level <= FULL_LEVEL),
    };
    level.ok_or_else(|| format!("'{text}' is not a level; expected 0 (beginner) to 20, or full"))
}

/// Returns the name of a value of a flag.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

impl Arguments {
    /// Returns the letters of the pieces: the chosen ones, or those of the language.
    fn letters(&self) -> Letters {
        let of_language = match self.language {
            Language::Chinese => Letters::Chinese,
            _ => Letters::Latin,
        };
        self.letters.unwrap_or(of_language)
    }

    /// Returns the notation of moves: the chosen one, or the one that fits the letters.
    fn notation(&self) -> Notation {
        self.notation.unwrap_or(match self.letters() {
            Letters::Latin => Notation::Uci,
            Letters::Chinese => Notation::Chinese,
            Letters::Traditional => Notation::Traditional,
        })
    }

    /// Returns the flags of a command line with the same settings, this side and this level,
    /// without defaults and files.
    fn flags(&self, side: SideChoice, level: u32) -> String {
        let level_name = if level == FULL_LEVEL { "full".to_owned() } else { level.to_string() };
        let movetime = self.movetime;
        let flags = [
            (side != SideChoice::Red).then(|| format!("--side {}", name(&side))),
            (level != DEFAULT_LEVEL).then(|| format!("--level {level_name}")),
            (movetime.to_bits() != DEFAULT_MOVE_TIME.to_bits())
                .then(|| format!("--movetime {movetime}")),
            (self.language != Language::default()).then(|| format!("--language {}", self.language)),
            self.letters.map(|letters| format!("--letters {}", name(&letters))),
            self.notation.map(|notation| format!("--notation {}", notation.name())),
            self.compact.then(|| "--compact".to_owned()),
            (self.rules != RuleSet::default()).then(|| format!("--rules {}", self.rules)),
            (self.seed != 0).then(|| format!("--seed {}", self.seed)),
            (self.threads != DEFAULT_THREADS).then(|| format!("--threads {}", self.threads)),
            (self.hash != DEFAULT_HASH).then(|| format!("--hash {}", self.hash)),
        ];
        flags.into_iter().flatten().map(|flag| format!(" {flag}")).collect()
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let regulations = Regulations::of(arguments.rules);
    let game = match &arguments.load {
        Some(path) => TerminalGame::load(path, regulations).map_err(Failure::Input)?,
        None => {
            let (start, moves) = arguments.position.start_and_moves().map_err(Failure::Input)?;
            TerminalGame::new(start, &moves, regulations)
        }
    };
    if let Some(path) = &arguments.save {
        game.check_target(path).map_err(Failure::Input)?;
        check_files(&[] as &[PathBuf], &[path])?;
    }
    let side = arguments.side.or(game.side_of_person()).unwrap_or(SideChoice::Red);
    let style = BoardStyle {
        letters: arguments.letters(),
        compact: arguments.compact,
        colored: has_colors(arguments.color),
        flipped: side == SideChoice::Black,
    };
    warn_of_tables(&OpenedTables::of_user());
    TerminalSession::new(arguments, game, side, style)?.run()
}
