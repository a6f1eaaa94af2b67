//! Adjudication: ends games early that are decided or drawn by the scores of both engines.

use std::fmt;

use xiangqi::Score;
use xiangqi::geometry::Color;
use xiangqi::rules::Outcome;

use super::termination::Termination;

/// The rule for games lost by the scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// Number of consecutive moves of a side with a lost score.
    pub moves: u32,
    /// Size of a lost score in hundredths of a pawn: a score of minus this or less is lost.
    pub score: i32,
    /// True if the other side must report at least this score for itself on as many moves.
    pub two_sided: bool,
}

/// The rule for games drawn by the scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// The first move of the game to which it applies.
    pub from_move: u32,
    /// Number of consecutive moves of each side with an even score.
    pub moves: u32,
    /// Maximum distance of an even score from 0, in hundredths of a pawn.
    pub score: i32,
}

/// A game is drawn after this many moves of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveCap(pub u32);

/// The rules of a match for ending games early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AdjudicationRules {
    /// The rule for lost games.
    pub resign: Option<ResignRule>,
    /// The rule for drawn games.
    pub draw: Option<DrawRule>,
    /// The maximum length of a game.
    pub move_cap: Option<MoveCap>,
}

/// Writes the rules as flags give them, such as `resign movecount=3 score=600 twosided=false;
/// maxmoves 150`.
impl fmt::Display for AdjudicationRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resign = self.resign.map(|ResignRule { moves, score, two_sided }| {
            format!("resign movecount={moves} score={score} twosided={two_sided}")
        });
        let draw = self.draw.map(|DrawRule { from_move, moves, score }| {
            format!("draw movenumber={from_move} movecount={moves} score={score}")
        });
        let cap = self.move_cap.map(|MoveCap(moves)| format!("maxmoves {moves}"));
        let rules: Vec<String> = [resign, draw, cap].into_iter().flatten().collect();
        f.write_str(if rules.is_empty() { "no adjudication" } else { "" })?;
        f.write_str(&rules.join("; "))
    }
}

/// The scores of one game that the rules need.
pub(super) struct Adjudicator {
    rules: AdjudicationRules,
    plies: u32,
    /// Consecutive moves of each side with a lost score.
    losing: [u32; 2],
    /// Consecutive moves of each side with a won score.
    winning: [u32; 2],
    /// Consecutive plies with scores near 0.
    level: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: AdjudicationRules) -> Adjudicator {
        Adjudicator { rules, plies: 0, losing: [0; 2], winning: [0; 2], level: 0 }
    }

    /// Adds the score of a move of `side`; returns the ending if the game ends with it.
    pub(super) fn judge(
        &mut self,
        side: Color,
        score: Option<Score>,
    ) -> Option<Outcome<Termination>> {
        self.plies += 1;
        let value = score.map(value);
        if let Some(rule) = self.rules.resign {
            let count = |counter: &mut u32, holds: bool| {
                *counter = if holds { *counter + 1 } else { 0 };
            };
            count(&mut self.losing[side.index()], value.is_some_and(|v| v <= -rule.score));
            count(&mut self.winning[side.index()], value.is_some_and(|v| v >= rule.score));
            for loser in Color::ALL {
                let agreed = !rule.two_sided || self.winning[(!loser).index()] >= rule.moves;
                if self.losing[loser.index()] >= rule.moves && agreed {
                    return Some(Outcome::loss(loser, Termination::ScoreAdjudication));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            let level = value.is_some_and(|v| v.abs() <= rule.score);
            self.level = if level { self.level + 1 } else { 0 };
            if self.plies / 2 >= rule.from_move && self.level / 2 >= rule.moves {
                return Some(Outcome::draw(Termination::DrawAdjudication));
            }
        }
        let MoveCap(moves) = self.rules.move_cap?;
        (self.plies / 2 >= moves).then(|| Outcome::draw(Termination::MoveCap))
    }
}

/// Returns the score as one number; mates are beyond 30000, above every limit of the rules.
fn value(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value.clamp(-30_000, 30_000),
        Score::Mate(moves) if moves > 0 => 32_000 - moves.min(1000),
        Score::Mate(moves) => -32_000 - moves.max(-1000),
        Score::Rule(_) => score.centipawns(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending_ply(
        rules: AdjudicationRules,
        scores: impl IntoIterator<Item = i32>,
    ) -> Option<usize> {
        let mut adjudicator = Adjudicator::new(rules);
        let sides = Color::ALL.into_iter().cycle();
        scores
            .into_iter()
            .zip(sides)
            .position(|(score, side)| adjudicator.judge(side, Some(Score::Cp(score))).is_some())
    }

    #[test]
    fn a_side_that_sees_itself_lost_long_enough_loses() {
        let rule = ResignRule { moves: 3, score: 500, two_sided: false };
        let rules = AdjudicationRules { resign: Some(rule), ..AdjudicationRules::default() };
        // Black is losing from its second move on; one better score restarts the count.
        assert_eq!(ending_ply(rules, [0, 0, 0, -500, 0, -600, 0, -700]), Some(7));
        assert_eq!(ending_ply(rules, [0, -600, 0, -600, 0, 10, 0, -700]), None);
        let rule = ResignRule { two_sided: true, ..rule };
        let rules = AdjudicationRules { resign: Some(rule), ..AdjudicationRules::default() };
        assert_eq!(ending_ply(rules, [0, -600, 0, -600, 0, -600, 0, -600]), None);
        assert_eq!(ending_ply(rules, [600, -600, 600, -600, 600, -600]), Some(5));
        let mut adjudicator = Adjudicator::new(rules);
        assert_eq!(
            adjudicator.judge(Color::Red, None),
            None,
            "a move without a score does not agree"
        );
    }

    #[test]
    fn level_scores_make_a_draw_after_the_given_move() {
        let rule = DrawRule { from_move: 4, moves: 2, score: 10 };
        let rules = AdjudicationRules { draw: Some(rule), ..AdjudicationRules::default() };
        assert_eq!(ending_ply(rules, [0; 20]), Some(7));
        assert_eq!(ending_ply(rules, [50, 50, 50, 50, 50, 50, 5, -5, 10, -10]), Some(9));
        assert_eq!(ending_ply(rules, [11; 20]), None);
        let rule = DrawRule { from_move: 0, moves: 1 << 31, score: 10 };
        let rules = AdjudicationRules { draw: Some(rule), ..AdjudicationRules::default() };
        assert_eq!(ending_ply(rules, [0; 20]), None);
    }

    #[test]
    fn a_long_game_ends_at_the_cap() {
        let rules =
            AdjudicationRules { move_cap: Some(MoveCap(5)), ..AdjudicationRules::default() };
        assert_eq!(ending_ply(rules, [900, -900].into_iter().cycle().take(50)), Some(9));
    }
}
