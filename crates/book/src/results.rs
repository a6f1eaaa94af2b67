//! Results of the games with a move.

use xiangqi::geometry::Color;
use xiangqi::rules::GameResult;

/// The results of games from the view of the side that made the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Results {
    /// Games that the mover won.
    pub wins: u32,
    /// Drawn games.
    pub draws: u32,
    /// Games that the mover lost.
    pub losses: u32,
    /// Games with an unknown result.
    pub unknown: u32,
}

impl Results {
    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        [self.wins, self.draws, self.losses, self.unknown].into_iter().fold(0, u32::saturating_add)
    }

    /// Returns the mover's share of the points in games with a result, 0 to 1; `None` without such
    /// a game.
    pub fn score(&self) -> Option<f64> {
        let [wins, draws, losses] = [self.wins, self.draws, self.losses].map(f64::from);
        let known = wins + draws + losses;
        (known > 0.0).then(|| (wins + draws / 2.0) / known)
    }

    /// Counts a game in which this side made the move.
    pub(super) fn add(&mut self, result: GameResult, mover: Color) {
        let count = match result {
            GameResult::Draw => &mut self.draws,
            GameResult::Unknown => &mut self.unknown,
            won if won == GameResult::won_by(mover) => &mut self.wins,
            GameResult::RedWins | GameResult::BlackWins => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }
}
