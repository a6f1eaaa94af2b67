//! The values of the options.

use std::path::PathBuf;
use std::time::Duration;

use xiangqi::notation::Ranks;
use xiangqi::rules::RuleSet;

use crate::engine::strength::{Handicap, Strength};
use crate::evaluation::Evaluation;
use crate::search::Parameters;

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
    /// Whether the client lets the engine ponder.
    pub ponder: bool,
    /// Time lost per move between engine and client.
    pub move_overhead: Duration,
    /// Whether win, draw and loss are reported.
    pub show_wdl: bool,
    /// The evaluation to use instead of the built-in network, by name: see `Evaluation::find`.
    pub eval_file: Option<PathBuf>,
    /// The folder of endgame tables besides the built-in ones.
    pub table_path: Option<PathBuf>,
    /// Whether moves are played from opening books.
    pub own_book: bool,
    /// The opening books to use instead of the built-in one, divided by `;`.
    pub book_file: Option<PathBuf>,
    /// The last number of a move that is played from a book.
    pub book_depth: u32,
    /// How different the moves from a book are, 0 to 100; see `book::shares`.
    pub book_variety: u8,
    /// The rules for repetitions.
    pub rules: RuleSet,
    /// The natural-move limit in plies, 0 for none; not set, it is that of the rules.
    pub natural_move_limit: Option<u16>,
    /// The value of a draw in centipawns.
    pub draw_score: i32,
    /// How the client writes moves; `None` is recognized by what it sends.
    pub ranks: Option<Ranks>,
    /// Whether `elo` limits the strength.
    pub limit_strength: bool,
    /// The Elo to play at, if `limit_strength`.
    pub elo: i64,
    /// The Skill Level; the greatest is full strength.
    pub skill_level: i64,
    /// By how many centipawns a move may be worse than the best one, for variety.
    pub randomness: i32,
    /// The evaluation of a limited knowledge; `Full` is that of `eval_file`.
    pub knowledge: Knowledge,
    /// The seed of what a limited strength overlooks and of variety; 0 takes one by chance.
    pub level_seed: u64,
    /// The file to which input and output are logged.
    pub debug_log_file: Option<PathBuf>,
    /// UCCI: whether `go time` counts milliseconds.
    pub use_millisec: bool,
    /// UCCI: whether nothing is read during a search.
    pub batch: bool,
    /// Whether unknown commands and options are reported.
    pub debug: bool,
    /// The constants of the search.
    pub parameters: Parameters,
}

/// How much the evaluation knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Knowledge {
    /// All that there is.
    #[default]
    Full,
    /// What is written by hand: piece squares, mobility, king safety.
    Medium,
    /// The value of each piece on its square.
    Small,
    /// The value of each piece.
    None,
}

impl Knowledge {
    /// The evaluation, if it is limited.
    pub(in crate::engine) fn evaluation(self) -> Option<Evaluation> {
        match self {
            Knowledge::Full => None,
            Knowledge::Medium => Some(Evaluation::HandWritten),
            Knowledge::Small => Some(Evaluation::PieceSquares),
            Knowledge::None => Some(Evaluation::Material),
        }
    }
}

impl OptionValues {
    /// The strength below the full one that the options ask for, the weakest if there are several.
    pub fn strength(&self) -> Option<Strength> {
        let by_elo = self.limit_strength.then(|| Strength::from_elo(self.elo));
        by_elo.into_iter().chain(Strength::from_skill(self.skill_level)).min()
    }

    /// How the engine is held back, if it is.
    pub(in crate::engine) fn handicap(&self) -> Option<Handicap> {
        let (strength, variety) = (self.strength(), self.randomness);
        (strength.is_some() || variety > 0).then_some(Handicap { strength, variety })
    }

    /// The natural-move limit in plies, 0 for none: the one that is set, or that of the rules.
    pub fn natural_limit(&self) -> u16 {
        self.natural_move_limit.unwrap_or(self.rules.natural_limit())
    }
}
