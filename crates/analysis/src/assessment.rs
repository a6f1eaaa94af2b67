//! Compares each move with the engine's best move.
//!
//! The loss of a move is the difference between the expected points of the best move and those of
//! the played one, both by the fitted chances of win, draw and loss.

use cannonade_book::Book;
use cannonade_engine::search::Score;
use cannonade_game::PlayedGame;
use serde::Serialize;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::records::Game;
use xiangqi::rules::{Outcome, Regulations, Wdl};

use super::events::{EventFinder, EventKind, GameEvent};
use super::opening::Opening;
use super::{GameAnalysis, Phase, PositionAnalysis, expected_score, red_points};

/// Losses of points from which a move is inaccurate, a mistake, a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

/// A score in centipawns that decides the game.
const DECIDED: i32 = 1000;

/// The loss of points that halves the accuracy of a move.
const HALVING_LOSS: f64 = 0.15;

/// The quality of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveClass {
    /// The engine's own choice.
    Best,
    /// Another move that loses less than 0.05 points.
    Good,
    /// Loses 0.05 to 0.10 points.
    Inaccuracy,
    /// Loses 0.10 to 0.20 points.
    Mistake,
    /// Loses 0.20 points or more.
    Blunder,
}

impl MoveClass {
    /// All classes.
    pub const ALL: [MoveClass; 5] = [
        MoveClass::Best,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::Blunder,
    ];

    /// Returns the class of a move with this loss; `is_best` is the engine's own choice.
    pub fn of(loss: f64, is_best: bool) -> MoveClass {
        match loss {
            _ if is_best => MoveClass::Best,
            _ if loss >= BLUNDER => MoveClass::Blunder,
            _ if loss >= MISTAKE => MoveClass::Mistake,
            _ if loss >= INACCURACY => MoveClass::Inaccuracy,
            _ => MoveClass::Good,
        }
    }

    /// Returns the English name, as reports and JSON have it.
    pub const fn name(self) -> &'static str {
        match self {
            MoveClass::Best => "best",
            MoveClass::Good => "good",
            MoveClass::Inaccuracy => "inaccuracy",
            MoveClass::Mistake => "mistake",
            MoveClass::Blunder => "blunder",
        }
    }

    /// Returns the sign after the move.
    pub const fn sign(self) -> &'static str {
        match self {
            MoveClass::Best | MoveClass::Good => "",
            MoveClass::Inaccuracy => "?!",
            MoveClass::Mistake => "?",
            MoveClass::Blunder => "??",
        }
    }
}

/// One move of a game and its analysis.
#[derive(Clone, Debug)]
pub struct MoveAssessment {
    /// Half-moves before this one.
    pub ply: usize,
    /// The number of the move in the game.
    pub number: u32,
    /// The side to move.
    pub side: Color,
    /// The move that was played.
    pub mv: Move,
    /// The position before the move, without its history.
    pub before: Position,
    /// The part of the game.
    pub phase: Phase,
    /// The search of the position before the move.
    pub analysis: PositionAnalysis,
    /// The search of the position after the move.
    pub after: PositionAnalysis,
    /// Points lost, 0 to 1, to four decimals.
    pub loss: f64,
    /// Centipawns lost; scores beyond 1000 count as 1000.
    pub cp_loss: u32,
    /// The quality of the move.
    pub class: MoveClass,
}

impl MoveAssessment {
    /// Returns the score after the move from Red's view.
    pub fn red_score(&self) -> Score {
        self.after.score.for_red(!self.side)
    }

    /// Returns the points that Red can expect after the move, from 0 (loss) to 1 (win).
    pub fn red_points(&self) -> f64 {
        red_points(self.after.score, &self.position_after())
    }

    pub(super) fn position_after(&self) -> Position {
        self.before.after([self.mv])
    }
}

/// Statistics of one side's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SideSummary {
    /// Moves of each class, in the order of [`MoveClass::ALL`].
    pub classes: [usize; 5],
    /// The mean accuracy in percent; `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean of the centipawns lost by a move; `None` without moves.
    pub cp_loss: Option<f64>,
}

/// The moves and events of an analysed game.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The moves of the main line; `None` where the positions before and after are not analysed,
    /// and after the end of the game by the rules.
    pub moves: Vec<Option<MoveAssessment>>,
    /// Repetitions, rulings and endings in order.
    pub events: Vec<GameEvent>,
    /// The opening, if it has a name.
    pub opening: Option<Opening>,
    /// The ply after which a repetition, a count of moves or dead material ends the game, and the
    /// score of the result for the side to move.
    pub ended: Option<(usize, Score)>,
}

impl Assessment {
    /// Compares the moves of a game with its analysis.
    pub fn new(game: &Game, analysis: &GameAnalysis, regulations: Regulations) -> Assessment {
        let mut played: PlayedGame = PlayedGame::new(game.clone(), regulations);
        let mut moves = Vec::new();
        let mut events = Vec::new();
        let found = |at: usize| analysis.positions.get(at).and_then(Option::as_ref);
        let table = |at| found(at).and_then(|found| found.table);
        let ruled = |played: &PlayedGame| played.outcome().and_then(|end| ruled_score(end, played));
        let mut finder = EventFinder::default();
        events.extend(finder.next(&played, table(0)));
        let mut ended = ruled(&played).map(|score| (0, score));
        let mut book = Some(Book::built_in());
        for (ply, node) in game.main_line().enumerate() {
            if finder.is_over() {
                moves.push(None);
                continue;
            }
            let before = played.position().without_history();
            played.go_to(node);
            let Some(mv) = played.last_move() else { break };
            if let Some(known) = &book
                && known.moves(&before).iter().all(|book_move| book_move.mv != mv)
            {
                book = None;
                // A game that begins elsewhere was never in the book.
                let out = GameEvent { ply: ply + 1, kind: EventKind::OutOfBook };
                events.extend((ply > 0).then_some(out));
            }
            if let Some(score) = ruled(&played) {
                ended = Some((ply + 1, score));
            }
            let next = found(ply + 1).map(|next| match ended {
                Some((_, score)) => next.ended(score),
                None => next.clone(),
            });
            let assessed = found(ply)
                .zip(next)
                .map(|(now, next)| assess(before, ply, mv, now, (next, played.position())));
            moves.push(assessed);
            events.extend(finder.next(&played, table(ply + 1)));
        }
        Assessment { moves, events, opening: Opening::of(game), ended }
    }

    /// Summarises one side's moves, in one phase or in the whole game.
    pub fn summary(&self, side: Color, phase: Option<Phase>) -> SideSummary {
        let mut summary = SideSummary::default();
        let mut accuracies = Vec::new();
        let mut cp_losses = 0;
        let moves = self.moves.iter().flatten();
        let is_wanted =
            |mv: &&MoveAssessment| mv.side == side && phase.is_none_or(|phase| phase == mv.phase);
        for mv in moves.filter(is_wanted) {
            if let Some(count) = summary.classes.get_mut(mv.class as usize) {
                *count += 1;
            }
            accuracies.push(accuracy(mv.loss));
            cp_losses += mv.cp_loss;
        }
        if !accuracies.is_empty() {
            let count = accuracies.len() as f64;
            summary.accuracy = Some(accuracies.iter().sum::<f64>() / count);
            summary.cp_loss = Some(f64::from(cp_losses) / count);
        }
        summary
    }
}

/// Returns the score of an end by the rules for the side to move; `None` if it has no legal move,
/// which searches know.
fn ruled_score(end: Outcome, played: &PlayedGame) -> Option<Score> {
    (!end.reason.is_without_move()).then(|| match end.for_side(played.position().side()) {
        Wdl::Win => Score::Rule(1),
        Wdl::Draw => Score::Cp(0),
        Wdl::Loss => Score::Rule(-1),
    })
}

/// Returns the accuracy of a move in percent: 100 without a loss, half of it for each
/// [`HALVING_LOSS`].
fn accuracy(loss: f64) -> f64 {
    100.0 * (-loss / HALVING_LOSS).exp2()
}

/// Returns the points lost by a move, given those of the best move and its own, to four decimals:
/// the points are multiples of 0.0005, and a loss of exactly 0.1 must not be a little less.
pub fn points_lost(best: f64, played: f64) -> f64 {
    ((best - played).max(0.0) * 1e4).round() / 1e4
}

fn assess(
    before: Position,
    ply: usize,
    mv: Move,
    now: &PositionAnalysis,
    (next, after): (PositionAnalysis, &Position),
) -> MoveAssessment {
    let is_best = now.best() == Some(mv);
    // One of several lines has the move's own score; otherwise the next search has it.
    let line = now.lines.iter().find(|line| line.moves.first() == Some(&mv));
    let best = expected_score(now.score, &before);
    let played = match line {
        Some(line) if !is_best => expected_score(line.score, &before),
        _ => 1.0 - expected_score(next.score, after),
    };
    let loss = if is_best { 0.0 } else { points_lost(best, played) };
    let pawns = |score: Score| score.centipawns().clamp(-DECIDED, DECIDED);
    let played = match line {
        _ if is_best => pawns(now.score),
        Some(line) => pawns(line.score),
        None => -pawns(next.score),
    };
    let cp_loss = (pawns(now.score) - played).max(0).unsigned_abs();
    MoveAssessment {
        ply,
        number: before.move_number(),
        side: before.side(),
        mv,
        phase: Phase::of(&before, ply),
        before,
        analysis: now.clone(),
        after: next,
        loss,
        cp_loss,
        class: MoveClass::of(loss, is_best),
    }
}
