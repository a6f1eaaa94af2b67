//! One game of the engine against itself.

use super::game::{Ending, Game, GamePly, GameResult};
use super::opening::{OpeningPlan, random_opening};
use super::packed::PackedBoard;
use crate::board::{Move, Position};
use crate::geometry::Color;
use crate::random::Random;

/// When a game is over before its natural end. Scores in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Adjudication {
    /// An opening is kept if its score lies within plus and minus this.
    pub opening_score: i32,
    /// A game is won at this score ...
    pub win_score: i32,
    /// ... for so many plies.
    pub win_plies: usize,
    /// A game is drawn within plus and minus this score ...
    pub draw_score: i32,
    /// ... for so many plies ...
    pub draw_plies: usize,
    /// ... not before this ply.
    pub draw_from: usize,
    /// A game of so many plies is drawn.
    pub length: usize,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication {
            opening_score: 400,
            win_score: 1500,
            win_plies: 5,
            draw_score: 10,
            draw_plies: 10,
            draw_from: 80,
            length: 300,
        }
    }
}

/// What the players are to self-play.
pub(super) trait Player {
    /// A careful look at an opening: its score in centipawns from the mover's view, or `None` if
    /// the search was stopped.
    fn look(&mut self, position: &Position) -> Option<i32>;

    /// The best move and its score; `None` if the search was stopped.
    fn think(&mut self, position: &Position) -> Option<(Move, i32)>;

    /// The result if the rules end the game here, although there are legal moves.
    fn ruling(&self, position: &Position) -> Option<GameResult>;
}

/// Plays game `id` of the run with this seed; `None` if a search was stopped.
pub(super) fn play(
    player: &mut impl Player,
    openings: &[Position],
    plan: &OpeningPlan,
    adjudication: &Adjudication,
    seed: u64,
    id: u32,
) -> Option<Game> {
    let mut random = Random::stream(seed, u64::from(id));
    let mut position = loop {
        let Some(position) = random_opening(openings, plan, &mut random) else { continue };
        if player.look(&position)?.abs() <= adjudication.opening_score {
            break position;
        }
    };
    let start = PackedBoard::pack(position.board(), false);
    let halfmove_clock = position.halfmove_clock();
    let mut plies = Vec::new();
    let mut trend = Trend::default();
    let (result, ending) = loop {
        let side = position.side();
        if !position.has_legal_move() {
            break (GameResult::win(!side), Ending::NoMove);
        }
        if let Some(result) = player.ruling(&position) {
            break (result, Ending::Rules);
        }
        if plies.len() >= adjudication.length {
            break (GameResult::Draw, Ending::Length);
        }
        let (mv, score) = player.think(&position)?;
        let clamped = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        plies.push(GamePly { mv, score: clamped });
        trend.add(if side == Color::Red { score } else { -score }, plies.len(), adjudication);
        if let Some(end) = trend.verdict(adjudication) {
            break end;
        }
        position.make(mv);
    };
    Some(Game { id, start, halfmove_clock, result, ending, plies })
}

/// For how many plies the scores, from Red's view, have told the same.
#[derive(Default)]
struct Trend {
    red: usize,
    black: usize,
    even: usize,
}

impl Trend {
    fn add(&mut self, score: i32, ply: usize, limits: &Adjudication) {
        let extend = |count: usize, holds: bool| if holds { count + 1 } else { 0 };
        self.red = extend(self.red, score >= limits.win_score);
        self.black = extend(self.black, score <= -limits.win_score);
        let even = ply > limits.draw_from && score.abs() <= limits.draw_score;
        self.even = extend(self.even, even);
    }

    fn verdict(&self, limits: &Adjudication) -> Option<(GameResult, Ending)> {
        if self.red >= limits.win_plies {
            Some((GameResult::RedWins, Ending::WonScore))
        } else if self.black >= limits.win_plies {
            Some((GameResult::BlackWins, Ending::WonScore))
        } else if self.even >= limits.draw_plies {
            Some((GameResult::Draw, Ending::DrawnScore))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the first legal move and always sees the same score, from Red's view.
    struct Simple(i32);

    impl Player for Simple {
        fn look(&mut self, _: &Position) -> Option<i32> {
            Some(0)
        }

        fn think(&mut self, position: &Position) -> Option<(Move, i32)> {
            let mv = *position.legal_moves().first()?;
            Some((mv, if position.side() == Color::Red { self.0 } else { -self.0 }))
        }

        fn ruling(&self, _: &Position) -> Option<GameResult> {
            None
        }
    }

    fn game(score: i32) -> Game {
        let (plan, limits) = (OpeningPlan::default(), Adjudication::default());
        play(&mut Simple(score), &[], &plan, &limits, 1, 7).expect("nobody stops it")
    }

    #[test]
    fn steady_scores_end_a_game() {
        let (won, lost, even) = (game(1500), game(-1500), game(10));
        assert_eq!((won.result, won.plies.len()), (GameResult::RedWins, 5));
        assert_eq!((lost.result, lost.plies.len()), (GameResult::BlackWins, 5));
        assert_eq!((even.result, even.plies.len()), (GameResult::Draw, 90));
    }

    #[test]
    fn a_game_without_decision_is_drawn_by_its_length_or_ends_by_the_rules() {
        let game = game(100);
        assert!(matches!(game.ending, Ending::Length | Ending::NoMove));
        assert!(game.plies.len() <= 300);
        assert!(game.replay(|_, _, _| ()).is_ok());
    }
}
