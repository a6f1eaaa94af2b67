//! Engine against engine: processes that may do anything, clocks, a referee that knows the rules,
//! and the evaluation of results.
//!
//! ```text
//! matches     Schedule -> run_match in threads -> Standings, Archive, MatchReport
//! game        OpeningBook -> play of one game -> GameRecord -> PGN
//! engine      EngineSettings -> RunningEngine with pipes, EngineClock, Fault
//! statistics  results -> Elo with its error, SPRT, ratings
//! ```
//!
//! Each of these modules uses only those below it. A [`Schedule`] gives the engines and the opening
//! of a game from its number alone, so a match can stop and continue anywhere. A fault of an engine
//! loses one game and affects no other. The game ([`crate::game::PlayedGame`]) alone decides which
//! moves are legal and when it is over by the rules.

mod engine;
mod game;
mod matches;
pub mod statistics;

pub use engine::{
    CoreShareError, CoreShares, DialogueLog, EngineClock, EngineInfo, EngineOptionError,
    EngineProtocol, EngineSettings, Fault, OrphanGuard, RunningEngine, SettingsError,
    SquareNotation, StopSignal, TimeControl, TimeUnit,
};
pub use game::{
    AdjudicationRules, DrawRule, EngineMove, GameRecord, MoveCap, MoveComments, OpeningBook,
    OpeningError, PgnStyle, RecordedGame, RecordedGameError, ResignRule, TableReferee, Termination,
    read_games, write_game,
};
pub use matches::{
    Archive, ArchiveError, EarlierGame, EndingCounts, EngineConditions, EngineInspection,
    EngineTiming, GamePlan, MatchConditions, MatchEvent, MatchReport, MatchSetup,
    OpeningConditions, PairingLine, PoolError, Schedule, SprtLine, Standings, TournamentForm,
    inspect_engine, pool_results, run_match,
};
