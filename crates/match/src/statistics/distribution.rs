//! Observed frequencies of outcomes: one shape for the trinomial and the pentanomial count.

use super::pairs::PairCounts;
use super::score::GameCounts;

/// Counts of each outcome.
///
/// An observation is a game (3 outcomes) or a pair of games (5 outcomes). Its value is the share of
/// the points taken, so the outcomes, worst first, are evenly spaced from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    counts: Vec<f64>,
    games_each: f64,
}

impl Distribution {
    /// Returns the number of observations: games of a trinomial, pairs of a pentanomial
    /// distribution.
    pub fn observations(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// Returns the games in one observation, 1 or 2.
    pub fn games_each(&self) -> f64 {
        self.games_each
    }

    /// Returns the value of each outcome, worst first: 0, 1/2, 1 or 0, 1/4, 1/2, 3/4, 1.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let steps = self.counts.len() - 1;
        (0..=steps).map(move |step| step as f64 / steps as f64)
    }

    /// Returns the share of each outcome, worst first; none without observations.
    pub fn shares(&self) -> Option<Vec<f64>> {
        let total = self.observations();
        (total > 0.0).then(|| self.counts.iter().map(|count| count / total).collect())
    }

    /// Returns the mean value, that is the score from 0 to 1; none without observations.
    pub fn mean(&self) -> Option<f64> {
        let shares = self.shares()?;
        Some(shares.iter().zip(self.values()).map(|(p, v)| p * v).sum())
    }

    /// Returns the mean square distance of the values from `centre`; none without observations.
    pub fn spread_around(&self, centre: f64) -> Option<f64> {
        let shares = self.shares()?;
        let squares = self.values().map(|value| (value - centre).powi(2));
        Some(shares.iter().zip(squares).map(|(p, square)| p * square).sum())
    }

    /// Returns the variance of the value of one observation; none without observations.
    pub fn variance(&self) -> Option<f64> {
        self.spread_around(self.mean()?)
    }

    /// Returns whether fewer than two different outcomes were observed, so that the variance is
    /// unknown.
    pub fn is_degenerate(&self) -> bool {
        self.counts.iter().filter(|count| **count > 0.0).count() < 2
    }

    /// Returns the distribution with 0.001 observations in place of each 0, so that no outcome is
    /// impossible.
    ///
    /// Source: `regularize` in fishtest's `LLRcalc.py`.
    #[must_use]
    pub fn regularised(&self) -> Distribution {
        const EPSILON: f64 = 1e-3;
        let fill = |count: &f64| if *count == 0.0 { EPSILON } else { *count };
        Distribution { counts: self.counts.iter().map(fill).collect(), games_each: self.games_each }
    }
}

impl From<GameCounts> for Distribution {
    fn from(score: GameCounts) -> Distribution {
        let counts = [score.losses, score.draws, score.wins];
        Distribution { counts: counts.map(|count| count as f64).to_vec(), games_each: 1.0 }
    }
}

impl From<PairCounts> for Distribution {
    fn from(pairs: PairCounts) -> Distribution {
        Distribution { counts: pairs.counts().map(|count| count as f64).to_vec(), games_each: 2.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_counts_agree_about_the_mean() {
        let single = Distribution::from(GameCounts::new(5, 3, 2));
        let paired = Distribution::from(PairCounts::new([1, 0, 2, 2, 0]));
        assert_eq!(single.mean(), Some(0.6));
        assert_eq!(paired.mean(), Some(0.5));
        assert_eq!(paired.observations(), 5.0);
    }

    #[test]
    fn the_variance_is_that_of_the_textbook() {
        // E[v²] - E[v]² by hand: wins and draws of 4, 2 losses, 4 draws.
        let variance = Distribution::from(GameCounts::new(4, 2, 4)).variance();
        assert!((variance.unwrap() - (0.4 + 0.4 * 0.25 - 0.36)).abs() < 1e-15);
    }

    #[test]
    fn independent_games_have_twice_the_variance_of_their_pairs() {
        // 1/4, 1/2, 1/4 convolved with itself is 1, 4, 6, 4, 1 of 16.
        let games = Distribution::from(GameCounts::new(1, 1, 2)).variance();
        let pairs = Distribution::from(PairCounts::new([1, 4, 6, 4, 1])).variance();
        assert!((games.unwrap() - 2.0 * pairs.unwrap()).abs() < 1e-15);
    }

    #[test]
    fn regularising_fills_only_the_empty_outcomes() {
        let filled = Distribution::from(GameCounts::new(0, 7, 0)).regularised();
        assert_eq!(filled.counts, [7.0, 1e-3, 1e-3]);
    }

    #[test]
    fn without_observations_nothing_is_known() {
        let nothing = Distribution::from(GameCounts::default());
        assert_eq!(nothing.mean(), None);
        assert_eq!(nothing.variance(), None);
        assert!(nothing.is_degenerate());
    }
}
