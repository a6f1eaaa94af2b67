//! What a report shows, and how.

use xiangqi::notation::Notation;
use xiangqi::records::Game;
use xiangqi::rules::{Language, RuleSet};

use crate::analysis::{Assessment, GameAnalysis};

/// A game of a report.
#[derive(Clone, Copy, Debug)]
pub struct ReportGame<'a> {
    /// The record.
    pub game: &'a Game,
    /// What was found of it; without it the page shows the moves and the repetitions.
    pub analysis: Option<(&'a GameAnalysis, &'a Assessment)>,
}

/// How a report is written.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// The language that the page opens with; the reader can change it.
    pub language: Language,
    /// How moves are written in English; in Chinese they are written as books do.
    pub notation: Notation,
    /// The rule book of the repetitions.
    pub rules: RuleSet,
    /// Whether a game opens at its last repetition instead of its start.
    pub opens_at_repetition: bool,
    /// The limits of the analysis, for the foot of the page.
    pub limits: Option<String>,
}
