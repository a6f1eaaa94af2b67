//! The end of a game and its reason.

use xiangqi::geometry::Color;
use xiangqi::records::GameResult;
use xiangqi::rules::{EndByRules, Outcome};

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub reason: EndReason,
}

/// The reason for which a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// The rules of the game.
    Rules(EndByRules),
    /// The loser resigned.
    Resignation,
    /// The loser's time ran out.
    Time,
}

impl GameEnd {
    /// The end by the loser's resignation.
    pub fn resignation(loser: Color) -> GameEnd {
        GameEnd { winner: Some(!loser), reason: EndReason::Resignation }
    }

    /// The end by the loser's time.
    pub fn time_forfeit(loser: Color) -> GameEnd {
        GameEnd { winner: Some(!loser), reason: EndReason::Time }
    }

    /// The result for a record.
    pub fn result(self) -> GameResult {
        self.winner.map_or(GameResult::Draw, GameResult::won_by)
    }
}

impl From<Outcome> for GameEnd {
    fn from(outcome: Outcome) -> GameEnd {
        GameEnd { winner: outcome.winner, reason: EndReason::Rules(outcome.reason) }
    }
}
