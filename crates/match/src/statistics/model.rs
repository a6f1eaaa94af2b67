//! The rating model of BayesElo: the probabilities of win, draw and loss at a rating difference.
//!
//! Red wins with probability f(draw elo - Δ - advantage) and loses with f(draw elo + Δ +
//! advantage), where Δ is the rating of Red less that of Black and f(x) = 1 / (1 + 10^(x/400));
//! otherwise the game is drawn.
//!
//! Source: R. Coulom, BayesElo (remi-coulom.fr/Bayesian-Elo).

use std::ops::RangeInclusive;

use serde::Serialize;

use super::elo::score_of_elo;

/// The two parameters of the model that all games share, in unscaled Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BayesModel {
    /// The advantage of Red, who moves first.
    pub advantage: f64,
    /// The rating lead at which a player wins half of the games, without advantage: the larger, the
    /// more draws.
    pub draw_elo: f64,
}

impl BayesModel {
    /// The values that Coulom found for chess engines.
    pub const CHESS: BayesModel = BayesModel { advantage: 32.8, draw_elo: 97.3 };

    /// Returns the probability that Red wins at a rating difference of Red over Black, in unscaled
    /// Elo.
    pub fn win(self, difference: f64) -> f64 {
        score_of_elo(difference + self.advantage - self.draw_elo)
    }

    /// Returns the probability that Red loses.
    pub fn loss(self, difference: f64) -> f64 {
        score_of_elo(-difference - self.advantage - self.draw_elo)
    }

    /// Returns the probability of a draw.
    pub fn draw(self, difference: f64) -> f64 {
        // 1 - win - loss, written without cancellation.
        let odds = 10f64.powf(self.draw_elo / 400.0);
        (odds * odds - 1.0) * self.win(difference) * self.loss(difference)
    }

    /// Returns the factor from unscaled to displayed ratings. Draws flatten the curve of the
    /// expected score; the factor gives small differences the meaning they have in logistic Elo.
    ///
    /// Source: the `scale` command of BayesElo, 4x / (1 + x)² with x = 10^(-draw elo / 400).
    pub fn scale(self) -> f64 {
        let x = 10f64.powf(-self.draw_elo / 400.0);
        4.0 * x / (1.0 + x).powi(2)
    }
}

/// A parameter of the model: known beforehand or estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    /// Fixed at this value, in unscaled Elo.
    Fixed(f64),
    /// Estimated from the games.
    Estimated,
}

/// The settings of the computation of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesSettings {
    /// The weight of the prior: in a match of two players, the number of virtual draws. Each player
    /// brings half that number, spread over its opponents as its games are. An estimated draw elo
    /// has a prior of as many virtual games.
    pub prior_draws: f64,
    /// The advantage of Red.
    pub advantage: Parameter,
    /// BayesElo's draw Elo, as in [`BayesModel`].
    pub draw_elo: Parameter,
}

impl BayesSettings {
    /// The numbers of virtual draws that can be computed with. Without any, the rating of a player
    /// who won everything would be infinite.
    pub const PRIORS: RangeInclusive<f64> = 0.01..=1000.0;

    /// The advantages of Red that games could show.
    pub const ADVANTAGES: RangeInclusive<f64> = -1000.0..=1000.0;

    /// The draw elos under which all results are possible.
    pub const DRAW_ELOS: RangeInclusive<f64> = 0.1..=1000.0;
}

/// BayesElo's prior of 2 draws, both parameters estimated: the values for chess do not hold for
/// xiangqi.
impl Default for BayesSettings {
    fn default() -> BayesSettings {
        BayesSettings {
            prior_draws: 2.0,
            advantage: Parameter::Estimated,
            draw_elo: Parameter::Estimated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_chess_players_win_and_draw_as_the_published_model_says() {
        let model = BayesModel::CHESS;
        // 1 / (1 + 10^(64.5/400)) and 1 / (1 + 10^(130.1/400)).
        assert!((model.win(0.0) - 0.408_229).abs() < 1e-6, "{}", model.win(0.0));
        assert!((model.loss(0.0) - 0.321_058).abs() < 1e-6, "{}", model.loss(0.0));
        assert!((model.draw(0.0) - 0.270_714).abs() < 1e-6, "{}", model.draw(0.0));
        assert!((model.scale() - 0.925_497).abs() < 1e-6, "{}", model.scale());
        for difference in [-500.0, -32.8, 0.0, 77.0, 1500.0] {
            let sum = model.win(difference) + model.draw(difference) + model.loss(difference);
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_scale_gives_small_differences_their_logistic_meaning() {
        let model = BayesModel { advantage: 0.0, draw_elo: 250.0 };
        let score = model.win(1.0) + model.draw(1.0) / 2.0;
        assert!((score - score_of_elo(model.scale())).abs() < 1e-7);
    }
}
