//! From scores to chances.

use crate::board::Position;
use crate::geometry::Color;
use crate::protocol::permille;

use super::AnalysisScore;

/// The chances of win, draw and loss for the side to move, in permille.
pub fn win_draw_loss(score: AnalysisScore, position: &Position) -> [u32; 3] {
    permille(score.into(), position.occupied().len())
}

/// The points that the side to move can expect, from 0 (loss) to 1 (win).
pub fn expected_score(score: AnalysisScore, position: &Position) -> f64 {
    let [win, draw, _] = win_draw_loss(score, position);
    (f64::from(win) + f64::from(draw) / 2.0) / 1000.0
}

/// The points that Red can expect, from 0 (loss) to 1 (win); the score is for the side to move.
pub fn red_points(score: AnalysisScore, position: &Position) -> f64 {
    let own = expected_score(score, position);
    if position.side() == Color::Red { own } else { 1.0 - own }
}
