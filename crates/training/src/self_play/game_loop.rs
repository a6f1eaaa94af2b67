//! One game of the engine against itself.

use cannonade_tables::random::Random;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::rules::{Outcome, Wdl};

use super::openings::{OpeningPlan, random_opening};
use crate::data::{GamePly, PackedBoard, SelfPlayEnding, SelfPlayGame};

/// Conditions that end a game before mate or a ruling. Scores in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlayAdjudication {
    /// Maximum absolute score of an opening.
    pub opening_score: i32,
    /// Minimum absolute score of a won game.
    pub win_score: i32,
    /// Number of consecutive plies with such a score that win the game.
    pub win_plies: usize,
    /// Maximum absolute score of a drawn game.
    pub draw_score: i32,
    /// Number of consecutive plies with such a score that draw the game.
    pub draw_plies: usize,
    /// First ply at which a score can draw the game.
    pub draw_from: usize,
    /// Maximum length of a game in plies, after which it is drawn.
    pub length: usize,
}

impl Default for SelfPlayAdjudication {
    fn default() -> SelfPlayAdjudication {
        SelfPlayAdjudication {
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

/// The player of both sides of a game. A trait, so that tests need no search.
pub(super) trait SelfPlayer {
    /// Scores an opening with a longer search, in centipawns for the side to move; `None` if the
    /// search was stopped.
    fn score_opening(&mut self, position: &Position) -> Option<i32>;

    /// Returns the best move and its score for the side to move; `None` if the search was stopped.
    fn choose_move(&mut self, position: &Position) -> Option<(Move, i32)>;

    /// Returns the outcome if the rules end the game here.
    fn outcome(&self, position: &Position) -> Option<Outcome>;
}

/// The maximum number of refused openings in a row. Some positions of a list are decided, but where
/// this many are refused, no game can be played with the list.
pub(super) const REFUSED_OPENINGS: u32 = 5_000;

/// The reason why a game was not played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NotPlayed {
    /// A search was stopped.
    Stopped,
    /// All of [`REFUSED_OPENINGS`] openings in a row were over or decided.
    NoOpening,
}

/// Plays game `id` of the run with this seed.
///
/// # Errors
/// If a search was stopped or no opening can be used.
pub(super) fn play(
    player: &mut impl SelfPlayer,
    openings: &[Position],
    plan: &OpeningPlan,
    adjudication: &SelfPlayAdjudication,
    seed: u64,
    id: u32,
) -> Result<SelfPlayGame, NotPlayed> {
    let mut random = Random::stream(seed, u64::from(id));
    let mut position = opening(player, openings, plan, adjudication, &mut random)?;
    let start = PackedBoard::pack(position.board(), false);
    let halfmove_clock = position.halfmove_clock();
    let mut plies = Vec::new();
    let mut trend = Trend::default();
    let (result, ending) = loop {
        let side = position.side();
        if let Some(outcome) = player.outcome(&position) {
            let ending = if outcome.reason.is_without_move() {
                SelfPlayEnding::NoMove
            } else {
                SelfPlayEnding::Rules
            };
            break (outcome.for_side(Color::Red), ending);
        }
        if plies.len() >= adjudication.length {
            break (Wdl::Draw, SelfPlayEnding::Length);
        }
        let (mv, score) = player.choose_move(&position).ok_or(NotPlayed::Stopped)?;
        let clamped = score.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        plies.push(GamePly { mv, score: clamped });
        trend.add(if side == Color::Red { score } else { -score }, plies.len(), adjudication);
        if let Some(end) = trend.verdict(adjudication) {
            break end;
        }
        position.play_unchecked(mv);
    };
    Ok(SelfPlayGame { id, start, halfmove_clock, result, ending, plies })
}

/// Returns whether the run with this seed, these openings and this plan can begin the game of this
/// number as this one begins. Needs no search, which only refuses some of the openings.
pub(super) fn can_begin(
    openings: &[Position],
    plan: &OpeningPlan,
    seed: u64,
    game: &SelfPlayGame,
) -> bool {
    let mut random = Random::stream(seed, u64::from(game.id));
    let mut attempts = (0..REFUSED_OPENINGS).map(|_| random_opening(openings, plan, &mut random));
    attempts.any(|opening| {
        opening.is_some_and(|opening| PackedBoard::pack(opening.board(), false) == game.start)
    })
}

/// Returns the first random opening that is nearly even.
fn opening(
    player: &mut impl SelfPlayer,
    openings: &[Position],
    plan: &OpeningPlan,
    adjudication: &SelfPlayAdjudication,
    random: &mut Random,
) -> Result<Position, NotPlayed> {
    for _ in 0..REFUSED_OPENINGS {
        let Some(position) = random_opening(openings, plan, random) else { continue };
        let score = player.score_opening(&position).ok_or(NotPlayed::Stopped)?;
        if score.abs() <= adjudication.opening_score {
            return Ok(position);
        }
    }
    Err(NotPlayed::NoOpening)
}

/// The number of plies for which the scores, from Red's view, have been decisive or even.
#[derive(Default)]
struct Trend {
    red: usize,
    black: usize,
    even: usize,
}

impl Trend {
    fn add(&mut self, score: i32, ply: usize, limits: &SelfPlayAdjudication) {
        let extend = |count: usize, holds: bool| if holds { count + 1 } else { 0 };
        self.red = extend(self.red, score >= limits.win_score);
        self.black = extend(self.black, score <= -limits.win_score);
        let even = ply > limits.draw_from && score.abs() <= limits.draw_score;
        self.even = extend(self.even, even);
    }

    fn verdict(&self, limits: &SelfPlayAdjudication) -> Option<(Wdl, SelfPlayEnding)> {
        if self.red >= limits.win_plies {
            Some((Wdl::Win, SelfPlayEnding::WonScore))
        } else if self.black >= limits.win_plies {
            Some((Wdl::Loss, SelfPlayEnding::WonScore))
        } else if self.even >= limits.draw_plies {
            Some((Wdl::Draw, SelfPlayEnding::DrawnScore))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::rules::EndByRules;

    use super::*;

    /// Plays the first legal move and always reports the same score, from Red's view; a larger one
    /// is that of the openings too. The rules end the game as a draw at a ply.
    struct Simple(i32, u32);

    impl SelfPlayer for Simple {
        fn score_opening(&mut self, _: &Position) -> Option<i32> {
            Some(if self.0.abs() > 1500 { self.0 } else { 0 })
        }

        fn choose_move(&mut self, position: &Position) -> Option<(Move, i32)> {
            let mv = *position.legal_moves().first()?;
            Some((mv, if position.side() == Color::Red { self.0 } else { -self.0 }))
        }

        fn outcome(&self, position: &Position) -> Option<Outcome> {
            let last = position.ply() as u32 >= self.1;
            let drawn = last.then(|| Outcome::draw(EndByRules::NaturalLimit));
            let lost = || Outcome::loss(position.side(), EndByRules::Checkmate);
            (!position.has_legal_move()).then(lost).or(drawn)
        }
    }

    fn attempt(score: i32, last_ply: u32, list: &[Position]) -> Result<SelfPlayGame, NotPlayed> {
        let plan = OpeningPlan { listed_share: 100, ..OpeningPlan::default() };
        let limits = SelfPlayAdjudication::default();
        play(&mut Simple(score, last_ply), list, &plan, &limits, 1, 7)
    }

    fn game(score: i32, last_ply: u32) -> SelfPlayGame {
        attempt(score, last_ply, &[]).expect("a whole game")
    }

    #[test]
    fn openings_that_are_all_decided_or_over_end_the_search_for_one() {
        let mated = Position::from_fen("R3k4/1R7/9/9/9/9/9/9/9/3K5 b").expect("a position");
        assert_eq!(attempt(0, 900, &[mated]), Err(NotPlayed::NoOpening));
        assert_eq!(attempt(1600, 900, &[]), Err(NotPlayed::NoOpening));
    }

    #[test]
    fn steady_scores_end_a_game() {
        let (won, lost, even) = (game(1500, 900), game(-1500, 900), game(10, 900));
        assert_eq!((won.result, won.plies.len()), (Wdl::Win, 5));
        assert_eq!((lost.result, lost.plies.len()), (Wdl::Loss, 5));
        assert_eq!((even.result, even.plies.len()), (Wdl::Draw, 90));
    }

    #[test]
    fn a_game_without_decision_is_drawn_by_its_length_or_ends_by_the_rules() {
        for (last_ply, ending) in [(900, SelfPlayEnding::Length), (40, SelfPlayEnding::Rules)] {
            let game = game(100, last_ply);
            assert_eq!((game.ending, game.result), (ending, Wdl::Draw));
            assert!((20..=300).contains(&game.plies.len()));
            assert!(game.replay(|_, _, _| ()).is_ok());
        }
    }
}
