//! Content and options of a report.

use xiangqi::notation::Notation;
use xiangqi::records::Game;
use xiangqi::rules::RuleSet;
use xiangqi::rules::explanation::Language;

use crate::{Assessment, GameAnalysis};

/// A game of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportGame<'a> {
    /// The record.
    pub game: &'a Game,
    /// The analysis; without one the page shows the moves and the repetitions.
    pub analysis: Option<(&'a GameAnalysis, &'a Assessment)>,
}

/// Options of a report.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// The language that the page opens with; the reader can change it.
    pub language: Language,
    /// The notation of moves in English; in Chinese moves are written as in books.
    pub notation: Notation,
    /// The rule book of the repetitions.
    pub rules: RuleSet,
    /// True to open a game at its last repetition instead of its start.
    pub opens_at_repetition: bool,
    /// The limits of the analysis, for the foot of the page.
    pub limits: Option<String>,
}

impl ReportOptions {
    /// The notation unless another one is chosen: that of players, with the names of files at the
    /// edges of the board.
    pub const NOTATION: Notation = Notation::Wxf;
}
