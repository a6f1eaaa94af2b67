//! The results so far, by pairing.

use std::collections::BTreeMap;

use xiangqi::rules::Wdl;

use super::super::statistics::{GameCounts, MatchTally, PairCounts, ResultSet};
use super::schedule::Schedule;

/// The results of a match, counted by pairing.
#[derive(Clone, Debug)]
pub(super) struct Standings {
    names: Vec<String>,
    tallies: BTreeMap<(usize, usize), MatchTally>,
    games: u32,
}

impl Standings {
    /// Creates standings without results, for engines with these names.
    pub(super) fn new(names: Vec<String>) -> Standings {
        Standings { names, tallies: BTreeMap::new(), games: 0 }
    }

    /// Counts the game of this number with its result for Red. A number that the schedule does not
    /// have is ignored.
    pub(super) fn record(&mut self, schedule: &Schedule, number: u32, outcome: Wdl) {
        let Some(plan) = schedule.plan(number) else { return };
        let [red, black] = plan.engines;
        let (key, outcome) =
            if red < black { ((red, black), outcome) } else { ((black, red), outcome.reversed()) };
        let tally = self.tallies.entry(key).or_default();
        match plan.pair {
            Some(pair) => tally.record_paired(pair, outcome),
            None => tally.record_single(outcome),
        }
        self.games += 1;
    }

    /// Adds the games of two engines in another match, counted for the first engine; unknown
    /// engines are added.
    pub(super) fn add(
        &mut self,
        [first, second]: [&str; 2],
        score: GameCounts,
        pairs: PairCounts,
        in_pairs: bool,
    ) {
        let [one, two] = [first, second].map(|name| {
            self.names.iter().position(|known| known == name).unwrap_or_else(|| {
                self.names.push(name.to_owned());
                self.names.len() - 1
            })
        });
        let (key, score, pairs) = if one < two {
            ((one, two), score, pairs)
        } else {
            ((two, one), score.reversed(), pairs.reversed())
        };
        self.tallies.entry(key).or_default().add(score, pairs, in_pairs);
        let games = u32::try_from(score.games()).unwrap_or(u32::MAX);
        self.games = self.games.saturating_add(games);
    }

    /// Returns the names of the engines.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the games counted.
    pub(super) fn games(&self) -> u32 {
        self.games
    }

    /// Returns the tally of each pair of engines, counted for the one with the lower index.
    pub(super) fn pairings(&self) -> impl Iterator<Item = ((usize, usize), &MatchTally)> {
        self.tallies.iter().map(|(&key, tally)| (key, tally))
    }

    /// Returns the tally of the first two engines: that of a match of two.
    pub(super) fn first_pairing(&self) -> MatchTally {
        self.tallies.get(&(0, 1)).cloned().unwrap_or_default()
    }

    /// Returns all games, for tables of every engine against every other.
    pub(super) fn result_set(&self) -> ResultSet {
        let mut results = ResultSet::default();
        for name in &self.names {
            results.enter(name);
        }
        for (&(one, two), tally) in &self.tallies {
            // It fails only for equal names, and the engines of a match have different ones.
            let _ = results.add(&self.names[one], &self.names[two], tally.score());
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::TournamentForm;
    use super::*;

    #[test]
    fn games_count_for_the_right_engine_whatever_its_colour() {
        let schedule = Schedule::new(TournamentForm::RoundRobin, 2, 3, 2, true);
        let mut standings = Standings::new(vec!["a".to_owned(), "b".to_owned()]);
        // The first engine wins with both colours, then loses with Black.
        for (number, outcome) in [(0, Wdl::Win), (1, Wdl::Loss), (3, Wdl::Win)] {
            standings.record(&schedule, number, outcome);
        }
        standings.record(&schedule, 99, Wdl::Win);
        assert_eq!(standings.result_set().total(0), GameCounts::new(2, 1, 0));
        assert_eq!(standings.result_set().total(1), GameCounts::new(1, 2, 0));
        assert_eq!(standings.first_pairing().pairs().counts(), [0, 0, 0, 0, 1]);
        assert_eq!(standings.games(), 3);
    }

    #[test]
    fn results_of_other_matches_are_pooled_in_either_order() {
        let mut standings = Standings::new(Vec::new());
        let counts = PairCounts::new;
        standings.add(["a", "b"], GameCounts::new(3, 1, 0), counts([0, 0, 1, 0, 1]), true);
        standings.add(["b", "a"], GameCounts::new(2, 0, 1), counts([0, 0, 0, 1, 0]), true);
        // The first game of a pair whose second one was not played.
        standings.add(["a", "b"], GameCounts::new(1, 0, 0), counts([0; 5]), true);
        let tally = standings.first_pairing();
        assert_eq!(tally.score(), GameCounts::new(4, 3, 1));
        assert_eq!(tally.pairs().counts(), [0, 1, 1, 0, 1]);
        assert_eq!(
            tally.distribution().observations(),
            3.0,
            "the games without partners are left out"
        );
        assert_eq!((standings.games(), standings.names().len()), (8, 2));
        standings.add(["a", "b"], GameCounts::new(1, 0, 0), counts([0; 5]), false);
        assert_eq!(standings.first_pairing().distribution().observations(), 9.0);
    }
}
