//! Analysing games: the score of each position, mistakes, accuracy, and reports of them.
//!
//! [`Searcher`] searches positions, [`analyse_game`] those of a game from the last to the first,
//! [`CollectionAnalysis`] the games of a collection, several at once and with a journal to resume
//! from, [`Assessment`] compares each move with the best one, and the reports show it: a table
//! ([`write_report`]), with one of all games ([`games_table()`]), an annotated game ([`annotate`]),
//! JSON lines ([`json_lines`]) and a page to step through ([`report_page`]). [`ruling_json`] reports
//! the ruling of a repetition.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod annotation;
mod assessment;
mod chances;
mod collection;
mod earlier;
mod ending;
mod events;
mod game;
mod games_table;
mod journal;
mod json;
mod opening;
mod page;
mod phase;
mod report;
mod ruling;
mod searcher;
mod table_result;

pub use annotation::annotate;
pub use assessment::{Assessment, MoveAssessment, MoveClass, SideSummary, points_lost};
pub use chances::{expected_score, red_points};
pub use collection::{CollectionAnalysis, CollectionError, CollectionEvent};
pub use ending::Ending;
pub use events::{EventKind, GameEvent};
pub use game::{GameAnalysis, Order, analyse_game};
pub use games_table::games_table;
pub use journal::{Journal, JournalError, KnownPositions};
pub use json::{ANALYSIS_SCHEMA, json_lines};
pub use opening::Opening;
pub use page::{
    CONTROL_STYLES, ReportGame, ReportOptions, explained_loops, in_both_languages, report_page,
    summary_json,
};
pub use phase::Phase;
pub use report::{score_text, write_report};
pub use ruling::ruling_json;
pub use searcher::{PositionAnalysis, SearchSettings, Searcher};
pub use table_result::TableResult;
