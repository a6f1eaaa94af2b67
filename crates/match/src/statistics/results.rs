//! Results of games among many players, counted by players and colours.

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;
use xiangqi::rules::Wdl;

use super::score::GameCounts;

/// The reason why a game cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResultError {
    /// A player cannot be rated against itself.
    #[error("{0} plays both sides; give the two players different names")]
    SamePlayer(String),
}

/// The games of a tournament. Players are numbered in the order in which they first appear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResultSet {
    players: Vec<String>,
    /// The numbers of the players, by name.
    numbers: HashMap<String, usize>,
    /// Scores of Red, by the numbers of Red and Black.
    scores: BTreeMap<(usize, usize), GameCounts>,
}

impl ResultSet {
    /// Returns the number of the player with this name, who is entered if new. A player may be
    /// entered before the first game.
    pub fn enter(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.players.len();
        self.players.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// Counts a game; the outcome is that of Red.
    ///
    /// # Errors
    ///
    /// If both players have the same name.
    pub fn record(&mut self, red: &str, black: &str, outcome: Wdl) -> Result<(), ResultError> {
        let mut score = GameCounts::default();
        score.record(outcome);
        self.add(red, black, score)
    }

    /// Counts many games between the same two players with the same colours; the score is that
    /// of Red.
    ///
    /// # Errors
    ///
    /// If both players have the same name.
    pub fn add(&mut self, red: &str, black: &str, score: GameCounts) -> Result<(), ResultError> {
        if red == black {
            return Err(ResultError::SamePlayer(red.to_owned()));
        }
        let colours = (self.enter(red), self.enter(black));
        *self.scores.entry(colours).or_default() += score;
        Ok(())
    }

    /// Returns the names of the players, by number.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Returns the score of `red` in all its games with Red against `black`, by numbers; empty if
    /// there are none.
    pub fn colour_score(&self, red: usize, black: usize) -> GameCounts {
        self.scores.get(&(red, black)).copied().unwrap_or_default()
    }

    /// Returns the score of `player` against `opponent` with both colours, by numbers.
    pub fn score_against(&self, player: usize, opponent: usize) -> GameCounts {
        let mut score = self.colour_score(player, opponent);
        score += self.colour_score(opponent, player).reversed();
        score
    }

    /// Returns the score of a player in all games, by number.
    pub fn total(&self, player: usize) -> GameCounts {
        let mut total = GameCounts::default();
        for opponent in 0..self.players.len() {
            total += self.score_against(player, opponent);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_for_both_players_and_both_colours() {
        let mut results = ResultSet::default();
        for (red, black, outcome) in [
            ("A", "B", Wdl::Win),
            ("B", "A", Wdl::Win),
            ("B", "A", Wdl::Draw),
            ("C", "A", Wdl::Loss),
        ] {
            results.record(red, black, outcome).unwrap();
        }
        assert_eq!(results.players(), ["A", "B", "C"]);
        assert_eq!(results.colour_score(1, 0), GameCounts::new(1, 0, 1));
        assert_eq!(results.score_against(0, 1), GameCounts::new(1, 1, 1));
        assert_eq!(results.score_against(1, 2), GameCounts::default());
        assert_eq!(results.total(0), GameCounts::new(2, 1, 1));
    }

    #[test]
    fn a_player_entered_twice_keeps_the_number() {
        let mut results = ResultSet::default();
        assert_eq!(results.enter("A"), 0);
        assert_eq!(results.enter("B"), 1);
        assert_eq!(results.enter("A"), 0);
        assert_eq!(results.total(1), GameCounts::default());
    }

    #[test]
    fn a_game_of_a_player_against_itself_is_refused() {
        let mut results = ResultSet::default();
        let refused = results.record("A", "A", Wdl::Draw);
        assert_eq!(refused, Err(ResultError::SamePlayer("A".to_owned())));
        assert!(results.players().is_empty());
    }
}
