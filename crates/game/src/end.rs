//! The end of a game and its reason.

use xiangqi::rules::{EndByRules, Outcome};

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

/// The end of a game by the rules or otherwise.
pub type GameEnd = Outcome<EndReason>;
