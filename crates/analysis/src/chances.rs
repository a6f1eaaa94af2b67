//! Expected points by a score.

use cannonade_engine::search::{Score, win_draw_loss};
use xiangqi::board::Position;
use xiangqi::geometry::Color;

/// Returns the points that the side to move can expect, from 0 (loss) to 1 (win).
pub fn expected_score(score: Score, position: &Position) -> f64 {
    let [win, draw, _] = win_draw_loss(score, position.occupied().len());
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// Returns the points that Red can expect, from 0 (loss) to 1 (win); the score is for the side to
/// move.
pub fn red_points(score: Score, position: &Position) -> f64 {
    let own = expected_score(score, position);
    if position.side() == Color::Red { own } else { 1.0 - own }
}
