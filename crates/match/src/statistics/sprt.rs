//! The sequential probability ratio test: play until the games decide between two hypotheses.
//!
//! Under H0 the strength difference is `elo0`, under H1 it is `elo1`. After each game or pair
//! the log-likelihood ratio (LLR) of H1 to H0 is compared with two bounds that depend on the
//! accepted error rates only. As the distribution of outcomes is unknown but for the strength
//! difference, the ratio is that of the most likely distributions under each hypothesis (GSPRT).
//!
//! Sources: A. Wald, "Sequential tests of statistical hypotheses" (1945); M. Van den Bergh, "A
//! practical introduction to the GSPRT" (cantate.be/Fishtest); fishtest, `LLRcalc.py`.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use super::distribution::Distribution;
use super::elo::{NELO_PER_DEVIATION, score_of_elo};
use super::likelihood;

/// The scale in which the hypotheses of a test are stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Logistic Elo: hypotheses about the score.
    Logistic,
    /// Normalised Elo: hypotheses about the score in standard deviations of a game, so that the
    /// length of the test does not depend on the share of draws. Fishtest's choice.
    #[default]
    Normalised,
}

/// The reason why a test cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The hypotheses are not two different ones in rising order.
    #[error("elo0 ({elo0}) must be less than elo1 ({elo1})")]
    Order {
        /// The difference under H0.
        elo0: f64,
        /// The difference under H1.
        elo1: f64,
    },
    /// A hypothesis so far from 0 that games cannot distinguish it from a certain win.
    #[error("{0} Elo is out of range; give hypotheses from -{MAX_ELO} to {MAX_ELO}")]
    Elo(f64),
    /// An error rate that is not a probability, or so high that the bounds would cross.
    #[error("error rate {0} is out of range; give alpha and beta between 0 and 0.5, such as 0.05")]
    ErrorRate(f64),
}

/// Hypotheses beyond this difference, in Elo of either scale, are refused.
const MAX_ELO: f64 = 300.0;

/// The decision that the games so far allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtState {
    /// Neither bound is reached: more games are needed.
    Continue,
    /// The difference is taken to be `elo0`: the test failed.
    AcceptH0,
    /// The difference is taken to be `elo1`: the test passed.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtReport {
    /// The log-likelihood ratio of H1 to H0 (natural logarithm).
    pub llr: f64,
    /// H0 is accepted at or below this ratio.
    pub lower: f64,
    /// H1 is accepted at or above this ratio.
    pub upper: f64,
    /// The decision.
    pub state: SprtState,
}

/// A test with valid parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    scale: EloScale,
}

impl Sprt {
    /// Sets up a test of `elo0` against `elo1` on the given scale. `alpha` is the probability of
    /// accepting H1 though H0 holds, `beta` that of accepting H0 though H1 holds.
    ///
    /// # Errors
    ///
    /// If the hypotheses are not in rising order within ±300 Elo, or an error rate is not strictly
    /// between 0 and 1/2.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        scale: EloScale,
    ) -> Result<Sprt, SprtError> {
        for elo in [elo0, elo1] {
            if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
                return Err(SprtError::Elo(elo));
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::ErrorRate(rate));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta, scale })
    }

    /// Returns the ratio at which H0 is accepted: ln(β / (1 - α)), a negative number.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// Returns the ratio at which H1 is accepted: ln((1 - β) / α), a positive number.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Returns the generalised log-likelihood ratio of H1 to H0; 0 without observations.
    ///
    /// Outcomes not seen yet count as 0.001 observations (see [`Distribution::regularised`]).
    pub fn llr(&self, observed: &Distribution) -> f64 {
        if observed.observations() == 0.0 {
            return 0.0;
        }
        let regularised = observed.regularised();
        match self.scale {
            EloScale::Logistic => {
                let [mean0, mean1] = [self.elo0, self.elo1].map(score_of_elo);
                likelihood::mean_ratio(&regularised, mean0, mean1)
            }
            EloScale::Normalised => {
                // The mean of n games deviates by σ/√n, so its t value is √n that of a game.
                let unit = NELO_PER_DEVIATION / observed.games_each().sqrt();
                likelihood::t_value_ratio(&regularised, self.elo0 / unit, self.elo1 / unit)
            }
        }
    }

    /// Reports the state of the test after the observed games.
    pub fn report(&self, observed: &Distribution) -> SprtReport {
        let (lower, upper) = (self.lower_bound(), self.upper_bound());
        let llr = self.llr(observed);
        let state = if llr >= upper {
            SprtState::AcceptH1
        } else if llr <= lower {
            SprtState::AcceptH0
        } else {
            SprtState::Continue
        };
        SprtReport { llr, lower, upper, state }
    }
}

/// The hypotheses as fastchess prints them: `[0.00, 5.00]`, with the scale.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = match self.scale {
            EloScale::Logistic => "Elo",
            EloScale::Normalised => "nElo",
        };
        write!(f, "[{:.2}, {:.2}] {scale}", self.elo0, self.elo1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::PairCounts;
    use super::super::score::GameCounts;
    use super::*;
    use cannonade_tables::random::Random;
    use xiangqi::rules::Wdl;

    fn test_of(elo0: f64, elo1: f64, scale: EloScale) -> Sprt {
        Sprt::new(elo0, elo1, 0.05, 0.05, scale).unwrap()
    }

    #[test]
    fn the_bounds_at_five_percent_are_the_well_known_ones() {
        let sprt = test_of(0.0, 2.0, EloScale::Normalised);
        assert!((sprt.upper_bound() - 2.944_438_979_166_44).abs() < 1e-12);
        assert!((sprt.lower_bound() + 2.944_438_979_166_44).abs() < 1e-12);
        let uneven = Sprt::new(0.0, 2.0, 0.05, 0.1, EloScale::Logistic).unwrap();
        assert!((uneven.upper_bound() - 18f64.ln()).abs() < 1e-12);
        assert!((uneven.lower_bound() - (0.1f64 / 0.95).ln()).abs() < 1e-12);
    }

    #[test]
    fn near_the_observed_score_the_ratio_is_that_of_a_normal_distribution() {
        // LLR ≈ N (s1 - s0) (2 s - s0 - s1) / (2 σ²), the approximation that the source starts
        // from.
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        for observed in [
            Distribution::from(GameCounts::new(10_300, 10_000, 20_000)),
            Distribution::from(PairCounts::new([900, 4_800, 9_000, 5_000, 950])),
        ] {
            let (mean, variance) = (observed.mean().unwrap(), observed.variance().unwrap());
            let lead = 2.0 * mean - s0 - s1;
            let normal = observed.observations() * (s1 - s0) * lead / (2.0 * variance);
            let llr = test_of(0.0, 5.0, EloScale::Logistic).llr(&observed);
            assert!((llr - normal).abs() < 0.01 * normal.abs(), "{llr} {normal}");
        }
    }

    #[test]
    fn a_normalised_ratio_is_near_that_of_a_normal_distribution_of_known_deviation() {
        // LLR ≈ N (t1 - t0) (2 t - t0 - t1) / 2.
        let observed = Distribution::from(PairCounts::new([900, 4_800, 9_000, 5_000, 950]));
        let deviation = observed.variance().unwrap().sqrt();
        let t = (observed.mean().unwrap() - 0.5) / deviation;
        let t1 = 5.0 / NELO_PER_DEVIATION * 2f64.sqrt();
        let normal = observed.observations() * t1 * (2.0 * t - t1) / 2.0;
        let llr = test_of(0.0, 5.0, EloScale::Normalised).llr(&observed);
        assert!((llr - normal).abs() < 0.01 * normal.abs(), "{llr} {normal}");
    }

    #[test]
    fn independent_games_and_their_pairs_give_nearly_one_ratio() {
        let games = Distribution::from(GameCounts::new(220_000, 200_000, 400_000));
        let share = |n: f64| n / 820_000.0;
        let (w, l, d) = (share(220_000.0), share(200_000.0), share(400_000.0));
        let pairs = [l * l, 2.0 * l * d, d * d + 2.0 * w * l, 2.0 * w * d, w * w];
        let pairs = pairs.map(|share| (share * 410_000.0).round() as u64);
        let pairs = Distribution::from(PairCounts::new(pairs));
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            let sprt = test_of(0.0, 5.0, scale);
            let (one, two) = (sprt.llr(&games), sprt.llr(&pairs));
            assert!((one - two).abs() < 0.01 * one.abs(), "{scale:?}: {one} {two}");
        }
    }

    #[test]
    fn a_long_winning_streak_accepts_h1_and_a_losing_one_h0() {
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            let sprt = test_of(-10.0, 100.0, scale);
            let state = |score| sprt.report(&Distribution::from(score)).state;
            assert_eq!(state(GameCounts::default()), SprtState::Continue);
            assert_eq!(state(GameCounts::new(1, 0, 0)), SprtState::Continue);
            assert_eq!(state(GameCounts::new(200, 0, 0)), SprtState::AcceptH1);
            assert_eq!(state(GameCounts::new(0, 200, 0)), SprtState::AcceptH0);
        }
    }

    #[test]
    fn every_result_has_a_finite_ratio_up_to_the_widest_hypotheses() {
        let mut random = Random::new(3);
        for scale in [EloScale::Logistic, EloScale::Normalised] {
            let sprt = test_of(-MAX_ELO, MAX_ELO, scale);
            for _ in 0..300 {
                let counts = [(); 5].map(|()| match random.bits() % 3 {
                    0 => 0,
                    _ => 10f64.powf(6.0 * random.unit_f64()) as u64,
                });
                let pairs = PairCounts::new(counts);
                let llr = sprt.llr(&Distribution::from(pairs));
                let reversed = sprt.llr(&Distribution::from(pairs.reversed()));
                assert!(llr.is_finite(), "{counts:?}");
                let scale = 1.0 + llr.abs();
                assert!((llr + reversed).abs() < 1e-6 * scale, "{counts:?}: {llr} {reversed}");
            }
        }
    }

    /// Counts how many of `runs` simulated tests accept H1 when games follow `win_draw_loss`.
    fn passes(sprt: &Sprt, win_draw_loss: [f64; 3], runs: u64) -> u64 {
        let mut passes = 0;
        for run in 0..runs {
            let mut random = Random::new(run);
            let mut score = GameCounts::default();
            loop {
                score.record(Wdl::ALL[random.choose(&win_draw_loss)]);
                match sprt.report(&Distribution::from(score)).state {
                    SprtState::Continue => {}
                    SprtState::AcceptH0 => break,
                    SprtState::AcceptH1 => {
                        passes += 1;
                        break;
                    }
                }
            }
        }
        passes
    }

    #[test]
    fn simulated_tests_err_about_as_often_as_asked() {
        // 60 Elo are a score of 0.5854; half of the games are drawn.
        let lead = score_of_elo(60.0) - 0.5;
        let sprt = test_of(0.0, 60.0, EloScale::Logistic);
        let false_passes = passes(&sprt, [0.25, 0.5, 0.25], 500);
        let true_passes = passes(&sprt, [0.25 + lead, 0.5, 0.25 - lead], 500);
        // 25 errors are expected of each kind, with a deviation of 5.
        assert!((5..=42).contains(&false_passes), "{false_passes}");
        assert!((5..=42).contains(&(500 - true_passes)), "{true_passes}");
    }

    #[test]
    fn simulated_normalised_tests_err_about_as_often_as_asked() {
        // t = 0.2 is 69.5 nElo: lead² = t² (0.125 - lead²) at half of the games drawn.
        let lead = (0.04 * 0.125f64 / 1.04).sqrt();
        let sprt = test_of(0.0, 0.2 * NELO_PER_DEVIATION, EloScale::Normalised);
        let false_passes = passes(&sprt, [0.25, 0.5, 0.25], 200);
        let true_passes = passes(&sprt, [0.25 + lead, 0.5, 0.25 - lead], 200);
        // 10 errors are expected of each kind, with a deviation of 3.
        assert!((1..=20).contains(&false_passes), "{false_passes}");
        assert!((1..=20).contains(&(200 - true_passes)), "{true_passes}");
    }

    #[test]
    fn senseless_parameters_are_refused_with_a_reason() {
        let set_up =
            |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloScale::Logistic);
        assert_eq!(set_up(5.0, 0.0, 0.05, 0.05), Err(SprtError::Order { elo0: 5.0, elo1: 0.0 }));
        assert_eq!(set_up(0.0, 500.0, 0.05, 0.05), Err(SprtError::Elo(500.0)));
        assert!(set_up(f64::NAN, 5.0, 0.05, 0.05).is_err());
        assert_eq!(set_up(0.0, 5.0, 0.5, 0.05), Err(SprtError::ErrorRate(0.5)));
        assert!(set_up(0.0, 5.0, 0.05, f64::NAN).is_err());
        let message = set_up(0.0, 5.0, 0.0, 0.05).unwrap_err().to_string();
        assert!(message.contains("between 0 and 0.5"), "{message}");
    }
}
