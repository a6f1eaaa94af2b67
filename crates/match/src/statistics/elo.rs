//! The strength difference of two players as Elo, with its uncertainty.
//!
//! Logistic Elo is a function of the score alone: 400 Elo are odds of 10 to 1. Normalised Elo
//! (nElo) divides the score difference by the standard deviation of a game instead, so it
//! shows how many games are needed to see the difference, whatever the share of draws.
//!
//! Sources: M. Van den Bergh, "Normalized Elo" and "Normalized Elo practical"
//! (cantate.be/Fishtest); fastchess, `elo_pentanomial.cpp`.

use std::f64::consts::LN_10;
use std::fmt;

use serde::Serialize;

use super::distribution::Distribution;
use super::normal;
use super::tally::MatchTally;

/// Normalised Elo of one standard deviation of a game. The factor makes normalised Elo and logistic
/// Elo agree, to first order, for games without draws.
pub(super) const NELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// Returns the logistic Elo difference at which `score` (points per game) is expected: 0 to 1 maps
/// to negative to positive infinity. A score outside is taken as the nearer end.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected points per game, 0 to 1, at a logistic Elo difference: the inverse of
/// [`elo_of_score`].
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// An estimate with its 95 % confidence interval; never NaN.
///
/// An end that the games do not bound is infinite. A writer of JSON shows that as `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The most likely value; infinite if all points went to one side.
    pub estimate: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

impl Interval {
    /// Returns half the width of the interval, the number after `+/-`.
    pub fn margin(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// Returns an interval without bounds, for outcomes that are all the same and have no variance.
    fn unbounded(estimate: f64) -> Interval {
        Interval { estimate, lower: f64::NEG_INFINITY, upper: f64::INFINITY }
    }
}

/// Writes the interval as fastchess does: `9.75 +/- 5.10`; in words if an end is infinite.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Interval { estimate, lower, upper } = self;
        if lower.is_infinite() && upper.is_infinite() {
            return f.write_str("unknown (too few games, or all results alike)");
        }
        if estimate.is_finite() {
            write!(f, "{estimate:.2}")?;
            if lower.is_finite() && upper.is_finite() {
                return write!(f, " +/- {:.2}", self.margin());
            }
            f.write_str(", ")?;
        }
        if lower.is_finite() {
            write!(f, "at least {lower:.2}")
        } else {
            write!(f, "at most {upper:.2}")
        }
    }
}

/// Returns the logistic Elo with its interval; `None` without observations.
///
/// The interval is the image of the normal interval of the score, so it is wider on the side of the
/// larger difference. While all outcomes are the same it is the whole line.
pub fn logistic_elo(observed: &Distribution) -> Option<Interval> {
    let mean = observed.mean()?;
    let estimate = elo_of_score(mean);
    if observed.is_degenerate() {
        return Some(Interval::unbounded(estimate));
    }
    let deviation = (observed.variance()? / observed.observations()).sqrt();
    let margin = normal::QUANTILE_95 * deviation;
    Some(Interval {
        estimate,
        lower: elo_of_score(mean - margin),
        upper: elo_of_score(mean + margin),
    })
}

/// Returns the normalised Elo with its interval; `None` without observations.
///
/// nElo = (score - 1/2) / σ · 800 / ln 10, where σ is the standard deviation of a game. Of pairs,
/// σ² is twice the variance of the mean score of a pair, so that both counts measure on one scale.
/// While all outcomes are the same, the interval is the whole line.
pub fn normalised_elo(observed: &Distribution) -> Option<Interval> {
    let lead = observed.mean()? - 0.5;
    if observed.is_degenerate() {
        let estimate = if lead == 0.0 { 0.0 } else { f64::INFINITY.copysign(lead) };
        return Some(Interval::unbounded(estimate));
    }
    let deviation = (observed.variance()? * observed.games_each()).sqrt();
    let estimate = lead / deviation * NELO_PER_DEVIATION;
    let games = observed.observations() * observed.games_each();
    let margin = normal::QUANTILE_95 / games.sqrt() * NELO_PER_DEVIATION;
    Some(Interval { estimate, lower: estimate - margin, upper: estimate + margin })
}

/// Returns the likelihood of superiority (LOS): the probability that the first player is the
/// stronger; none without observations.
///
/// The deviation is that of equal players, which for single games gives the classical Φ((wins -
/// losses) / √(wins + losses)) and stays defined when all games end alike. Source: Chess
/// Programming Wiki, "Match Statistics".
pub fn likelihood_of_superiority(observed: &Distribution) -> Option<f64> {
    let lead = observed.mean()? - 0.5;
    if lead == 0.0 {
        return Some(0.5);
    }
    let deviation = (observed.spread_around(0.5)? / observed.observations()).sqrt();
    Some(normal::cumulative(lead / deviation))
}

/// The difference in strength between the two players of a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EloEstimate {
    /// The games that were counted.
    pub games: u64,
    /// True if the variance was taken from pairs of games (see [`MatchTally::distribution`]).
    pub paired: bool,
    /// Points a game of the first player, 0 to 1.
    pub score: f64,
    /// The share of drawn games, 0 to 1.
    pub draw_ratio: f64,
    /// Logistic Elo of the first player over the second.
    pub elo: Interval,
    /// Normalised Elo of the first player over the second.
    pub normalised_elo: Interval,
    /// The likelihood of superiority of the first player, 0 to 1.
    pub superiority: f64,
}

impl EloEstimate {
    /// Returns the estimate from a match; none without games, or without a complete pair if they
    /// are played in pairs.
    ///
    /// Games and draw ratio are of all games; the rest is from the distribution that the tally
    /// prefers.
    pub fn of(tally: &MatchTally) -> Option<EloEstimate> {
        let observed = tally.distribution();
        Some(EloEstimate {
            games: tally.score().games(),
            paired: observed.games_each() > 1.0,
            score: observed.mean()?,
            draw_ratio: tally.score().draw_ratio()?,
            elo: logistic_elo(&observed)?,
            normalised_elo: normalised_elo(&observed)?,
            superiority: likelihood_of_superiority(&observed)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::PairCounts;
    use super::super::score::GameCounts;
    use super::*;
    use xiangqi::rules::Wdl;

    fn close(left: f64, right: f64, tolerance: f64) -> bool {
        (left - right).abs() <= tolerance
    }

    #[test]
    fn known_scores_give_the_elo_of_the_printed_tables() {
        for (score, elo) in [
            (0.5, 0.0),
            (0.75, 190.848_501_887_864_97),
            (0.25, -190.848_501_887_864_97),
            (10.0 / 11.0, 400.0),
            (0.64, 99.95),
        ] {
            assert!(close(elo_of_score(score), elo, 0.005), "{score}");
            assert!(close(score_of_elo(elo_of_score(score)), score, 1e-14));
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn the_trinomial_interval_agrees_with_the_formula_written_out() {
        // +40 -20 =40: score 0.6, variance 0.4·0.16 + 0.2·0.36 + 0.4·0.01 = 0.14.
        let elo = logistic_elo(&Distribution::from(GameCounts::new(40, 20, 40))).unwrap();
        let margin = 1.959_963_984_540_054 * (0.14f64 / 100.0).sqrt();
        assert!(close(elo.estimate, 70.436_504, 1e-6));
        let (low, high) = (0.6 - margin, 0.6 + margin);
        assert!(close(elo.lower, -400.0 * (1.0 / low - 1.0).log10(), 1e-9));
        assert!(close(elo.upper, -400.0 * (1.0 / high - 1.0).log10(), 1e-9));
    }

    #[test]
    fn pairs_of_reversed_luck_narrow_the_interval() {
        // Red wins every game: single games vary greatly, but the pairs show that both are equal.
        let games = Distribution::from(GameCounts::new(110, 90, 0));
        let pairs = Distribution::from(PairCounts::new([0, 0, 90, 0, 10]));
        let (wide, narrow) = (logistic_elo(&games).unwrap(), logistic_elo(&pairs).unwrap());
        assert!(close(wide.estimate, narrow.estimate, 1e-9));
        assert!(narrow.margin() < wide.margin() / 2.0);
    }

    #[test]
    fn independent_pairs_agree_with_their_games_in_every_measure() {
        let games = Distribution::from(GameCounts::new(200, 400, 200));
        // (1/4 + x/4 + x²/2)² with x for half a point, read from the side that lost.
        let pairs = Distribution::from(PairCounts::new([100, 100, 125, 50, 25]));
        let both = [&games, &pairs];
        let [one, two] = both.map(|observed| logistic_elo(observed).unwrap());
        assert!(close(one.estimate, two.estimate, 1e-9) && close(one.lower, two.lower, 1e-9));
        let [one, two] = both.map(|observed| normalised_elo(observed).unwrap());
        assert!(close(one.estimate, two.estimate, 1e-9) && close(one.lower, two.lower, 1e-9));
    }

    #[test]
    fn normalised_elo_is_the_lead_in_deviations_of_a_game() {
        let trinomial = normalised_elo(&Distribution::from(GameCounts::new(40, 20, 40))).unwrap();
        assert!(close(trinomial.estimate, 0.1 / 0.14f64.sqrt() * 347.435_585_522_601, 1e-9));
        assert!(close(trinomial.margin(), 1.959_964 / 10.0 * 347.435_586, 1e-4));
        let pairs = Distribution::from(PairCounts::new([1, 2, 4, 2, 1]));
        assert_eq!(normalised_elo(&pairs).unwrap().estimate, 0.0);
    }

    #[test]
    fn without_draws_normalised_and_logistic_elo_agree_near_equality() {
        let observed = Distribution::from(GameCounts::new(5_010_000, 4_990_000, 0));
        let (logistic, normalised) = (logistic_elo(&observed), normalised_elo(&observed));
        let (logistic, normalised) = (logistic.unwrap(), normalised.unwrap());
        assert!(close(logistic.estimate, normalised.estimate, 1e-3));
        assert!(close(logistic.margin(), normalised.margin(), 1e-3));
    }

    #[test]
    fn superiority_of_single_games_is_the_classical_formula() {
        let los =
            |score: GameCounts| likelihood_of_superiority(&Distribution::from(score)).unwrap();
        assert!(close(los(GameCounts::new(1, 0, 0)), 0.841_344_746, 1e-9));
        assert!(close(los(GameCounts::new(40, 20, 40)), 0.995_089, 1e-6));
        assert!(close(los(GameCounts::new(40, 20, 40)), los(GameCounts::new(40, 20, 9)), 1e-12));
        assert_eq!(los(GameCounts::new(0, 0, 12)), 0.5);
        let sum = los(GameCounts::new(7, 3, 5)) + los(GameCounts::new(3, 7, 5));
        assert!(close(sum, 1.0, 1e-14));
    }

    #[test]
    fn extreme_results_give_infinities_and_never_nan() {
        for (score, estimate) in [
            (GameCounts::new(9, 0, 0), f64::INFINITY),
            (GameCounts::new(0, 9, 0), f64::NEG_INFINITY),
            (GameCounts::new(0, 0, 9), 0.0),
        ] {
            let observed = Distribution::from(score);
            for elo in [logistic_elo(&observed), normalised_elo(&observed)] {
                let elo = elo.unwrap();
                assert_eq!(elo.estimate, estimate);
                assert_eq!(elo.margin(), f64::INFINITY);
            }
        }
        let one_sided = logistic_elo(&Distribution::from(GameCounts::new(2, 0, 1))).unwrap();
        assert!(one_sided.lower.is_finite() && one_sided.upper == f64::INFINITY);
    }

    #[test]
    fn an_interval_without_an_end_is_printed_in_words() {
        let text = |wins, losses, draws| {
            let observed = Distribution::from(GameCounts::new(wins, losses, draws));
            let [elo, normalised] = [logistic_elo(&observed), normalised_elo(&observed)];
            [elo.unwrap().to_string(), normalised.unwrap().to_string()]
        };
        for score in [(1, 0, 0), (0, 1, 0), (0, 0, 3)] {
            let unknown = "unknown (too few games, or all results alike)";
            assert_eq!(text(score.0, score.1, score.2), [unknown, unknown], "{score:?}");
        }
        assert_eq!(text(2, 0, 1)[0], "279.59, at least 46.57");
        assert_eq!(text(0, 2, 1)[0], "-279.59, at most -46.57");
        assert!(text(9, 5, 6)[0].contains(" +/- "));
    }

    #[test]
    fn the_estimate_of_a_match_prefers_pairs_and_is_absent_without_any() {
        let mut tally = MatchTally::default();
        assert_eq!(EloEstimate::of(&tally), None);
        tally.record_paired(10, Wdl::Win);
        assert_eq!(EloEstimate::of(&tally), None, "no pair is complete");
        let mut tally = MatchTally::default();
        for pair in 0..10 {
            tally.record_paired(pair, Wdl::Win);
            let second = if pair < 4 { Wdl::Draw } else { Wdl::Loss };
            tally.record_paired(pair, second);
        }
        let estimate = EloEstimate::of(&tally).unwrap();
        assert!(estimate.paired);
        assert_eq!(estimate.games, 20);
        assert!(close(estimate.score, 0.6, 1e-14));
        assert_eq!(estimate.draw_ratio, 0.2);
        assert!(estimate.elo.lower > 0.0);
    }
}
