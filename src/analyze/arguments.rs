//! The flags of `cannonade analyze`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use cannonade_analysis::ReportOptions;
use clap::{ArgGroup, Args};
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::Language;

use crate::flags::{PositionFlags, decimal, whole, whole_from, within_bounds};

/// The flags that name one position. `files` conflicts with them, so that with one of them clap does
/// not ask for `files`: a flag that needs files must conflict with them itself.
const ONE_POSITION: [&str; 2] = ["fen", "moves"];

#[derive(Args)]
#[command(group(ArgGroup::new("kept").args(["output", "html"]).multiple(true)))]
#[command(after_help = "\
Without a file one position is searched and its lines are shown as a table; scores are in pawns,
from the view of the side to move. With files their games are analysed, each from its last position
to its first: a table of the moves with mistakes and better lines, an annotated PGN (--pgn), JSON
lines (--json) or a page to step through (--html); scores are from Red's view. A file may also hold
FENs, one a line; their scores are from the view of the side to move. Ctrl-C writes what is known;
--resume continues from there. A defect, such as an illegal move, is reported; what can be read is
analysed, and the exit code is 1.

Examples:
  cannonade analyze --time 10 --threads 4
  cannonade analyze --moves 'h2e2 h9g7' --depth 16 --multipv 3
  cannonade analyze --fen '3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w' --nodes 1000000
  cannonade analyze game.xqf --nodes 50000 --notation chinese
  cannonade analyze games.pgn --pgn -o annotated.pgn --concurrency 4 --resume
  cannonade analyze game.pgn --nodes 50000 --html report.html
  echo 'C2=5 H8+7 H2+3' | cannonade analyze - --json")]
pub(crate) struct Arguments {
    /// Game files of any kind, or files of FENs; `-` is standard input
    #[arg(conflicts_with_all = ONE_POSITION)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) position: PositionFlags,
    /// Seconds per position [default: 5 for one position, 1 in games, if there is no other limit]
    #[arg(long, value_name = "S", value_parser = decimal::<f64>(0.0..=31_536_000.0))]
    pub(super) time: Option<f64>,
    /// Depth to search to
    #[arg(long, value_name = "N", value_parser = whole_from::<u32>(1))]
    pub(super) depth: Option<u32>,
    /// Nodes to search per position
    #[arg(long, value_name = "N", value_parser = whole_from::<u64>(1))]
    pub(super) nodes: Option<u64>,
    /// Number of best lines
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = within_bounds("MultiPV"))]
    pub(super) multipv: u32,
    /// Number of search threads per position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within_bounds("Threads"))]
    pub(super) threads: u32,
    /// Size of the transposition table in MiB, for each game analysed at the same time
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = within_bounds("Hash"))]
    pub(super) hash: u32,
    /// Folder of endgame tables, besides the built-in ones; `none`: the built-in ones only
    /// [default: one in the user's data folder]
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Notation of moves: iccs, uci, uci10, wxf, chinese, traditional or algebraic [default: uci,
    /// in pages wxf]
    #[arg(long)]
    notation: Option<Notation>,
    /// Write JSON lines
    #[arg(long, conflicts_with = "pgn")]
    pub(super) json: bool,
    /// Write the games as annotated PGN
    #[arg(long, requires = "files", conflicts_with_all = ONE_POSITION)]
    pub(super) pgn: bool,
    /// Write here instead of to standard output
    #[arg(short, long, value_name = "FILE", requires = "files", conflicts_with_all = ONE_POSITION)]
    pub(super) output: Option<PathBuf>,
    /// Write a report as a page, one HTML file that works without a network; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "files", conflicts_with_all = ONE_POSITION)]
    pub(super) html: Option<PathBuf>,
    /// The language that the page opens with: en or zh
    #[arg(long, default_value_t, requires = "html")]
    pub(super) language: Language,
    /// Continue an interrupted analysis; needs --output or --html
    #[arg(long, requires = "kept")]
    pub(super) resume: bool,
    /// Analyse only these games of the files, by their numbers
    #[arg(long, value_name = "FIRST-LAST", requires = "files", conflicts_with_all = ONE_POSITION)]
    #[arg(value_parser = game_range)]
    pub(super) games: Option<RangeInclusive<usize>>,
    /// Games analysed at the same time
    #[arg(long, value_name = "N", default_value_t = 1, requires = "files")]
    #[arg(conflicts_with_all = ONE_POSITION, value_parser = whole::<u16>(1..=512))]
    pub(super) concurrency: u16,
    /// Analyse games from the first position to the last
    #[arg(long, requires = "files", conflicts_with_all = ONE_POSITION)]
    pub(super) forward: bool,
}

impl Arguments {
    /// Returns the notation of texts.
    pub(super) fn notation(&self) -> Notation {
        self.notation.unwrap_or_default()
    }

    /// Returns the notation of pages.
    pub(super) fn page_notation(&self) -> Notation {
        self.notation.unwrap_or(ReportOptions::NOTATION)
    }
}

/// Reads `3-17`, or `5` for one game.
fn game_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("expected a number or two, such as '3-17', counted from 1".to_owned()),
    }
}
