//! Plays the games of a schedule in several threads and tells of each as it ends.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use crate::rules::Regulations;

use super::adjudication::Adjudication;
use super::ending::Fault;
use super::game::{GameRules, Seat, play_game};
use super::openings::OpeningBook;
use super::player::{Player, Trouble};
use super::record::GameRecord;
use super::schedule::Schedule;
use super::settings::EngineSettings;
use super::stop::StopSignal;

/// All that a match needs to know.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// The players.
    pub engines: Vec<Arc<EngineSettings>>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The games that are already played, by number.
    pub played: BTreeSet<u32>,
    /// What they begin with.
    pub openings: OpeningBook,
    /// How many games run at once.
    pub concurrency: usize,
    /// By which rules.
    pub regulations: Regulations,
    /// When a game is over before the rules say so.
    pub adjudication: Adjudication,
}

/// What happens in a match.
#[derive(Debug)]
pub enum MatchEvent {
    /// The game of this number begins.
    Started(u32),
    /// A game is over.
    Finished(Box<GameRecord>),
}

/// Starts an engine and lets it go again, before a match that it could only lose: the options that
/// the settings name and the engine does not have, or its fault.
pub fn inspect_engine(
    settings: &Arc<EngineSettings>,
    stop: &StopSignal,
) -> Result<Vec<String>, Fault> {
    match Player::start(settings, stop) {
        Ok(player) => Ok(player.unknown_options().map(str::to_owned).collect()),
        Err(Trouble::Fault(fault)) => Err(fault),
        Err(Trouble::Stopped) => Ok(Vec::new()),
    }
}

/// Plays until all games are played or the match is stopped; games broken off are not told of.
/// `hear` runs in the calling thread.
pub fn run_match(setup: &MatchSetup, stop: &StopSignal, mut hear: impl FnMut(MatchEvent)) {
    let next = AtomicU32::new(0);
    let (sender, events) = unbounded();
    thread::scope(|scope| {
        for _ in 0..setup.concurrency.max(1) {
            let worker = Worker { setup, stop, next: &next, events: sender.clone() };
            scope.spawn(move || worker.run());
        }
        drop(sender);
        for event in events {
            hear(event);
        }
    });
}

struct Worker<'a> {
    setup: &'a MatchSetup,
    stop: &'a StopSignal,
    next: &'a AtomicU32,
    events: Sender<MatchEvent>,
}

impl Worker<'_> {
    fn run(&self) {
        let rules = GameRules {
            regulations: self.setup.regulations,
            adjudication: self.setup.adjudication,
        };
        // The engines of the last game stay seated while they go on playing.
        let mut idle: Vec<(usize, Player)> = Vec::new();
        while !self.stop.is_stopped() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(plan) = self.setup.schedule.plan(number) else { break };
            if self.setup.played.contains(&number) {
                continue;
            }
            self.tell(MatchEvent::Started(number));
            let mut seats = plan.engines.map(|engine| {
                let at = idle.iter().position(|(seated, _)| *seated == engine);
                let player = at.map(|at| idle.swap_remove(at).1);
                Seat { engine, settings: &self.setup.engines[engine], player }
            });
            idle.clear();
            let opening = self.setup.openings.opening(plan.opening);
            let Some(record) = play_game(number, &mut seats, opening, &rules, self.stop) else {
                break;
            };
            self.tell(MatchEvent::Finished(Box::new(record)));
            for seat in seats {
                idle.extend(seat.player.map(|player| (seat.engine, player)));
            }
        }
    }

    fn tell(&self, event: MatchEvent) {
        // The listener outlives the workers.
        let _ = self.events.send(event);
    }
}
