//! Plays the games of a schedule in several threads and reports each as it ends.

use std::collections::BTreeSet;
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
use super::schedule::Schedule;

/// The parameters of a match.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// The engines.
    pub engines: Vec<Arc<EngineSettings>>,
    /// The pairings of the engines.
    pub schedule: Schedule,
    /// The numbers of the games that are already played.
    pub played: BTreeSet<u32>,
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
}

impl MatchSetup {
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

/// An event of a match.
#[derive(Debug)]
pub enum MatchEvent {
    /// The game of this number begins.
    Started(u32),
    /// A game is over.
    Finished(Box<GameRecord>),
}

/// Findings from the start of an engine before a match.
#[derive(Debug, Default)]
pub struct EngineInspection {
    /// The name and version that it gives.
    pub name: Option<String>,
    /// Options that the engine does not have, and values that it does not accept.
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
    match RunningEngine::start(settings, stop) {
        Ok(engine) => Ok(EngineInspection {
            name: engine.name().map(str::to_owned),
            wrong_options: engine.wrong_options(),
            remarks: engine.into_remarks(),
        }),
        Err(EngineError::Fault(fault)) => Err(fault),
        Err(EngineError::Stopped) => Ok(EngineInspection::default()),
    }
}

/// Plays until all games are played or the match is stopped; games that the stop aborts are not
/// reported. `on_event` runs in the calling thread.
pub fn run_match(setup: &MatchSetup, stop: &StopSignal, mut on_event: impl FnMut(MatchEvent)) {
    let next = AtomicU32::new(0);
    let (sender, events) = unbounded();
    thread::scope(|scope| {
        for place in 0..setup.concurrency.max(1) {
            let worker = MatchWorker { setup, place, stop, next: &next, events: sender.clone() };
            scope.spawn(move || worker.run());
        }
        drop(sender);
        for event in events {
            on_event(event);
        }
    });
}

/// A thread that plays one game after the other.
struct MatchWorker<'a> {
    setup: &'a MatchSetup,
    /// Its number among the threads, from 0.
    place: usize,
    stop: &'a StopSignal,
    next: &'a AtomicU32,
    events: Sender<MatchEvent>,
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
            if self.setup.played.contains(&number) {
                continue;
            }
            self.send(MatchEvent::Started(number));
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
            self.send(MatchEvent::Finished(Box::new(record)));
            for engine in engines {
                idle.extend(engine.running.map(|running| (engine.index, running)));
            }
        }
    }

    fn send(&self, event: MatchEvent) {
        // The receiver lives longer than the workers.
        let _ = self.events.send(event);
    }
}
