//! The values of the options.

use std::path::PathBuf;
use std::time::Duration;

use crate::notation::Ranks;
use crate::rules::RuleSet;
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

impl OptionValues {
    /// The natural-move limit in plies, 0 for none: the one that is set, or that of the rules.
    pub fn natural_limit(&self) -> u16 {
        self.natural_move_limit.unwrap_or(self.rules.natural_limit())
    }
}
