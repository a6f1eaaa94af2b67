//! Mixes into each score of a game the scores that follow it.
//!
//! The score of a short search is often wrong, and the next ones correct it. A mean over the rest
//! of the game, in which each ply weighs less than the one before it, has less noise than a single
//! score and includes later findings: the lambda-return (R. Sutton, "Learning to predict by the
//! methods of temporal differences", 1988). The engine's own moves are its best ones, so the scores
//! that follow belong to the position.

use cannonade_engine::nnue::LOGIT;

use super::game::SelfPlayGame;

/// The share of later scores that gave the strongest network; see `nets/trials.md`.
pub const DEFAULT_LOOKAHEAD: f32 = 0.8;

/// Mixed scores are clamped to plus and minus this, in centipawns.
const LIMIT: f32 = 6000.0;

/// Returns the scores of a game, each mixed with a share of `lookahead` (0 to 1) of the scores that
/// follow, in centipawns for the side to move at each ply. Scores are mixed as expected results.
pub(super) fn looking_ahead(game: &SelfPlayGame, lookahead: f32) -> Vec<i16> {
    let mut scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
    if lookahead <= 0.0 {
        return scores;
    }
    let mut later = None;
    for score in scores.iter_mut().rev() {
        let own = 1.0 / (1.0 + (-f32::from(*score) / LOGIT as f32).exp());
        // The score that follows is the opponent's.
        let mean = later.map_or(own, |later: f32| own + lookahead * (1.0 - later - own));
        later = Some(mean);
        let logit = (mean / (1.0 - mean)).ln();
        *score = (LOGIT as f32 * logit).clamp(-LIMIT, LIMIT).round() as i16;
    }
    scores
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;
    use xiangqi::rules::Wdl;

    use super::*;
    use crate::data::{GamePly, PackedBoard, SelfPlayEnding};

    fn game(scores: &[i16]) -> SelfPlayGame {
        let position = Position::startpos();
        let mv = position.legal_moves()[0];
        SelfPlayGame {
            id: 0,
            start: PackedBoard::pack(position.board(), false),
            halfmove_clock: 0,
            result: Wdl::Draw,
            ending: SelfPlayEnding::Rules,
            plies: scores.iter().map(|&score| GamePly { mv, score }).collect(),
        }
    }

    #[test]
    fn scores_that_agree_stay() {
        assert_eq!(looking_ahead(&game(&[90, -90, 90, -90]), 0.8), [90, -90, 90, -90]);
        assert_eq!(looking_ahead(&game(&[300, 20, -7]), 0.0), [300, 20, -7]);
        assert!(looking_ahead(&game(&[]), 0.8).is_empty());
    }

    #[test]
    fn a_later_score_is_seen_from_the_other_side_and_the_further_the_less() {
        // The last mover finds that he wins.
        let scores = looking_ahead(&game(&[0, 0, 0, 800]), 0.5);
        assert_eq!(scores[3], 800);
        assert!(scores[2] < -100 && scores[1] > 50 && scores[0] < -20, "{scores:?}");
        assert!(scores[2].abs() > scores[1] && scores[1] > scores[0].abs(), "{scores:?}");
    }

    #[test]
    fn mates_do_not_overflow() {
        assert_eq!(looking_ahead(&game(&[30_000, -30_000]), 0.8), [6000, -6000]);
        assert_eq!(looking_ahead(&game(&[-30_000, 30_000]), 1.0), [-6000, 6000]);
    }
}
