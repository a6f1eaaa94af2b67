//! Positions of random games, to compare and to measure networks on.

use cannonade_tables::random::Random;
use xiangqi::board::{MoveDelta, Position};

/// The maximum length of a game, in plies.
const PLIES: usize = 100;

/// Plays random games of a seed and calls `visit` with each position and the move that led to it
/// (`None` for the first position of a game). Stops at the end of the game in which the number of
/// positions reaches `count`.
pub fn random_games(seed: u64, count: usize, mut visit: impl FnMut(&Position, Option<MoveDelta>)) {
    let (mut random, mut seen) = (Random::new(seed), 0);
    while seen < count {
        let mut position = Position::startpos();
        let mut delta = None;
        for _ in 0..PLIES {
            visit(&position, delta);
            seen += 1;
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            delta = Some(position.play_unchecked(moves[random.below(moves.len())]));
        }
    }
}
