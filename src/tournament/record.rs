//! What remains of a game.

use std::time::{Duration, SystemTime};

use crate::board::{Move, Position};
use crate::geometry::Color;

use super::dialogue::Report;
use super::ending::Ending;
use super::statistics::Outcome;
use super::time_control::TimeControl;

/// A move with what the engine said of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The time it took.
    pub elapsed: Duration,
    /// The engine's last report.
    pub report: Report,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The number in the schedule, from 0.
    pub number: u32,
    /// The engines, Red first, as indices into the match's list.
    pub engines: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Their limits.
    pub controls: [TimeControl; 2],
    /// Where the game began.
    pub start: Position,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub ending: Ending,
    /// When it began.
    pub began: SystemTime,
    /// How long it took.
    pub duration: Duration,
}

impl GameRecord {
    /// The result for one side.
    pub fn outcome(&self, side: Color) -> Outcome {
        match self.ending.winner {
            None => Outcome::Draw,
            Some(winner) if winner == side => Outcome::Win,
            Some(_) => Outcome::Loss,
        }
    }
}
