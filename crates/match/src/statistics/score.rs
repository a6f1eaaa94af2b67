//! Wins, losses and draws of one player: the trinomial count.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use xiangqi::rules::Wdl;

/// Counts of games by their result for one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl GameCounts {
    /// Creates the counts, in the order of match reports (`+ - =`).
    pub fn new(wins: u64, losses: u64, draws: u64) -> GameCounts {
        GameCounts { wins, losses, draws }
    }

    /// Counts one more game.
    pub fn record(&mut self, outcome: Wdl) {
        match outcome {
            Wdl::Win => self.wins += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the points: 1 for a win, 1/2 for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the points per game, from 0 to 1; `None` without games.
    pub fn ratio(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// Returns the share of drawn games, from 0 to 1; none without games.
    pub fn draw_ratio(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.draws as f64 / games as f64)
    }

    /// Returns the same games counted for the other player.
    #[must_use]
    pub fn reversed(self) -> GameCounts {
        GameCounts::new(self.losses, self.wins, self.draws)
    }
}

impl AddAssign for GameCounts {
    fn add_assign(&mut self, other: GameCounts) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_games_are_counted_by_outcome() {
        let mut score = GameCounts::default();
        for outcome in [Wdl::Win, Wdl::Draw, Wdl::Win, Wdl::Loss] {
            score.record(outcome);
        }
        assert_eq!(score, GameCounts::new(2, 1, 1));
        assert_eq!(score.games(), 4);
        assert_eq!(score.points(), 2.5);
        assert_eq!(score.ratio(), Some(0.625));
        assert_eq!(score.draw_ratio(), Some(0.25));
    }

    #[test]
    fn the_points_of_both_sides_add_up_to_the_games() {
        let score = GameCounts::new(7, 2, 5);
        assert_eq!(score.points() + score.reversed().points(), 14.0);
        for outcome in Wdl::ALL {
            assert_eq!(outcome.half_points() + outcome.reversed().half_points(), 2);
        }
    }

    #[test]
    fn without_games_there_is_no_ratio() {
        assert_eq!(GameCounts::default().ratio(), None);
        assert_eq!(GameCounts::default().draw_ratio(), None);
    }
}
