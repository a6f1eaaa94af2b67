//! The record of a finished game.

use std::time::{Duration, SystemTime};

use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;

use super::super::engine::{EngineInfo, Fault, TimeControl};
use super::super::statistics::PlayerResult;
use super::ending::{EndingReason, GameEnding};

/// A move with the engine's report on it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The time it took.
    pub elapsed: Duration,
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
    /// The position at the start.
    pub start: Position,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The ending.
    pub ending: GameEnding,
    /// The time at which it began.
    pub began: SystemTime,
    /// Its duration, including the start of the engines.
    pub duration: Duration,
}

impl GameRecord {
    /// The fault that ended the game and the index, 0 for Red, of the engine that committed it.
    pub fn fault(&self) -> Option<(usize, &Fault)> {
        match (&self.ending.reason, self.ending.winner) {
            (EndingReason::Fault(fault), Some(winner)) => Some(((!winner).index(), fault)),
            _ => None,
        }
    }

    /// The result for one side.
    pub fn result_for(&self, side: Color) -> PlayerResult {
        match self.ending.winner {
            None => PlayerResult::Draw,
            Some(winner) if winner == side => PlayerResult::Win,
            Some(_) => PlayerResult::Loss,
        }
    }
}
