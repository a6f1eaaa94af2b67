//! Bayesian Elo ratings of many players, as BayesElo computes them.
//!
//! The ratings are those that make the games most likely together with a prior: a number of virtual
//! draws of each player against its own opponents, which keeps the rating of a player who won
//! everything finite. Advantage of Red and draw elo may be estimated from the same games.
//!
//! Source: R. Coulom, BayesElo (remi-coulom.fr/Bayesian-Elo).

use thiserror::Error;

use super::covariance;
use super::fit::Fit;
use super::model::{BayesModel, BayesSettings, Parameter};
use super::pairings::{pairings, stranger_to_first};
use super::ratings::RatingTable;
use super::results::ResultSet;

/// The maximum number of players.
const MAX_PLAYERS: usize = 3000;

/// The reason why no ratings can be computed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RatingError {
    /// No games were played.
    #[error("there are no games to rate")]
    NoGames,
    /// Time grows with the third power of the number of players.
    #[error("{0} players are too many to rate together; rate at most {MAX_PLAYERS}")]
    TooMany(usize),
    /// Ratings compare players only through games.
    #[error("no games connect {0} with {1}; rate the groups separately or let them meet")]
    Disconnected(String, String),
    /// Without a prior the rating of a player who won everything would be infinite.
    #[error("a prior of {0} draws is out of range; give a number from 0.01 to 1000, such as 2")]
    Prior(f64),
    /// An advantage beyond what games could show.
    #[error("an advantage of {0} Elo is out of range; give one from -1000 to 1000")]
    Advantage(f64),
    /// A draw elo under which draws, or all other results, are impossible.
    #[error("a draw elo of {0} is out of range; give one from 0.1 to 1000")]
    DrawElo(f64),
    /// The games fix the ratings too weakly to compute with.
    #[error("the games do not bound the ratings; raise the prior")]
    Unbounded,
}

/// Computes the ratings of all players who have games, their intervals and the likelihoods of
/// superiority. The mean rating is 0.
///
/// The intervals come from the Hessian of the log-likelihood in all ratings, with advantage and
/// draw elo taken as exact.
///
/// # Errors
///
/// If there are no games, the players fall into groups that never met, or a setting is out of
/// range.
pub fn rate(results: &ResultSet, settings: &BayesSettings) -> Result<RatingTable, RatingError> {
    let model = starting_model(settings)?;
    let count = results.players().len();
    if count > MAX_PLAYERS {
        return Err(RatingError::TooMany(count));
    }
    let all = 0..count;
    let players: Vec<usize> = all.filter(|player| results.total(*player).games() > 0).collect();
    if players.is_empty() {
        return Err(RatingError::NoGames);
    }
    let pairings = pairings(results, &players, settings.prior_draws);
    if let Some(stranger) = stranger_to_first(players.len(), &pairings) {
        let name = |number: usize| results.players()[players[number]].clone();
        return Err(RatingError::Disconnected(name(0), name(stranger)));
    }
    let mut fit = Fit::new(players.len(), &pairings, model, settings);
    let converged = fit.maximise();
    let covariance =
        covariance::of_differences(&fit.information()).ok_or(RatingError::Unbounded)?;
    let mut table = RatingTable::new(results, &players, &fit.ratings(), &covariance, fit.model());
    table.converged = converged;
    Ok(table)
}

/// Returns the model that the search begins with: the fixed values, those for chess for the others.
fn starting_model(settings: &BayesSettings) -> Result<BayesModel, RatingError> {
    if !BayesSettings::PRIORS.contains(&settings.prior_draws) {
        return Err(RatingError::Prior(settings.prior_draws));
    }
    let mut model = BayesModel::CHESS;
    if let Parameter::Fixed(advantage) = settings.advantage {
        if !BayesSettings::ADVANTAGES.contains(&advantage) {
            return Err(RatingError::Advantage(advantage));
        }
        model.advantage = advantage;
    }
    if let Parameter::Fixed(draw_elo) = settings.draw_elo {
        if !BayesSettings::DRAW_ELOS.contains(&draw_elo) {
            return Err(RatingError::DrawElo(draw_elo));
        }
        model.draw_elo = draw_elo;
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::super::normal;
    use super::super::score::GameCounts;
    use super::*;
    use cannonade_tables::random::Random;
    use xiangqi::rules::Wdl;

    const CHESS: BayesSettings = BayesSettings {
        prior_draws: 2.0,
        advantage: Parameter::Fixed(32.8),
        draw_elo: Parameter::Fixed(97.3),
    };

    fn elo_of(table: &RatingTable, name: &str) -> f64 {
        let row = table.rows.iter().find(|row| row.name == name);
        row.unwrap().elo
    }

    /// Simulates games in which every player has Red in `games` games against every other.
    fn simulated(ratings: &[f64], model: BayesModel, games: u64, seed: u64) -> ResultSet {
        let mut random = Random::new(seed);
        let mut results = ResultSet::default();
        for (red, red_elo) in ratings.iter().enumerate() {
            for (black, black_elo) in ratings.iter().enumerate() {
                let difference = red_elo - black_elo;
                let chances = [model.win(difference), model.draw(difference)];
                let chances = [chances[0], chances[1], 1.0 - chances[0] - chances[1]];
                for _ in 0..if red == black { 0 } else { games } {
                    let outcome = Wdl::ALL[random.choose(&chances)];
                    results.record(&red.to_string(), &black.to_string(), outcome).unwrap();
                }
            }
        }
        results
    }

    #[test]
    fn two_players_with_equal_results_of_both_colours_have_the_closed_form() {
        let mut results = ResultSet::default();
        results.add("A", "B", GameCounts::new(500_000, 200_000, 299_999)).unwrap();
        results.add("B", "A", GameCounts::new(200_000, 500_000, 299_999)).unwrap();
        let table = rate(&results, &BayesSettings::default()).unwrap();
        // Enough games to outweigh the prior: P(win) = 0.5 and P(loss) = 0.2, so Δ - draw elo = 0
        // and -Δ - draw elo = -400 log10(4).
        let half = 200.0 * 4f64.log10();
        assert!(table.converged);
        assert!(table.model.advantage.abs() < 1e-4);
        assert!((table.model.draw_elo - half).abs() < 1e-3);
        assert!((elo_of(&table, "A") - table.model.scale() * half / 2.0).abs() < 1e-3);
        assert!((elo_of(&table, "A") + elo_of(&table, "B")).abs() < 1e-9);
    }

    #[test]
    fn the_advantage_of_red_alone_explains_results_that_follow_the_colour() {
        let mut results = ResultSet::default();
        results.add("A", "B", GameCounts::new(500_000, 200_000, 299_999)).unwrap();
        results.add("B", "A", GameCounts::new(500_000, 200_000, 299_999)).unwrap();
        let table = rate(&results, &BayesSettings::default()).unwrap();
        let half = 200.0 * 4f64.log10();
        assert!((table.model.advantage - half).abs() < 1e-3);
        assert!((table.model.draw_elo - half).abs() < 1e-3);
        assert!(elo_of(&table, "A").abs() < 1e-4);
    }

    #[test]
    fn known_ratings_are_recovered_from_simulated_games() {
        let truth = [300.0, 120.0, 10.0, -30.0, -150.0, -250.0];
        let model = BayesModel { advantage: 55.0, draw_elo: 180.0 };
        let table = rate(&simulated(&truth, model, 400, 1), &BayesSettings::default()).unwrap();
        assert!((table.model.advantage - 55.0).abs() < 8.0, "{:?}", table.model);
        assert!((table.model.draw_elo - 180.0).abs() < 8.0, "{:?}", table.model);
        for (player, truth) in truth.iter().enumerate() {
            let found = elo_of(&table, &player.to_string()) / table.scale;
            assert!((found - truth).abs() < 20.0, "{player}: {found} {truth}");
        }
        let order: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(order, ["0", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        let truth = [90.0, 20.0, -40.0, -70.0];
        let (mut inside, runs) = (0, 250);
        for seed in 0..runs {
            let results = simulated(&truth, BayesModel::CHESS, 40, seed);
            let table = rate(&results, &CHESS).unwrap();
            for (player, truth) in truth.iter().enumerate() {
                let name = player.to_string();
                let row = table.rows.iter().find(|row| row.name == name).unwrap();
                let error = truth * table.scale - row.elo;
                inside += u64::from(-row.minus <= error && error <= row.plus);
            }
        }
        // 950 of 1000 expected, with a deviation of at most 14 for dependent ratings.
        assert!((915..=980).contains(&inside), "{inside}");
    }

    #[test]
    fn superiority_grows_with_the_difference_and_is_antisymmetric() {
        let results = simulated(&[60.0, 0.0, -60.0], BayesModel::CHESS, 30, 2);
        let table = rate(&results, &CHESS).unwrap();
        for (i, row) in table.superiority.iter().enumerate() {
            for (j, likelihood) in row.iter().enumerate() {
                assert!((likelihood + table.superiority[j][i] - 1.0).abs() < 1e-12);
                assert!(i > j || *likelihood >= 0.5);
            }
        }
        // Of two players, both deviations are half of that of the difference.
        let mut results = ResultSet::default();
        results.add("A", "B", GameCounts::new(9, 5, 6)).unwrap();
        let table = rate(&results, &CHESS).unwrap();
        let deviation = table.rows[0].plus / normal::QUANTILE_95;
        let expected = normal::cumulative(table.rows[0].elo / deviation);
        assert!((table.superiority[0][1] - expected).abs() < 1e-9);
    }

    #[test]
    fn results_without_a_loss_or_a_win_still_have_finite_ratings() {
        for score in [GameCounts::new(9, 0, 0), GameCounts::new(0, 0, 9), GameCounts::new(0, 12, 0)]
        {
            let mut results = ResultSet::default();
            results.add("A", "B", score).unwrap();
            let table = rate(&results, &BayesSettings::default()).unwrap();
            assert!(table.converged, "{score:?}");
            for row in &table.rows {
                assert!(row.elo.is_finite() && row.plus.is_finite(), "{score:?}");
            }
        }
    }

    #[test]
    fn groups_that_never_met_are_refused_and_players_without_games_left_out() {
        let mut results = ResultSet::default();
        assert_eq!(rate(&results, &CHESS), Err(RatingError::NoGames));
        results.enter("idle");
        results.add("A", "B", GameCounts::new(1, 0, 0)).unwrap();
        assert_eq!(rate(&results, &CHESS).unwrap().rows.len(), 2);
        results.add("C", "D", GameCounts::new(1, 0, 0)).unwrap();
        let refused = RatingError::Disconnected("A".to_owned(), "C".to_owned());
        assert_eq!(rate(&results, &CHESS), Err(refused));
        results.add("D", "A", GameCounts::new(0, 0, 1)).unwrap();
        assert_eq!(rate(&results, &CHESS).unwrap().rows.len(), 4);
    }

    #[test]
    fn more_players_than_can_be_rated_in_a_minute_are_refused() {
        let mut results = ResultSet::default();
        for number in 0..=MAX_PLAYERS {
            results.enter(&number.to_string());
        }
        assert_eq!(rate(&results, &CHESS), Err(RatingError::TooMany(MAX_PLAYERS + 1)));
    }

    #[test]
    fn settings_out_of_range_are_refused() {
        let mut results = ResultSet::default();
        results.add("A", "B", GameCounts::new(1, 0, 0)).unwrap();
        let prior_draws = 0.0;
        let refused = rate(&results, &BayesSettings { prior_draws, ..CHESS });
        assert_eq!(refused, Err(RatingError::Prior(0.0)));
        let draw_elo = Parameter::Fixed(0.0);
        let refused = rate(&results, &BayesSettings { draw_elo, ..CHESS });
        assert_eq!(refused, Err(RatingError::DrawElo(0.0)));
        let advantage = Parameter::Fixed(f64::NAN);
        assert!(rate(&results, &BayesSettings { advantage, ..CHESS }).is_err());
    }
}
