//! `cannonade play`: a person plays in the terminal.

mod answers;
mod board_view;
mod clock;
mod colors;
mod game;
mod keeping;
mod opponent;
mod request;
mod session;
mod setup;
mod side_choice;
mod terminal;
mod wording;

use std::path::PathBuf;

use clap::{Args, ColorChoice};
use xiangqi::notation::Notation;
use xiangqi::rules::{Regulations, RuleSet};

use super::Failure;
use super::flags::{PositionFlags, decimal, whole_from, within_bounds};
use crate::game::ClockControl;
use board_view::{BoardStyle, Letters};
use colors::TerminalColors;
use game::TerminalGame;
use opponent::Opponent;
use session::TerminalSession;
use setup::{DEFAULT_HASH, DEFAULT_LEVEL, DEFAULT_MOVE_TIME, DEFAULT_THREADS, PlaySetup};
use side_choice::SideChoice;

#[derive(Args)]
#[command(after_help = "\
Type a move in any notation (h2e2, C2=5, 炮二平五) or a command; 'help' lists them. Ctrl-C stops
the engine's thinking; pressed twice it ends the program.

Examples:
  cannonade play                                   Red against level 5
  cannonade play --side black --level 12
  cannonade play --level full --time 15+10         fifteen minutes and ten seconds per move
  cannonade play --letters chinese                 a board and moves in Chinese
  cannonade play --load game.pgn                   continue a game")]
pub(super) struct Arguments {
    /// The side that you play
    #[arg(long, value_enum, default_value_t = SideChoice::Red)]
    side: SideChoice,
    /// The strength of the engine: a level from 0 (beginner) to 19, or 20 or `full` for full strength
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = opponent::parse_level)]
    level: u32,
    /// The longest time that the engine takes for a move when there is no clock, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_MOVE_TIME, value_parser = decimal::<f64>(0.01..=86_400.0))]
    movetime: f64,
    /// A clock for both sides: minutes, and seconds added for each move
    #[arg(long, value_name = "MINUTES[+SECONDS]", value_parser = clock::parse_time)]
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
    /// The letters of the pieces
    #[arg(long, value_enum, default_value_t = Letters::Latin)]
    letters: Letters,
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
    /// Seed of the oversights of levels below full strength, so that a game can be played again; 0
    /// takes another one each time
    #[arg(long, default_value_t = 0, value_parser = whole_from::<u32>(0))]
    seed: u32,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let regulations = Regulations::of(arguments.rules);
    let (game, count) = match &arguments.load {
        Some(path) => {
            TerminalGame::load(path, regulations, arguments.time).map_err(Failure::Input)?
        }
        None => (first_game(arguments, regulations).map_err(Failure::Input)?, 1),
    };
    let style = BoardStyle {
        letters: arguments.letters,
        compact: arguments.compact,
        colors: TerminalColors::chosen(arguments.color),
        flipped: arguments.side == SideChoice::Black,
    };
    let setup = PlaySetup {
        side: arguments.side,
        style,
        notation: arguments.notation,
        time: arguments.time,
        move_time: arguments.movetime,
        rules: arguments.rules,
        seed: arguments.seed,
        threads: arguments.threads,
        hash_mib: arguments.hash,
    };
    let opponent = Opponent::new(arguments.level, &setup).map_err(Failure::input)?;
    let mut session = TerminalSession::new(game, opponent, setup);
    if let Some(path) = &arguments.load {
        session.note_other_games(path, count);
    }
    session.run()
}

fn first_game(arguments: &Arguments, regulations: Regulations) -> anyhow::Result<TerminalGame> {
    let (start, moves) = arguments.position.start_and_moves()?;
    Ok(TerminalGame::new(start, &moves, regulations, arguments.time))
}
