//! Engine against engine: processes that may do anything, clocks, a referee that knows the rules,
//! and the evaluation of results.
//!
//! ```text
//! matches     MatchSetup -> MatchRecorder with threads -> file of games, MatchReport
//! game        OpeningBook -> play of one game -> GameRecord -> PGN
//! engine      EngineSettings -> process with pipes, clock, Fault
//! statistics  results -> Elo with its error, SPRT, ratings
//! ```
//!
//! Each of these modules uses only those below it. A [`Schedule`] gives the engines and the opening
//! of a game from its number alone, so a match can stop and continue anywhere. A fault of an engine
//! loses one game and affects no other. The game ([`cannonade_game::PlayedGame`]) alone decides which
//! moves are legal and when it is over by the rules.
//!
//! A match of two programs, which ends when its test is decided:
//!
//! ```no_run
//! use std::path::Path;
//!
//! use cannonade_match::statistics::{EloScale, Sprt};
//! use cannonade_match::{
//!     EngineSettings, MatchConditions, MatchRecorder, MatchSetup, PgnStyle, Schedule, StopSignal,
//!     TournamentForm,
//! };
//!
//! let common = ["tc=10+0.1", "option.Hash=16"].map(str::to_owned);
//! let new = EngineSettings::parse(&common, &["cmd=./new".to_owned()])?;
//! let old = EngineSettings::parse(&common, &["cmd=./old".to_owned()])?;
//! // 500 rounds of two games with one opening and colours reversed.
//! let schedule = Schedule::new(TournamentForm::RoundRobin, 2, 500, 2, true);
//! let mut setup = MatchSetup::new([new, old], schedule);
//! setup.concurrency = 2;
//! setup.sprt = Some(Sprt::new(0.0, 5.0, 0.05, 0.05, EloScale::Normalised)?);
//!
//! let mut played = MatchRecorder::new(&setup, MatchConditions::new(&setup, &[]));
//! // A match that was stopped goes on from its file.
//! let file = Path::new("games.pgn");
//! played.keep_in(file, PgnStyle::default(), file.exists())?;
//! played.run(&StopSignal::new(), |game| {
//!     println!("{}: {}", game.round, game.record.ending_text());
//! })?;
//! print!("{}", played.report());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod engine;
mod game;
mod matches;
pub mod statistics;

pub use engine::OrphanGuard;
pub use engine::{
    CoreShareError, CoreShares, DialogueLog, EngineInfo, EngineOptionError, EngineProtocol,
    EngineSettings, Fault, FaultKind, SettingsError, StopSignal, TimeControl, TimeUnit,
};
pub use game::{
    AdjudicationRules, DrawRule, EngineMove, GameRecord, MoveCap, MoveComments, OpeningBook,
    OpeningError, PgnStyle, RecordedGame, RecordedGameError, ResignRule, TableReferee, Termination,
    read_games, write_game,
};
pub use matches::pool_results;
pub use matches::{
    ArchiveError, EndingCounts, EngineConditions, EngineInspection, EngineTiming, FinishedGame,
    GamePlan, MatchConditions, MatchError, MatchRecorder, MatchReport, MatchSetup,
    OpeningConditions, OtherGame, PairingLine, Schedule, SprtLine, TournamentForm, inspect_engine,
};
