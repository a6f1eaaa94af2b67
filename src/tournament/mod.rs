//! Engine against engine: processes that may do anything, clocks, a referee that knows the rules,
//! and what the results say.
//!
//! A [`Schedule`] turns a game number into who plays whom from which opening, so that a match can
//! stop and go on anywhere. [`run_match`] plays the games in worker threads; each engine is a
//! [`Player`] behind pipes whose every fault costs it one game and nobody anything else. The
//! referee ([`crate::rules::Referee`]) alone decides what is legal and when a game is over.

mod adjudication;
mod archive;
mod dialect;
mod dialogue;
mod ending;
mod game;
mod openings;
mod pgn;
mod player;
mod pool;
mod process;
mod record;
mod report;
mod runner;
mod schedule;
mod settings;
mod standings;
pub mod statistics;
mod stop;
mod time_control;

pub use adjudication::{Adjudication, DrawRule, MoveCap, ResignRule};
pub use archive::{Archive, ArchiveError};
pub use dialect::Dialect;
pub use dialogue::{EngineScore, Protocol, Report, TimeUnit};
pub use ending::{Ending, Fault, Reason};
pub use openings::{OpeningBook, OpeningError};
pub use pgn::{PgnError, PgnGame, PgnStyle, read_games, write_game};
pub use player::Player;
pub use pool::{PoolError, pool_results};
pub use record::{GameRecord, PlayedMove};
pub use report::{MatchReport, PairingLine, SprtLine};
pub use runner::{MatchEvent, MatchSetup, inspect_engine, run_match};
pub use schedule::{GamePlan, Schedule, TournamentForm};
pub use settings::{EngineSettings, SettingsError};
pub use standings::Standings;
pub use stop::StopSignal;
pub use time_control::{ClockControl, GameClock, TimeControl, TimeControlError};
