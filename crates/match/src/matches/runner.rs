//! The parameters of a match, and the threads that play its games.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use xiangqi::rules::Regulations;

use super::super::engine::{
    CoreShares, EngineError, EngineOptionError, EngineSettings, Fault, RunningEngine, StopSignal,
};
use super::super::game::{
    AdjudicationRules, EngineSlot, GameRecord, GameRules, OpeningBook, TableReferee, play_game,
};
use super::super::statistics::Sprt;
use super::schedule::Schedule;

/// The parameters of a match.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// The engines.
    pub engines: Vec<Arc<EngineSettings>>,
    /// The pairings of the engines.
    pub schedule: Schedule,
    /// The positions with which games begin.
    pub openings: OpeningBook,
    /// The number of games at a time.
    pub concurrency: usize,
    /// The rules of the game.
    pub regulations: Regulations,
    /// The rules for ending games early.
    pub adjudication: AdjudicationRules,
    /// Ends games whose result the tables know.
    pub tables: Option<TableReferee>,
    /// The cores of each of the games that run at the same time; `None` leaves them to the system.
    pub cores: Option<CoreShares>,
    /// A test of the first two engines, which ends the match as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// True if the match goes on when an engine breaks down again: when it does not start, crashes,
    /// stalls or makes no legal move. Such games count as lost.
    pub recovers: bool,
}

impl MatchSetup {
    /// Returns a match by the default rules: from the starting position, one game at a time,
    /// without adjudication and without a test. The names of the engines must differ.
    pub fn new(
        engines: impl IntoIterator<Item = EngineSettings>,
        schedule: Schedule,
    ) -> MatchSetup {
        MatchSetup {
            engines: engines.into_iter().map(Arc::new).collect(),
            schedule,
            openings: OpeningBook::startpos(),
            concurrency: 1,
            regulations: Regulations::default(),
            adjudication: AdjudicationRules::default(),
            tables: None,
            cores: None,
            sprt: None,
            recovers: false,
        }
    }

    /// Names the rules of the games and for ending them early, as in records and results.
    pub fn rules_text(&self) -> String {
        let Regulations { rules, occurrences, natural_limit } = self.regulations;
        let adjudication = self.adjudication;
        let tables =
            self.tables.as_ref().map(|tables| format!("; endgame tables: {}", tables.count()));
        let tables = tables.unwrap_or_default();
        format!("{rules}, {occurrences} occurrences, {natural_limit} plies; {adjudication}{tables}")
    }
}

/// Findings from the start of an engine before a match.
#[derive(Debug, Default)]
pub struct EngineInspection {
    /// The name and version that it gives.
    pub name: Option<String>,
    /// Options that the engine does not have, and values that it does not accept or use.
    pub wrong_options: Vec<EngineOptionError>,
    /// Its `info string` lines after its options were set, such as that it cannot use a file.
    pub remarks: Vec<String>,
}

/// Starts an engine and ends it again, to find wrong settings before a match.
///
/// # Errors
/// The [`Fault`] of an engine that does not start or does not answer.
pub fn inspect_engine(
    settings: &Arc<EngineSettings>,
    stop: &StopSignal,
) -> Result<EngineInspection, Fault> {
    let inspect = || {
        let mut engine = RunningEngine::start(settings, stop)?;
        Ok(EngineInspection {
            name: engine.name().map(str::to_owned),
            wrong_options: engine.wrong_options()?,
            remarks: engine.into_remarks(),
        })
    };
    match inspect() {
        Err(EngineError::Fault(fault)) => Err(fault),
        Err(EngineError::Stopped) => Ok(EngineInspection::default()),
        Ok(found) => Ok(found),
    }
}

/// Plays until all games but those already `played` are over or the match is stopped; games that
/// the stop aborts are not reported. `on_game` runs in the calling thread.
///
/// # Errors
/// If the system gives no thread for a game; the match is stopped then.
pub(super) fn run_match(
    setup: &MatchSetup,
    played: &BTreeSet<u32>,
    stop: &StopSignal,
    on_game: impl FnMut(GameRecord),
) -> io::Result<()> {
    let next = AtomicU32::new(0);
    let (sender, games) = unbounded();
    thread::scope(|scope| {
        let started = (0..setup.concurrency.max(1)).try_for_each(|place| {
            let (next, games) = (&next, sender.clone());
            let worker = MatchWorker { setup, played, place, stop, next, games };
            thread::Builder::new().spawn_scoped(scope, move || worker.run()).map(drop)
        });
        if started.is_err() {
            stop.stop();
        }
        drop(sender);
        games.into_iter().for_each(on_game);
        started
    })
}

/// A thread that plays one game after the other.
struct MatchWorker<'a> {
    setup: &'a MatchSetup,
    /// The numbers of the games that are already played.
    played: &'a BTreeSet<u32>,
    /// Its number among the threads, from 0.
    place: usize,
    stop: &'a StopSignal,
    next: &'a AtomicU32,
    games: Sender<GameRecord>,
}

impl MatchWorker<'_> {
    fn run(&self) {
        let rules = GameRules {
            regulations: self.setup.regulations,
            adjudication: self.setup.adjudication,
            tables: self.setup.tables.clone(),
        };
        if let Some(cores) = &self.setup.cores {
            cores.take(self.place);
        }
        // Engines of the last game that are still running; those of the next game are kept.
        let mut idle: Vec<(usize, RunningEngine)> = Vec::new();
        while !self.stop.is_stopped() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = self.setup.schedule.plan(number) else { break };
            if self.played.contains(&number) {
                continue;
            }
            let mut engines = plan.engines.map(|index| {
                let at = idle.iter().position(|(other, _)| *other == index);
                let running = at.map(|at| idle.swap_remove(at).1);
                EngineSlot { index, settings: &self.setup.engines[index], running }
            });
            idle.clear();
            let opening = self.setup.openings.opening(plan.opening);
            let Some(record) = play_game(number, &mut engines, opening, &rules, self.stop) else {
                break;
            };
            // The receiver lives longer than the workers.
            let _ = self.games.send(record);
            for engine in engines {
                idle.extend(engine.running.map(|running| (engine.index, running)));
            }
        }
    }
}
