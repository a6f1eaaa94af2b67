//! The running count of a match: games as they end, joined into pairs as they complete.

use std::collections::BTreeMap;

use xiangqi::rules::Wdl;

use super::distribution::Distribution;
use super::pairs::PairCounts;
use super::score::GameCounts;

/// The count of a match between two players, counted for the first.
///
/// Games of several pairs may run at once and end in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchTally {
    score: GameCounts,
    pairs: PairCounts,
    singles: u64,
    waiting: BTreeMap<u64, Wdl>,
}

impl MatchTally {
    /// Counts a game that belongs to no pair.
    pub fn record_single(&mut self, outcome: Wdl) {
        self.score.record(outcome);
        self.singles += 1;
    }

    /// Counts a game of the pair with the given number; the second game with that number completes
    /// the pair, and the number is then free again.
    pub fn record_paired(&mut self, pair: u64, outcome: Wdl) {
        self.score.record(outcome);
        match self.waiting.remove(&pair) {
            Some(first) => self.pairs.record(first, outcome),
            None => {
                self.waiting.insert(pair, outcome);
            }
        }
    }

    /// Adds the games of another match of the same players, counted for the same one.
    /// If they were played in pairs, a game without its partner counts as played, but for no pair.
    pub fn add(&mut self, score: GameCounts, pairs: PairCounts, in_pairs: bool) {
        self.score += score;
        self.pairs += pairs;
        if !in_pairs {
            self.singles += score.games();
        }
    }

    /// Returns whether all games are played in pairs.
    pub fn is_in_pairs(&self) -> bool {
        self.singles == 0
    }

    /// Returns all games so far, those of incomplete pairs included.
    pub fn score(&self) -> GameCounts {
        self.score
    }

    /// Returns the complete pairs so far.
    pub fn pairs(&self) -> PairCounts {
        self.pairs
    }

    /// Returns the counts that the statistics should be computed from: the complete pairs if all
    /// games are played in pairs, otherwise the single games.
    ///
    /// A game that still waits for its pair is left out of the former; it counts as soon as the
    /// pair completes.
    pub fn distribution(&self) -> Distribution {
        if self.is_in_pairs() {
            Distribution::from(self.pairs)
        } else {
            Distribution::from(self.score)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_complete_in_any_order() {
        let mut tally = MatchTally::default();
        tally.record_paired(1, Wdl::Win);
        tally.record_paired(2, Wdl::Loss);
        tally.record_paired(3, Wdl::Draw);
        tally.record_paired(2, Wdl::Draw);
        tally.record_paired(1, Wdl::Win);
        assert_eq!(tally.score(), GameCounts::new(2, 1, 2));
        assert_eq!(tally.pairs(), PairCounts::new([0, 1, 0, 0, 1]));
    }

    #[test]
    fn only_complete_pairs_are_observations() {
        let mut tally = MatchTally::default();
        tally.record_paired(1, Wdl::Win);
        assert_eq!(tally.distribution(), Distribution::from(PairCounts::default()));
        tally.record_paired(1, Wdl::Draw);
        tally.record_paired(2, Wdl::Loss);
        let one_pair = Distribution::from(PairCounts::new([0, 0, 0, 1, 0]));
        assert_eq!(tally.distribution(), one_pair);
    }

    #[test]
    fn a_single_game_makes_the_whole_match_trinomial() {
        let mut tally = MatchTally::default();
        tally.record_paired(1, Wdl::Win);
        tally.record_paired(1, Wdl::Draw);
        tally.record_single(Wdl::Loss);
        assert_eq!(tally.distribution(), Distribution::from(GameCounts::new(1, 1, 1)));
    }
}
