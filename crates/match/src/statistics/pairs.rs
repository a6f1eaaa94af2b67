//! Pairs of games from one opening with colours reversed: the pentanomial count.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use xiangqi::rules::Wdl;

/// Counts of game pairs by the points that one player took from the two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairCounts {
    counts: [u64; 5],
}

impl PairCounts {
    /// Creates the counts of the pairs with 0, 1/2, 1, 3/2 and 2 points, as in fishtest's
    /// `Ptnml(0-2)`.
    pub fn new(counts: [u64; 5]) -> PairCounts {
        PairCounts { counts }
    }

    /// Counts one more pair; both results are those of the same player.
    pub fn record(&mut self, first: Wdl, second: Wdl) {
        self.counts[usize::from(first.half_points() + second.half_points())] += 1;
    }

    /// Returns the counts of the pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub fn counts(self) -> [u64; 5] {
        self.counts
    }

    /// Returns the number of pairs; each has two games.
    pub fn pairs(self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the points taken from all pairs, at most 2 per pair.
    pub fn points(self) -> f64 {
        let half_points: u64 = (0..).zip(self.counts).map(|(half, count)| half * count).sum();
        half_points as f64 / 2.0
    }

    /// Returns the share of pairs that ended 1-1 (two draws, or a win each), from 0 to 1; none
    /// without pairs. fastchess prints this as `DrawRatio`.
    pub fn even_ratio(self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| self.counts[2] as f64 / pairs as f64)
    }

    /// Returns the pairs won per pair lost (fastchess: `PairsRatio`): infinite if none is lost, NaN
    /// if none is won either.
    pub fn won_to_lost(self) -> f64 {
        let lost = self.counts[0] + self.counts[1];
        let won = self.counts[3] + self.counts[4];
        won as f64 / lost as f64
    }

    /// Returns the same pairs counted for the other player.
    #[must_use]
    pub fn reversed(self) -> PairCounts {
        let [c0, c1, c2, c3, c4] = self.counts;
        PairCounts::new([c4, c3, c2, c1, c0])
    }
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, other: PairCounts) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_counted_by_its_points_whatever_the_order_of_its_games() {
        let mut pairs = PairCounts::default();
        for first in Wdl::ALL {
            for second in Wdl::ALL {
                pairs.record(first, second);
            }
        }
        assert_eq!(pairs.counts(), [1, 2, 3, 2, 1]);
        assert_eq!(pairs.pairs(), 9);
        assert_eq!(pairs.points(), 9.0);
        assert_eq!(pairs.even_ratio(), Some(3.0 / 9.0));
        assert_eq!(pairs.won_to_lost(), 1.0);
    }

    #[test]
    fn the_points_of_both_sides_add_up_to_the_games() {
        let pairs = PairCounts::new([1, 20, 300, 4000, 50000]);
        let points = pairs.points() + pairs.reversed().points();
        assert_eq!(points, 2.0 * pairs.pairs() as f64);
    }

    #[test]
    fn ratios_without_pairs_have_no_number() {
        assert_eq!(PairCounts::default().even_ratio(), None);
        assert_eq!(PairCounts::new([0, 0, 4, 1, 0]).won_to_lost(), f64::INFINITY);
        assert!(PairCounts::new([0, 0, 4, 0, 0]).won_to_lost().is_nan());
    }
}
