//! Values of the options.

use std::path::PathBuf;
use std::time::Duration;

use cannonade_tables::TableSource;
use xiangqi::notation::Ranks;
use xiangqi::rules::RuleSet;

use crate::nnue::Evaluation;
use crate::search::Parameters;
use crate::strength::{Handicap, Strength};

/// The value of each option, for reading. `Default` is not the default of the options: that stands
/// in their rows and is what `Options::default` returns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionValues {
    /// Search threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Number of principal variations to report.
    pub multi_pv: usize,
    /// Time lost per move between engine and client.
    pub move_overhead: Duration,
    /// True if win, draw and loss are reported.
    pub show_wdl: bool,
    /// The evaluation to use instead of the built-in network, by name: see `Evaluation::find`.
    pub eval_file: Option<PathBuf>,
    /// The endgame tables besides the built-in ones; `None` takes those of the front end.
    pub tables: Option<TableSource>,
    /// True if moves are played from opening books.
    pub own_book: bool,
    /// The opening books to use instead of the built-in one, separated by `;`.
    pub book_file: Option<PathBuf>,
    /// Number of the last move that is played from a book.
    pub book_depth: u32,
    /// Variety of the moves from a book, 0 to 100; see `book::shares`.
    pub book_variety: u8,
    /// The rules for repetitions.
    pub rules: RuleSet,
    /// Natural-move limit in plies, 0 for none; `None` takes that of the rules.
    pub natural_move_limit: Option<u16>,
    /// The value of a draw in centipawns.
    pub draw_score: i32,
    /// Coordinates of the client; `None` detects them from its input.
    pub ranks: Option<Ranks>,
    /// True if `elo` limits the strength.
    pub limit_strength: bool,
    /// Elo to play at, if `limit_strength`.
    pub elo: i64,
    /// Skill Level; the maximum is full strength.
    pub skill_level: i64,
    /// Maximum loss of a move against the best one in centipawns, for variety.
    pub randomness: i32,
    /// Evaluation of a limited knowledge; `Full` is that of `eval_file`.
    pub knowledge: Knowledge,
    /// Seed of oversights at limited strength and of variety; 0 chooses one at random.
    pub level_seed: u64,
    /// File to which input and output are logged.
    pub debug_log_file: Option<PathBuf>,
    /// UCCI: true if `go time` counts milliseconds.
    pub use_millisec: bool,
    /// UCCI: true if nothing is read during a search.
    pub batch: bool,
    /// True if unknown commands and options are reported.
    pub debug: bool,
    /// The constants of the search.
    pub parameters: Parameters,
}

/// Extent of the evaluation's knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Knowledge {
    /// Complete evaluation.
    #[default]
    Full,
    /// Handcrafted evaluation: piece squares, mobility, king safety.
    Medium,
    /// The value of each piece on its square.
    Small,
    /// The value of each piece.
    None,
}

impl Knowledge {
    /// Returns the evaluation of a limited knowledge.
    pub(crate) fn evaluation(self) -> Option<Evaluation> {
        match self {
            Knowledge::Full => None,
            Knowledge::Medium => Some(Evaluation::HandWritten),
            Knowledge::Small => Some(Evaluation::PieceSquares),
            Knowledge::None => Some(Evaluation::Material),
        }
    }
}

impl OptionValues {
    /// Returns the limited strength of the options, the weakest if there are several.
    pub fn strength(&self) -> Option<Strength> {
        let by_elo = self.limit_strength.then(|| Strength::from_elo(self.elo));
        by_elo.into_iter().chain(Strength::from_skill(self.skill_level)).min()
    }

    /// Returns the handicap of the options, if any.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        let (strength, variety) = (self.strength(), self.randomness);
        let is_repeatable = self.level_seed != 0;
        (strength.is_some() || variety > 0).then_some(Handicap { strength, variety, is_repeatable })
    }

    /// Returns the natural-move limit in plies, 0 for none: the one that is set, or that of the
    /// rules.
    pub fn natural_limit(&self) -> u16 {
        self.natural_move_limit.unwrap_or(self.rules.natural_limit())
    }
}
