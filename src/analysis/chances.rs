//! From scores to chances.

use crate::board::Position;
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
