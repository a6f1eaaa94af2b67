//! Choice among several book moves.

use cannonade_tables::random::Random;

use super::BookMove;

/// Returns the probability of each move, in the order of the moves. `variety` is 0 to 100: at 100
/// the probabilities are proportional to the weights, at 0 only the heaviest move is played, and
/// between they are proportional to the power 100 / variety of the weights. All are 0 if no move
/// has a weight.
pub fn shares(moves: &[BookMove], variety: u8) -> Vec<f64> {
    let heaviest = moves.iter().map(|one| one.weight).max().unwrap_or(0);
    if heaviest == 0 {
        return vec![0.0; moves.len()];
    }
    if variety == 0 {
        // The first of equally heavy moves, so that the choice is deterministic.
        let first = moves.iter().position(|one| one.weight == heaviest);
        return (0..moves.len()).map(|index| f64::from(u8::from(Some(index) == first))).collect();
    }
    let power =
        |weight: u32| (f64::from(weight) / f64::from(heaviest)).powf(100.0 / f64::from(variety));
    let powers: Vec<f64> = moves.iter().map(|one| power(one.weight)).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// Draws a move with the probabilities of [`shares`]; `None` if no move has a weight.
pub fn draw(moves: &[BookMove], variety: u8, random: &mut Random) -> Option<BookMove> {
    let shares = shares(moves, variety);
    if shares.iter().all(|&share| share == 0.0) {
        return None;
    }
    moves.get(random.choose(&shares)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(weights: &[u32]) -> Vec<BookMove> {
        let mv = "h2e2".parse().expect("a move");
        weights.iter().map(|&weight| BookMove { mv, weight, results: None }).collect()
    }

    #[test]
    fn variety_reaches_from_the_heaviest_move_to_the_weights() {
        for (weights, variety, expected) in [
            ([30, 10, 0], 100, [0.75, 0.25, 0.0]),
            ([30, 10, 0], 50, [0.9, 0.1, 0.0]),
            ([30, 30, 10], 0, [1.0, 0.0, 0.0]),
            ([0, 0, 0], 50, [0.0, 0.0, 0.0]),
        ] {
            let found = shares(&moves(&weights), variety);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{weights:?}: {found}");
            }
        }
        assert!(shares(&[], 50).is_empty());
    }

    #[test]
    fn moves_are_drawn_as_often_as_their_share() {
        let (moves, mut random) = (moves(&[300, 100, 0]), Random::new(5));
        let drawn: Vec<u32> = (0..4000)
            .filter_map(|_| draw(&moves, 100, &mut random))
            .map(|one| one.weight)
            .collect();
        let heavy = drawn.iter().filter(|&&weight| weight == 300).count();
        assert_eq!(drawn.len(), 4000);
        assert!((2900..3100).contains(&heavy), "{heavy}");
        assert!(!drawn.contains(&0));
    }
}
