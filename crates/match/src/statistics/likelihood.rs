//! Log-likelihood ratios of two hypotheses about a multinomial distribution.
//!
//! The hypotheses fix the mean value, or the mean in units of the standard deviation (the "t
//! value"); everything else about the distribution is unknown, so each hypothesis is represented by
//! its most likely distribution given the observations (generalised likelihood ratio).
//!
//! Source: M. Van den Bergh, "A practical introduction to the GSPRT", "Comments on normalized Elo"
//! and "MLE for the multinomial distribution with a constraint" (cantate.be/Fishtest); fishtest,
//! `LLRcalc.py`.

use super::distribution::Distribution;

/// The point of normalised Elo 0: equal players score one half.
const EQUAL: f64 = 0.5;

/// Returns ln L(mean = `mean1`) - ln L(mean = `mean0`), each maximised over all distributions with
/// that mean. Both means must be strictly between 0 and 1; the observations should be regularised.
/// Without observations the ratio is 0.
pub(super) fn mean_ratio(observed: &Distribution, mean0: f64, mean1: f64) -> f64 {
    ratio(observed, |shares, values| {
        let at = |mean: f64| {
            let offsets: Vec<f64> = values.iter().map(|value| value - mean).collect();
            constrained_maximum(shares, &offsets)
        };
        Some((at(mean0)?, at(mean1)?))
    })
}

/// Returns the same ratio for hypotheses about (mean - 1/2) / σ, where σ is the standard deviation
/// of one observation.
pub(super) fn t_value_ratio(observed: &Distribution, t0: f64, t1: f64) -> f64 {
    ratio(observed, |shares, values| {
        let at = |t: f64| t_value_maximum(shares, values, t);
        Some((at(t0)?, at(t1)?))
    })
}

/// Returns the ratio of the likelihoods of the two distributions that `hypotheses` finds for the
/// observed shares and their values. A hypothesis under which the observations are impossible has
/// no ratio.
fn ratio(
    observed: &Distribution,
    hypotheses: impl Fn(&[f64], &[f64]) -> Option<(Vec<f64>, Vec<f64>)>,
) -> f64 {
    let values: Vec<f64> = observed.values().collect();
    let Some(shares) = observed.shares() else {
        return 0.0;
    };
    let Some((null, alternative)) = hypotheses(&shares, &values) else {
        return 0.0;
    };
    let odds = null.iter().zip(&alternative).map(|(p0, p1)| (p1 / p0).ln());
    let per_observation: f64 = shares.iter().zip(odds).map(|(p, odds)| p * odds).sum();
    per_observation * observed.observations()
}

/// Returns the distribution that makes the observed `shares` most likely among those under which
/// `offsets` average 0. None if the offsets do not have both signs.
///
/// It is p / (1 + x·a) for shares p and offsets a, where x solves the secular equation
/// Σ p·a / (1 + x·a) = 0 (proposition 1.1 of the source). The sum falls strictly from +∞ to -∞
/// between its poles -1/max(a) and -1/min(a).
fn constrained_maximum(shares: &[f64], offsets: &[f64]) -> Option<Vec<f64>> {
    let smallest = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    // At x = 0 the sum is the observed average, whose sign shows on which side the root is. A rare
    // outcome moves the root very near to a pole. There 1 + x·a would lose its digits, so x is
    // measured from that pole: 1 + x·a = gap + δ·a, where the gap of the extreme offset is 0.
    let average: f64 = shares.iter().zip(offsets).map(|(p, a)| p * a).sum();
    let extreme = if average > 0.0 { smallest } else { largest };
    let gaps: Vec<f64> = offsets.iter().map(|a| 1.0 - a / extreme).collect();
    let terms = || shares.iter().zip(offsets).zip(&gaps);
    let delta = falling_root(1.0 / extreme, |delta| {
        let quotients = terms().map(|((p, a), gap)| (p, a / (gap + delta * a)));
        quotients.fold((0.0, 0.0), |(sum, slope), (p, quotient)| {
            (sum + p * quotient, slope - p * quotient * quotient)
        })
    });
    Some(terms().map(|((p, a), gap)| p / (gap + delta * a)).collect())
}

/// Returns the root between 0 and `end` (of either sign) of a falling function that gives its value
/// and slope: Newton steps that fall back to bisection.
fn falling_root(end: f64, function: impl Fn(f64) -> (f64, f64)) -> f64 {
    // More than bisection needs to reach the smallest share that 64 bits can count.
    const MAX_STEPS: usize = 200;
    let (mut low, mut high) = (end.min(0.0), end.max(0.0));
    let mut x = end;
    for _ in 0..MAX_STEPS {
        let (value, slope) = function(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        if (next - x).abs() <= 1e-15 * x.abs() {
            break;
        }
        x = next;
    }
    x
}

/// Returns the most likely distribution with (mean - 1/2) / σ = `target`.
///
/// The constraint is not linear. Linearised at a distribution it is one that
/// [`constrained_maximum`] meets, and repeating that converges to the solution (section 4.1 of the
/// source). Far from the solution the linearised constraint may be impossible to meet; then the
/// target is approached in smaller steps from the uniform distribution, for which the t value is 0.
fn t_value_maximum(shares: &[f64], values: &[f64], target: f64) -> Option<Vec<f64>> {
    const SMALLEST_STEP: f64 = 1e-3;
    let mut current = vec![1.0 / shares.len() as f64; shares.len()];
    let (mut reached, mut step) = (0.0, 1.0);
    while reached < 1.0 {
        let goal = f64::min(reached + step, 1.0);
        match settle_at_t_value(shares, values, goal * target, &current) {
            Some(settled) => {
                current = settled;
                reached = goal;
            }
            None if step > SMALLEST_STEP => step /= 2.0,
            None => return None,
        }
    }
    Some(current)
}

/// Repeats the linearised problem from the distribution `start` until it changes no more; none if
/// that cannot be done or does not settle.
fn settle_at_t_value(
    shares: &[f64],
    values: &[f64],
    target: f64,
    start: &[f64],
) -> Option<Vec<f64>> {
    // Commonly 5 to 20; a few hundred where two quite different distributions are almost equally
    // likely.
    const MAX_ROUNDS: usize = 2000;
    const TOLERANCE: f64 = 1e-12;
    let mut current = start.to_vec();
    for _ in 0..MAX_ROUNDS {
        let mean: f64 = current.iter().zip(values).map(|(p, v)| p * v).sum();
        let squares = values.iter().map(|value| (value - mean).powi(2));
        let variance: f64 = current.iter().zip(squares).map(|(p, square)| p * square).sum();
        let sigma = variance.sqrt();
        // σ as a function of the distribution, replaced by its tangent.
        let offset = |value: &f64| {
            let tangent = sigma * (1.0 + ((value - mean) / sigma).powi(2)) / 2.0;
            value - EQUAL - target * tangent
        };
        let offsets: Vec<f64> = values.iter().map(offset).collect();
        let next = constrained_maximum(shares, &offsets)?;
        let change = current.iter().zip(&next).map(|(p, q)| (p - q).abs());
        let largest = change.fold(0.0, f64::max);
        current = next;
        if largest < TOLERANCE {
            return Some(current);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::pairs::PairCounts;
    use super::super::score::GameCounts;
    use super::*;
    use cannonade_tables::random::Random;

    /// Returns Σ n·ln p, the log-likelihood without its constant.
    fn log_likelihood(counts: &[f64], probabilities: &[f64]) -> f64 {
        counts.iter().zip(probabilities).map(|(n, p)| n * p.ln()).sum()
    }

    /// Returns the best log-likelihood by a compass search over the shares of the inner outcomes.
    /// `complete` finds the two outer shares that fulfil the hypothesis, if any.
    fn searched_maximum(counts: &[f64], complete: impl Fn(&[f64]) -> Option<Vec<f64>>) -> f64 {
        let inner = counts.len() - 2;
        let value = |point: &[f64]| match complete(point) {
            Some(all) if all.iter().all(|p| *p > 0.0) => log_likelihood(counts, &all),
            _ => f64::NEG_INFINITY,
        };
        let mut point = vec![0.2; inner];
        let mut best = value(&point);
        let mut step = 0.1;
        while step > 1e-9 {
            let mut improved = false;
            for axis in 0..inner {
                for direction in [step, -step] {
                    let mut candidate = point.clone();
                    candidate[axis] += direction;
                    let found = value(&candidate);
                    if found > best {
                        (best, point, improved) = (found, candidate, true);
                    }
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }

    /// Completes inner shares to a distribution with the given mean.
    fn with_mean(inner: &[f64], mean: f64) -> Option<Vec<f64>> {
        let steps = (inner.len() + 1) as f64;
        let inner_mean: f64 = (1..).zip(inner).map(|(i, p)| p * f64::from(i) / steps).sum();
        let best = mean - inner_mean;
        let worst = 1.0 - inner.iter().sum::<f64>() - best;
        Some([&[worst], inner, &[best]].concat())
    }

    /// Completes inner shares to a distribution with the given t value, by bisection of the mean.
    fn with_t_value(inner: &[f64], t: f64) -> Option<Vec<f64>> {
        let steps = (inner.len() + 1) as f64;
        let excess = |mean: f64| {
            let all = with_mean(inner, mean)?;
            let square = |i: usize| (i as f64 / steps - mean).powi(2);
            let variance: f64 = all.iter().enumerate().map(|(i, p)| p * square(i)).sum();
            Some(mean - 0.5 - t * variance.sqrt())
        };
        let inner_mean: f64 = (1..).zip(inner).map(|(i, p)| p * f64::from(i) / steps).sum();
        let outer = 1.0 - inner.iter().sum::<f64>();
        let (mut low, mut high) = (inner_mean, inner_mean + outer);
        if outer <= 0.0 || excess(low)? > 0.0 || excess(high)? < 0.0 {
            return None;
        }
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if excess(middle)? < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        with_mean(inner, low)
    }

    fn samples() -> Vec<(Distribution, Vec<f64>)> {
        let triples = [[30, 50, 40], [200, 10, 220], [3, 1, 1], [5, 900, 40]];
        let quintuples = [[10, 60, 120, 70, 14], [1, 2, 3, 2, 4], [100, 3, 50, 200, 9]];
        let mut all = Vec::new();
        for [losses, draws, wins] in triples {
            let counts = [losses, draws, wins].map(|count| count as f64).to_vec();
            all.push((Distribution::from(GameCounts::new(wins, losses, draws)), counts));
        }
        for counts in quintuples {
            let observed = Distribution::from(PairCounts::new(counts));
            all.push((observed, counts.map(|count| count as f64).to_vec()));
        }
        all
    }

    #[test]
    fn the_ratio_of_means_equals_a_search_for_the_most_likely_distributions() {
        for (observed, counts) in samples() {
            for (mean0, mean1) in [(0.5, 0.52), (0.45, 0.6)] {
                let search = |mean| searched_maximum(&counts, |inner| with_mean(inner, mean));
                let expected = search(mean1) - search(mean0);
                let found = mean_ratio(&observed, mean0, mean1);
                assert!((found - expected).abs() < 1e-6, "{counts:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_ratio_of_t_values_equals_a_search_for_the_most_likely_distributions() {
        for (observed, counts) in samples() {
            for (t0, t1) in [(0.0, 0.05), (-0.1, 0.3)] {
                let search = |t| searched_maximum(&counts, |inner| with_t_value(inner, t));
                let expected = search(t1) - search(t0);
                let found = t_value_ratio(&observed, t0, t1);
                assert!((found - expected).abs() < 1e-5, "{counts:?}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_most_likely_distribution_fulfils_its_constraint_whatever_was_observed() {
        let mut random = Random::new(7);
        for round in 0..400 {
            let size = if round % 2 == 0 { 3 } else { 5 };
            // Shares over eight orders of magnitude, as regularisation makes of lopsided matches.
            let mut shares: Vec<f64> =
                (0..size).map(|_| 10f64.powf(-8.0 * random.unit_f64())).collect();
            let total: f64 = shares.iter().sum();
            for share in &mut shares {
                *share /= total;
            }
            let values: Vec<f64> = (0..size).map(|i| f64::from(i) / f64::from(size - 1)).collect();
            let target = 2.5 * random.unit_f64() - 1.25;
            let found = t_value_maximum(&shares, &values, target);
            let found = found.unwrap_or_else(|| panic!("{shares:?} {target}"));
            let total: f64 = found.iter().sum();
            let mean: f64 = found.iter().zip(&values).map(|(p, v)| p * v).sum();
            let squares = values.iter().map(|value| (value - mean).powi(2));
            let variance: f64 = found.iter().zip(squares).map(|(p, square)| p * square).sum();
            assert!((total - 1.0).abs() < 1e-6, "{shares:?} {target}: {total}");
            let t = (mean - 0.5) / variance.sqrt();
            assert!((t - target).abs() < 1e-5, "{shares:?} {target}: {t}");
        }
    }

    #[test]
    fn exchanging_hypotheses_or_players_changes_only_the_sign() {
        let pairs = PairCounts::new([10, 60, 120, 70, 14]);
        let (observed, reversed) =
            (Distribution::from(pairs), Distribution::from(pairs.reversed()));
        let there = mean_ratio(&observed, 0.5, 0.53);
        assert!((there + mean_ratio(&observed, 0.53, 0.5)).abs() < 1e-9);
        assert!((there - mean_ratio(&reversed, 0.5, 0.47)).abs() < 1e-9);
        let there = t_value_ratio(&observed, 0.0, 0.2);
        assert!((there - t_value_ratio(&reversed, 0.0, -0.2)).abs() < 1e-9);
    }

    #[test]
    fn without_observations_the_ratio_is_zero() {
        let nothing = Distribution::from(GameCounts::default());
        assert_eq!(mean_ratio(&nothing, 0.5, 0.6), 0.0);
        assert_eq!(t_value_ratio(&nothing, 0.0, 0.1), 0.0);
    }
}
