//! Wins, losses and draws of one side: the trinomial count.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// How a game ended for the player from whose side it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The player won.
    Win,
    /// Nobody won.
    Draw,
    /// The opponent won.
    Loss,
}

impl Outcome {
    /// All outcomes, the best first.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

    /// The same game told from the other side.
    pub fn reversed(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }

    /// Twice the points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self) -> usize {
        match self {
            Outcome::Win => 2,
            Outcome::Draw => 1,
            Outcome::Loss => 0,
        }
    }
}

/// Counts of games by their outcome for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Score {
    /// A score of known counts, in the order in which match reports print them (`+ - =`).
    pub fn new(wins: u64, losses: u64, draws: u64) -> Score {
        Score { wins, losses, draws }
    }

    /// Counts one more game.
    pub fn record(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub fn games(self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// The points: 1 for a win, 1/2 for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game, from 0 to 1; none without games.
    pub fn ratio(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// The share of drawn games, from 0 to 1; none without games.
    pub fn draw_ratio(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.draws as f64 / games as f64)
    }

    /// The same games told from the other side.
    pub fn reversed(self) -> Score {
        Score::new(self.losses, self.wins, self.draws)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
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
        let mut score = Score::default();
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Win, Outcome::Loss] {
            score.record(outcome);
        }
        assert_eq!(score, Score::new(2, 1, 1));
        assert_eq!(score.games(), 4);
        assert_eq!(score.points(), 2.5);
        assert_eq!(score.ratio(), Some(0.625));
        assert_eq!(score.draw_ratio(), Some(0.25));
    }

    #[test]
    fn the_points_of_both_sides_add_up_to_the_games() {
        let score = Score::new(7, 2, 5);
        assert_eq!(score.points() + score.reversed().points(), 14.0);
        for outcome in Outcome::ALL {
            assert_eq!(outcome.half_points() + outcome.reversed().half_points(), 2);
        }
    }

    #[test]
    fn without_games_there_is_no_ratio() {
        assert_eq!(Score::default().ratio(), None);
        assert_eq!(Score::default().draw_ratio(), None);
    }
}
