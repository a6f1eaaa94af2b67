//! Games that are as good as over, ended by what both engines say of them.

use crate::geometry::Color;

use super::dialogue::EngineScore;
use super::ending::{Ending, Reason};

/// Ends a game as lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// For so many moves in a row ...
    pub moves: u32,
    /// ... the loser saw itself at least so many hundredths of a pawn behind.
    pub score: i32,
    /// Whether the winner must have agreed on each of its moves.
    pub two_sided: bool,
}

/// Ends a game as drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// Not before this move of the game.
    pub from_move: u32,
    /// For so many moves of each side in a row ...
    pub moves: u32,
    /// ... nobody saw more than so many hundredths of a pawn.
    pub score: i32,
}

/// Ends a game as drawn after so many moves of each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveCap(pub u32);

/// The rules that hold in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// When a game is drawn.
    pub draw: Option<DrawRule>,
    /// How long a game may be.
    pub move_cap: Option<MoveCap>,
}

/// What the scores of one game have said so far.
pub(super) struct Adjudicator {
    rules: Adjudication,
    plies: u32,
    /// Moves in a row, by colour: how long it saw itself losing, winning.
    losing: [u32; 2],
    winning: [u32; 2],
    /// Plies in a row with level scores.
    level: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator { rules, plies: 0, losing: [0; 2], winning: [0; 2], level: 0 }
    }

    /// Takes in a move of `side` and the score it came with.
    pub(super) fn hear(&mut self, side: Color, score: Option<EngineScore>) -> Option<Ending> {
        self.plies += 1;
        let value = score.map(EngineScore::value);
        if let Some(rule) = self.rules.resign {
            let count = |counter: &mut u32, holds: bool| {
                *counter = if holds { *counter + 1 } else { 0 };
            };
            count(&mut self.losing[side.index()], value.is_some_and(|v| v <= -rule.score));
            count(&mut self.winning[side.index()], value.is_some_and(|v| v >= rule.score));
            for loser in Color::ALL {
                let agreed = !rule.two_sided || self.winning[(!loser).index()] >= rule.moves;
                if self.losing[loser.index()] >= rule.moves && agreed {
                    return Some(Ending::loss(loser, Reason::ScoreAdjudication));
                }
            }
        }
        if let Some(rule) = self.rules.draw {
            let level = value.is_some_and(|v| v.abs() <= rule.score);
            self.level = if level { self.level + 1 } else { 0 };
            if self.plies >= 2 * rule.from_move && self.level >= 2 * rule.moves {
                return Some(Ending::draw(Reason::DrawAdjudication));
            }
        }
        let MoveCap(moves) = self.rules.move_cap?;
        (self.plies >= 2 * moves).then(|| Ending::draw(Reason::MoveCap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending_ply(rules: Adjudication, scores: impl IntoIterator<Item = i32>) -> Option<usize> {
        let mut adjudicator = Adjudicator::new(rules);
        let sides = Color::ALL.into_iter().cycle();
        scores.into_iter().zip(sides).position(|(score, side)| {
            adjudicator.hear(side, Some(EngineScore::Centipawns(score))).is_some()
        })
    }

    #[test]
    fn a_side_that_sees_itself_lost_long_enough_loses() {
        let rule = ResignRule { moves: 3, score: 500, two_sided: false };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        // Black is losing from its second move on; one lucid moment starts the count anew.
        assert_eq!(ending_ply(rules, [0, 0, 0, -500, 0, -600, 0, -700]), Some(7));
        assert_eq!(ending_ply(rules, [0, -600, 0, -600, 0, 10, 0, -700]), None);
        let rule = ResignRule { two_sided: true, ..rule };
        let rules = Adjudication { resign: Some(rule), ..Adjudication::default() };
        assert_eq!(ending_ply(rules, [0, -600, 0, -600, 0, -600, 0, -600]), None);
        assert_eq!(ending_ply(rules, [600, -600, 600, -600, 600, -600]), Some(5));
        let mut adjudicator = Adjudicator::new(rules);
        assert_eq!(adjudicator.hear(Color::Red, None), None, "no score is no agreement");
    }

    #[test]
    fn level_scores_make_a_draw_after_the_given_move() {
        let rule = DrawRule { from_move: 4, moves: 2, score: 10 };
        let rules = Adjudication { draw: Some(rule), ..Adjudication::default() };
        assert_eq!(ending_ply(rules, [0; 20]), Some(7));
        assert_eq!(ending_ply(rules, [50, 50, 50, 50, 50, 50, 5, -5, 10, -10]), Some(9));
        assert_eq!(ending_ply(rules, [11; 20]), None);
    }

    #[test]
    fn a_long_game_ends_at_the_cap() {
        let rules = Adjudication { move_cap: Some(MoveCap(5)), ..Adjudication::default() };
        assert_eq!(ending_ply(rules, [900, -900].into_iter().cycle().take(50)), Some(9));
    }
}
