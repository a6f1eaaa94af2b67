//! The commands of `cannonade data` and their flags.

use std::path::PathBuf;

use cannonade_training::{FilterSettings, LabelSettings};
use clap::{Args, Subcommand};
use xiangqi::notation::Notation;

use crate::flags::{decimal, whole_from};

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade data stats a.games
  cannonade data filter a.games --output a.samples
  cannonade help data filter                          # explain a command")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) action: DataCommand,
}

#[derive(Subcommand)]
pub(super) enum DataCommand {
    /// Show statistics of files of games or samples
    #[command(after_help = "\
Examples:
  cannonade data stats a.games b.games
  cannonade data stats train.samples --json")]
    Stats {
        /// Files of games or samples
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON, one object
        #[arg(long)]
        json: bool,
    },
    /// Turn games into samples: quiet, undecided positions, without duplicates
    #[command(after_help = "\
Examples:
  cannonade data filter a.games --output a.samples
  cannonade data filter *.games --lookahead 0.3 --output all.samples")]
    Filter {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of samples to write
        #[arg(long, short)]
        output: PathBuf,
        /// Drop positions with at least this absolute score, in centipawns
        #[arg(long, default_value_t = FilterSettings::default().max_score, value_parser = whole_from::<i16>(0))]
        max_score: i16,
        /// Keep positions in check
        #[arg(long)]
        checks: bool,
        /// Keep positions whose best move captures
        #[arg(long)]
        captures: bool,
        /// Share of each score that comes from the scores after it in the game, 0 to 1
        #[arg(long, default_value_t = FilterSettings::default().lookahead, value_parser = decimal::<f32>(0.0..=1.0))]
        lookahead: f32,
    },
    /// Turn positions with known results into samples to train with
    #[command(after_help = "\
Each line is a FEN, a tab, and the result for the side to move: win, draw or loss. More fields may
follow, as in the output of 'cannonade tables sample'. Positions in check or with captures are left
out. A drawn position gets the score 0.

Examples:
  cannonade tables sample --count 100000 --balanced > endings.tsv
  cannonade data label endings.tsv --output endings.samples")]
    Label {
        /// Text files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of samples to write
        #[arg(long, short)]
        output: PathBuf,
        /// The score of a won position, in centipawns
        #[arg(long, default_value_t = LabelSettings::default().won_score, value_parser = whole_from::<i16>(1))]
        won_score: i16,
        /// Share of the won and lost positions to keep, 0 to 1; all drawn ones are kept
        #[arg(long, default_value_t = LabelSettings::default().decided_share, value_parser = decimal::<f32>(0.0..=1.0))]
        decided_share: f32,
    },
    /// Put samples into random order, all files together
    #[command(after_help = "\
Examples:
  cannonade data shuffle a.samples b.samples --output train.samples --seed 7")]
    Shuffle {
        /// Files of samples
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of samples to write
        #[arg(long, short)]
        output: PathBuf,
        /// Random seed
        #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
        seed: u64,
    },
    /// Split games into two files, such as one to train with and one to validate with
    #[command(after_help = "\
Examples:
  cannonade data split all.games --output train.games --rest test.games --share 2")]
    Split {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file for most games
        #[arg(long, short)]
        output: PathBuf,
        /// The file for the rest
        #[arg(long)]
        rest: PathBuf,
        /// Share of the rest in percent
        #[arg(long, default_value_t = 5.0, value_parser = decimal::<f32>(0.0..=100.0))]
        share: f32,
        /// Random seed
        #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
        seed: u64,
    },
    /// Pack games into an archive of about a third of the size, for storage
    #[command(after_help = "\
All commands that read games read archives too; 'cannonade data merge' makes a plain file of
one again.

Examples:
  cannonade data pack part-*.games --output all.archive
  cannonade data merge all.archive --output all.games")]
    Pack {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The archive to write
        #[arg(long, short)]
        output: PathBuf,
    },
    /// Join files of games, without duplicates
    #[command(after_help = "\
Examples:
  cannonade data merge part-*.games --output all.games")]
    Merge {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of games to write
        #[arg(long, short)]
        output: PathBuf,
    },
    /// Write games or samples as text, or read games from it
    #[command(after_help = "\
Examples:
  cannonade data text a.games --notation chinese
  cannonade data text a.txt --parse --output a.games")]
    Text {
        /// Files of games or samples; with --parse, text files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write; stdout if left out (not with --parse)
        #[arg(long, short)]
        output: Option<PathBuf>,
        /// Notation of moves: iccs, uci, uci10, wxf, chinese, traditional or algebraic; --parse
        /// reads all but uci10
        #[arg(long, default_value_t)]
        notation: Notation,
        /// Read text and write a file of games
        #[arg(long, requires = "output")]
        parse: bool,
    },
}
