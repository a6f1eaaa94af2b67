//! `cannonade play`: a person plays in the terminal.

mod answers;
mod board_view;
mod clock;
mod colors;
#[cfg_attr(target_family = "wasm", path = "no_editing.rs")]
mod editing;
mod ending;
mod game;
mod keeping;
mod level;
mod line_editor;
mod move_times;
mod opponent;
mod request;
mod session;
mod setup;
mod side_choice;
mod terminal;
mod terminal_mode;
mod typed;
mod wording;

use std::path::PathBuf;

use board_view::{BoardStyle, Letters};
use cannonade_game::ClockControl;
use cannonade_tables::OpenedTables;
use clap::{Args, ColorChoice};
use colors::TerminalColors;
use game::TerminalGame;
use level::DEFAULT_LEVEL;
use opponent::Opponent;
use session::TerminalSession;
use setup::{DEFAULT_HASH, DEFAULT_MOVE_TIME, DEFAULT_THREADS, PlaySetup, default_letters};
use side_choice::SideChoice;
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::Language;
use xiangqi::rules::{Regulations, RuleSet};

use super::Failure;
use super::flags::{PositionFlags, decimal, warn_of_tables, whole_from, within_bounds};

#[derive(Args)]
#[command(after_help = "\
Type a move in any notation (h2e2, C2=5, 炮二平五) or a command; 'help' lists them. Ctrl-C stops
the engine's thinking; pressed twice it ends the program.

Examples:
  cannonade play                                   # Red against level 5
  cannonade play --side black --level 12
  cannonade play --level full --time 15+10         # fifteen minutes and ten seconds per move
  cannonade play --language zh                     # all in Chinese
  cannonade play --load game.pgn                   # continue a game")]
pub(super) struct Arguments {
    /// The side that you play [default: red, with --load the side of `Player` in the file]
    #[arg(long, value_enum)]
    side: Option<SideChoice>,
    /// Language of the messages: en or zh
    #[arg(long, default_value_t)]
    language: Language,
    /// The strength of the engine: a level from 0 (beginner) to 19, or 20 or `full` for full
    /// strength
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = level::parse_level)]
    level: u32,
    /// Maximum time of the engine for a move without a clock, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MOVE_TIME, value_parser = decimal::<f64>(0.01..=86_400.0))]
    movetime: f64,
    /// A clock for both sides: minutes, for the game or for each MOVES moves, and seconds added for
    /// each move [default: none, with --load the clocks of the file]
    #[arg(long, value_name = "[MOVES/]MINUTES[+SECONDS]", value_parser = clock::parse_time)]
    time: Option<ClockControl>,
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

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let regulations = Regulations::of(arguments.rules);
    let (game, rest) = match &arguments.load {
        Some(path) => {
            let loaded =
                TerminalGame::load(path, regulations, arguments.time).map_err(Failure::Input)?;
            (loaded.game, Some((path, loaded.rest)))
        }
        None => (first_game(arguments, regulations).map_err(Failure::Input)?, None),
    };
    let side = arguments.side.or(game.side_of_person()).unwrap_or(SideChoice::Red);
    let style = BoardStyle {
        letters: arguments.letters.unwrap_or(default_letters(arguments.language)),
        compact: arguments.compact,
        colors: TerminalColors::chosen(arguments.color),
        flipped: side == SideChoice::Black,
    };
    let setup = PlaySetup {
        side,
        language: arguments.language,
        style,
        notation: arguments.notation,
        time: arguments.time,
        move_time: arguments.movetime,
        rules: arguments.rules,
        seed: arguments.seed,
        threads: arguments.threads,
        hash_mib: arguments.hash,
    };
    warn_of_tables(&OpenedTables::of_user());
    let opponent = Opponent::new(arguments.level, &setup).map_err(Failure::input)?;
    let mut session = TerminalSession::new(game, opponent, setup);
    if let Some((path, rest)) = rest {
        session.note_rest_of_file(path, &rest);
    }
    session.run()
}

fn first_game(arguments: &Arguments, regulations: Regulations) -> anyhow::Result<TerminalGame> {
    let (start, moves) = arguments.position.start_and_moves()?;
    Ok(TerminalGame::new(start, &moves, regulations, arguments.time))
}
