//! The standard normal distribution, which the standard library does not have.

use std::f64::consts::TAU;

/// Half the width of the central 95 % of the distribution, in standard deviations.
pub(super) const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Returns the probability that a standard normal variable is below `z`; absolute error below
/// 1e-14.
///
/// The series of G. Marsaglia, "Evaluating the normal distribution", Journal of Statistical
/// Software 11 (2004): Φ(z) = 1/2 + φ(z) (z + z³/3 + z⁵/(3·5) + z⁷/(3·5·7) + ...).
pub(super) fn cumulative(z: f64) -> f64 {
    // Beyond this the tail is below 1e-15 and the series would only slow down.
    const TAIL: f64 = 8.0;
    if z <= -TAIL {
        return 0.0;
    }
    if z >= TAIL {
        return 1.0;
    }
    let square = z * z;
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    while sum + term != sum {
        odd += 2.0;
        term *= square / odd;
        sum += term;
    }
    let density = (-square / 2.0).exp() / TAU.sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cumulative_distribution_agrees_with_printed_tables() {
        for (z, expected) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (QUANTILE_95, 0.975),
            (3.0, 0.998_650_101_968_370),
            (6.0, 0.999_999_999_013_412),
        ] {
            assert!((cumulative(z) - expected).abs() < 1e-14, "{z}");
            assert!((cumulative(-z) - (1.0 - expected)).abs() < 1e-14, "-{z}");
        }
    }

    #[test]
    fn the_cumulative_distribution_ends_at_zero_and_one() {
        assert_eq!(cumulative(f64::NEG_INFINITY), 0.0);
        assert_eq!(cumulative(f64::INFINITY), 1.0);
    }
}
