//! Matches of many games: their pairings, threads and total results.

mod archive;
mod conditions;
mod pool;
mod recorder;
mod report;
mod runner;
mod schedule;
mod standings;
mod timing;

pub use archive::{ArchiveError, OtherGame};
pub use conditions::{EngineConditions, MatchConditions, OpeningConditions};
pub use pool::pool_results;
pub use recorder::{FinishedGame, MatchError, MatchRecorder};
pub use report::{EndingCounts, MatchReport, PairingLine, SprtLine};
pub use runner::{EngineInspection, MatchSetup, inspect_engine};
pub use schedule::{GamePlan, Schedule, TournamentForm};
pub use timing::EngineTiming;
