//! Matches of many games: their pairings, threads and total results.

mod archive;
mod conditions;
mod pool;
mod report;
mod runner;
mod schedule;
mod standings;
mod timing;

pub use archive::{Archive, ArchiveError, EarlierGame};
pub use conditions::{EngineConditions, MatchConditions, OpeningConditions};
pub use pool::{PoolError, pool_results};
pub use report::{EndingCounts, MatchReport, PairingLine, SprtLine};
pub use runner::{EngineInspection, MatchEvent, MatchSetup, inspect_engine, run_match};
pub use schedule::{GamePlan, Schedule, TournamentForm};
pub use standings::Standings;
pub use timing::EngineTiming;
