//! The record of a finished game.

use std::time::{Duration, SystemTime};

use xiangqi::records::Game;
use xiangqi::rules::Outcome;

use super::super::engine::{EngineInfo, Fault, TimeControl};
use super::termination::{Termination, ending_text};

/// The engine's report on a move.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineMove {
    /// The time that the move took.
    pub elapsed: Duration,
    /// The time by which it exceeded its limit; `None` if its time was not limited.
    pub overrun: Option<Duration>,
    /// The time on the mover's clock after it; `None` without a clock.
    pub left: Option<Duration>,
    /// The last report of the engine before it.
    pub info: EngineInfo,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The number in the schedule, from 0.
    pub number: u32,
    /// The engines, Red first, as indices into the list of the match.
    pub engines: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Their limits.
    pub controls: [TimeControl; 2],
    /// The start, the moves and the result.
    pub game: Game,
    /// A report on each move.
    pub reports: Vec<EngineMove>,
    /// The ending.
    pub ending: Outcome<Termination>,
    /// The faults by which the engines, Red first, ended before the game or after it; it was not
    /// lost by them.
    pub faults_between: [Option<Fault>; 2],
    /// The time at which it began.
    pub began: SystemTime,
    /// Its duration, including the start of the engines.
    pub duration: Duration,
}

impl GameRecord {
    /// Returns the fault that ended the game and the index, 0 for Red, of the engine that committed
    /// it.
    pub fn fault(&self) -> Option<(usize, &Fault)> {
        match (&self.ending.reason, self.ending.winner) {
            (Termination::Fault(fault), Some(winner)) => Some(((!winner).index(), fault)),
            _ => None,
        }
    }

    /// Returns the breakdowns of the game and the index, 0 for Red, of the engine of each.
    pub fn breakdowns(&self) -> impl Iterator<Item = (usize, &Fault)> {
        let lost = self.fault().filter(|(_, fault)| fault.is_breakdown());
        let between = self.faults_between.iter().enumerate();
        lost.into_iter().chain(between.filter_map(|(side, fault)| Some((side, fault.as_ref()?))))
    }

    /// Describes the end, such as `0-1 {red loses: time forfeit}`.
    pub fn ending_text(&self) -> String {
        ending_text(&self.ending)
    }
}
