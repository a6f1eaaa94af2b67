//! The covariance of ratings of which only the differences are observed.
//!
//! Adding a constant to all ratings changes no likelihood, so the information matrix (the negative
//! Hessian of the log-likelihood) has the vector of ones in its kernel and no inverse. With the
//! mean rating fixed at 0 the covariance is its pseudo-inverse. For a multiple J of the all-ones
//! matrix that moves only that one eigenvalue, it is (information + J)⁻¹ less the inverse's share
//! of J.

/// Returns the pseudo-inverse of a symmetric `information` matrix whose rows each add up to 0. None
/// unless the matrix is positive definite on the vectors that add up to 0.
pub(super) fn of_differences(information: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = information.len();
    let trace: f64 = (0..size).map(|i| information[i][i]).sum();
    // An eigenvalue like the others keeps the matrix well conditioned.
    let eigenvalue = trace / size as f64;
    let shifted: Vec<Vec<f64>> = information
        .iter()
        .map(|row| row.iter().map(|entry| entry + eigenvalue / size as f64).collect())
        .collect();
    let factor = cholesky(&shifted)?;
    let mut inverse = vec![vec![0.0; size]; size];
    for column in 0..size {
        let mut unit = vec![0.0; size];
        unit[column] = 1.0;
        for (row, entry) in solve(&factor, unit).into_iter().enumerate() {
            inverse[row][column] = entry - 1.0 / (eigenvalue * size as f64);
        }
    }
    Some(inverse)
}

/// Returns the lower triangle L with L·Lᵀ = `matrix`; none unless the matrix is positive definite.
fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let mut factor = vec![vec![0.0; size]; size];
    for row in 0..size {
        for column in 0..=row {
            let products = factor[row].iter().zip(&factor[column]).take(column);
            let rest = matrix[row][column] - products.map(|(a, b)| a * b).sum::<f64>();
            factor[row][column] = if row > column {
                rest / factor[column][column]
            } else if rest > matrix[row][row] * f64::EPSILON {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    Some(factor)
}

/// Solves L·Lᵀ·x = `right` by substitution.
fn solve(factor: &[Vec<f64>], right: Vec<f64>) -> Vec<f64> {
    let mut x = right;
    for row in 0..x.len() {
        let known: f64 = factor[row].iter().zip(&x[..row]).map(|(a, b)| a * b).sum();
        x[row] = (x[row] - known) / factor[row][row];
    }
    for row in (0..x.len()).rev() {
        let value = x[row] / factor[row][row];
        x[row] = value;
        // The rows of the factor lie together in memory, its columns do not.
        for (rest, entry) in x[..row].iter_mut().zip(&factor[row]) {
            *rest -= entry * value;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_players_share_the_variance_of_their_difference() {
        // One difference observed with information 4, so variance 1/4 and 1/16 for each rating.
        let covariance = of_differences(&[vec![4.0, -4.0], vec![-4.0, 4.0]]).unwrap();
        for (row, expected) in covariance.iter().zip([[0.0625, -0.0625], [-0.0625, 0.0625]]) {
            for (entry, expected) in row.iter().zip(expected) {
                assert!((entry - expected).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn the_product_with_the_information_projects_onto_differences() {
        let information = [
            vec![5.0, -2.0, -3.0, 0.0],
            vec![-2.0, 2.5, 0.0, -0.5],
            vec![-3.0, 0.0, 4.0, -1.0],
            vec![0.0, -0.5, -1.0, 1.5],
        ];
        let covariance = of_differences(&information).unwrap();
        for (i, row) in information.iter().enumerate() {
            // The covariance is symmetric, so its rows are its columns.
            for (j, column) in covariance.iter().enumerate() {
                let product: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
                let expected = if i == j { 0.75 } else { -0.25 };
                assert!((product - expected).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn players_who_never_met_have_no_covariance() {
        let mut information = vec![vec![0.0; 4]; 4];
        for (a, b) in [(0, 1), (2, 3)] {
            information[a][a] = 1.0;
            information[b][b] = 1.0;
            information[a][b] = -1.0;
            information[b][a] = -1.0;
        }
        assert_eq!(of_differences(&information), None);
    }
}
