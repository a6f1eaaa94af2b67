//! The search for the most likely ratings and model, by minorisation-maximisation (MM): each step
//! maximises a lower bound that touches the likelihood at the current values, so the likelihood
//! never falls.
//!
//! Sources: D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of
//! Statistics 32 (2004); R. Coulom, BayesElo (remi-coulom.fr/Bayesian-Elo).

use super::model::{BayesModel, BayesSettings, Parameter};
use super::pairings::Pairing;

/// The state of the maximisation. All strengths are 10^(Elo / 400), so that in a pairing
///
/// ```text
/// P(Red wins)   = a·γ(red) / D1      D1 = a·γ(red) + d·γ(black)
/// P(Black wins) = γ(black) / D2      D2 = d·a·γ(red) + γ(black)
/// P(draw)       = (d² - 1) · P(Red wins) · P(Black wins)
/// ```
///
/// The lower bound of MM replaces each -ln D by its tangent.
///
/// Beyond BayesElo, an estimated draw elo has a prior too. Without it, a tournament in which every
/// decisive game was won by the favourite would be most likely at an infinite draw elo.
pub(super) struct Fit<'a> {
    pairings: &'a [Pairing],
    /// The pairings of each player, as Red or Black.
    of_player: Vec<Vec<usize>>,
    gammas: Vec<f64>,
    /// `a` above.
    advantage: f64,
    /// `d` above, more than 1.
    draw: f64,
    estimates_advantage: bool,
    estimates_draw_elo: bool,
    /// Virtual games between equals without advantage, drawn as often as those of chess engines.
    draw_prior: f64,
}

/// The share of draws among equals in the prior of the draw elo: that of
/// [`BayesModel::CHESS`] without advantage, 1 - 2 / (1 + 10^(97.3/400)).
const DRAW_PRIOR_RATIO: f64 = 0.2730;

fn elo(strength: f64) -> f64 {
    400.0 * strength.log10()
}

fn strength(elo: f64) -> f64 {
    10f64.powf(elo / 400.0)
}

impl Fit<'_> {
    /// Returns the start of the search: equal players under the given model.
    pub(super) fn new<'a>(
        players: usize,
        pairings: &'a [Pairing],
        model: BayesModel,
        settings: &BayesSettings,
    ) -> Fit<'a> {
        let mut of_player = vec![Vec::new(); players];
        for (index, pairing) in pairings.iter().enumerate() {
            of_player[pairing.red].push(index);
            of_player[pairing.black].push(index);
        }
        Fit {
            pairings,
            of_player,
            gammas: vec![1.0; players],
            advantage: strength(model.advantage),
            draw: strength(model.draw_elo),
            estimates_advantage: settings.advantage == Parameter::Estimated,
            estimates_draw_elo: settings.draw_elo == Parameter::Estimated,
            draw_prior: settings.prior_draws,
        }
    }

    /// Returns the ratings in unscaled Elo, with mean 0.
    pub(super) fn ratings(&self) -> Vec<f64> {
        let raw: Vec<f64> = self.gammas.iter().map(|gamma| elo(*gamma)).collect();
        let mean = raw.iter().sum::<f64>() / raw.len() as f64;
        raw.iter().map(|rating| rating - mean).collect()
    }

    /// Returns the current advantage and draw elo.
    pub(super) fn model(&self) -> BayesModel {
        BayesModel { advantage: elo(self.advantage), draw_elo: elo(self.draw) }
    }

    /// Repeats steps until no value moves; returns whether that was reached.
    pub(super) fn maximise(&mut self) -> bool {
        // Some hundred steps are common; players joined by few games, almost all drawn, need
        // ten thousands.
        const MAX_STEPS: usize = 100_000;
        // In Elo. Slow convergence makes the remaining error up to 10⁴ times larger.
        const TOLERANCE: f64 = 1e-7;
        for _ in 0..MAX_STEPS {
            let (ratings, model) = (self.ratings(), self.model());
            for player in 0..self.gammas.len() {
                self.update_gamma(player);
            }
            if self.estimates_advantage {
                self.update_advantage();
            }
            if self.estimates_draw_elo {
                self.update_draw();
            }
            let moves = ratings.iter().zip(self.ratings()).map(|(old, new)| (new - old).abs());
            let largest = moves
                .fold(0.0, f64::max)
                .max((self.model().advantage - model.advantage).abs())
                .max((self.model().draw_elo - model.draw_elo).abs());
            if largest < TOLERANCE {
                return true;
            }
        }
        false
    }

    /// Returns the slopes of the tangents of a pairing: (wins + draws) / D1 and (losses + draws) /
    /// D2.
    fn slopes(&self, pairing: &Pairing) -> (f64, f64) {
        let red = self.advantage * self.gammas[pairing.red];
        let black = self.gammas[pairing.black];
        (
            (pairing.wins + pairing.draws) / (red + self.draw * black),
            (pairing.losses + pairing.draws) / (self.draw * red + black),
        )
    }

    fn update_gamma(&mut self, player: usize) {
        let (mut won, mut slope) = (0.0, 0.0);
        for pairing in self.of_player[player].iter().map(|index| &self.pairings[*index]) {
            let (first, second) = self.slopes(pairing);
            if pairing.red == player {
                won += pairing.wins + pairing.draws;
                slope += self.advantage * (first + self.draw * second);
            } else {
                won += pairing.losses + pairing.draws;
                slope += self.draw * first + second;
            }
        }
        self.gammas[player] = won / slope;
    }

    fn update_advantage(&mut self) {
        let (mut won, mut slope) = (0.0, 0.0);
        for pairing in self.pairings {
            let (first, second) = self.slopes(pairing);
            won += pairing.wins + pairing.draws;
            slope += self.gammas[pairing.red] * (first + self.draw * second);
        }
        self.advantage = won / slope;
    }

    /// Sets the draw parameter to the maximum of draws · ln(d² - 1) - slope · d.
    fn update_draw(&mut self) {
        // In a game of equals without advantage, D1 = D2 = 1 + d.
        let mut draws = self.draw_prior * DRAW_PRIOR_RATIO;
        let mut slope = (self.draw_prior + draws) / (1.0 + self.draw);
        for pairing in self.pairings {
            let (first, second) = self.slopes(pairing);
            draws += pairing.draws;
            let red = self.advantage * self.gammas[pairing.red];
            slope += self.gammas[pairing.black] * first + red * second;
        }
        let ratio = draws / slope;
        self.draw = ratio + (ratio * ratio + 1.0).sqrt();
    }

    /// Returns the negative Hessian of the log-likelihood in the ratings, per square of unscaled
    /// Elo.
    pub(super) fn information(&self) -> Vec<Vec<f64>> {
        let per_elo = std::f64::consts::LN_10 / 400.0;
        let (ratings, model) = (self.ratings(), self.model());
        let mut information = vec![vec![0.0; ratings.len()]; ratings.len()];
        for pairing in self.pairings {
            let difference = ratings[pairing.red] - ratings[pairing.black];
            let (win, loss) = (model.win(difference), model.loss(difference));
            let bend = (pairing.wins + pairing.draws) * win * (1.0 - win)
                + (pairing.losses + pairing.draws) * loss * (1.0 - loss);
            let bend = bend * per_elo * per_elo;
            information[pairing.red][pairing.red] += bend;
            information[pairing.black][pairing.black] += bend;
            information[pairing.red][pairing.black] -= bend;
            information[pairing.black][pairing.red] -= bend;
        }
        information
    }
}

#[cfg(test)]
mod tests {
    use super::super::elo::score_of_elo;
    use super::*;

    /// Returns the log-likelihood with the prior of two games for the draw elo, from the
    /// probabilities alone.
    fn log_likelihood(pairings: &[Pairing], ratings: &[f64], model: BayesModel) -> f64 {
        let term = |pairing: &Pairing| {
            let difference = ratings[pairing.red] - ratings[pairing.black];
            let (win, loss) = (model.win(difference), model.loss(difference));
            let draw = 1.0 - win - loss;
            pairing.wins * win.ln() + pairing.draws * draw.ln() + pairing.losses * loss.ln()
        };
        let equals = score_of_elo(-model.draw_elo);
        let prior = 2.0 * DRAW_PRIOR_RATIO * (1.0 - 2.0 * equals).ln()
            + 2.0 * (1.0 - DRAW_PRIOR_RATIO) * equals.ln();
        prior + pairings.iter().map(term).sum::<f64>()
    }

    /// Returns games of players who met in a chain, some across it, with arbitrary counts.
    fn games() -> Vec<Pairing> {
        let counts = [
            (0, 1, 9.0, 4.5, 3.0),
            (1, 0, 5.0, 6.0, 4.0),
            (1, 2, 7.0, 1.0, 2.0),
            (2, 3, 4.0, 8.0, 3.0),
            (3, 0, 1.0, 2.5, 6.0),
        ];
        let pairing =
            |(red, black, wins, draws, losses)| Pairing { red, black, wins, draws, losses };
        counts.map(pairing).to_vec()
    }

    fn fitted(pairings: &[Pairing]) -> Fit<'_> {
        let mut fit = Fit::new(4, pairings, BayesModel::CHESS, &BayesSettings::default());
        assert!(fit.maximise());
        fit
    }

    #[test]
    fn no_step_from_the_fit_makes_the_games_more_likely() {
        let pairings = games();
        let fit = fitted(&pairings);
        let (ratings, model) = (fit.ratings(), fit.model());
        let best = log_likelihood(&pairings, &ratings, model);
        for step in [0.05, -0.05, 5.0, -5.0] {
            for player in 0..4 {
                let mut other = ratings.clone();
                other[player] += step;
                assert!(log_likelihood(&pairings, &other, model) < best);
            }
            let advantage = model.advantage + step;
            let other = BayesModel { advantage, ..model };
            assert!(log_likelihood(&pairings, &ratings, other) < best);
            let draw_elo = model.draw_elo + step;
            let other = BayesModel { draw_elo, ..model };
            assert!(log_likelihood(&pairings, &ratings, other) < best);
        }
    }

    #[test]
    fn the_information_is_the_second_difference_of_the_log_likelihood() {
        let pairings = games();
        let fit = fitted(&pairings);
        let (ratings, model) = (fit.ratings(), fit.model());
        let information = fit.information();
        let step = 0.5;
        for i in 0..4 {
            for j in 0..4 {
                let at = |first: f64, second: f64| {
                    let mut moved = ratings.clone();
                    moved[i] += first * step;
                    moved[j] += second * step;
                    log_likelihood(&pairings, &moved, model)
                };
                let mixed = at(1.0, 1.0) - at(1.0, -1.0) - at(-1.0, 1.0) + at(-1.0, -1.0);
                let second = mixed / (4.0 * step * step);
                assert!((information[i][j] + second).abs() < 1e-3 * information[i][i]);
            }
        }
    }
}
