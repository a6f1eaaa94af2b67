//! Positions of random games, to compare and to measure networks on.

use crate::board::{MoveDelta, Position};
use crate::random::Random;

/// Plies of a game that does not end before.
const PLIES: usize = 100;

/// Plays random games of a seed until `count` positions have been shown (a begun game is played to
/// its end), each with the move that led to it; none leads to the first of a game.
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
            delta = Some(position.make(moves[random.below(moves.len())]));
        }
    }
}
