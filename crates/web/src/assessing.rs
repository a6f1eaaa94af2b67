//! The engine's findings about a game: the comparison of each move with the best one, the report as
//! a page, and the annotated record.

use std::iter;

use cannonade_analysis::{
    Assessment, GameAnalysis, MoveAssessment, MoveClass, PositionAnalysis, ReportGame,
    ReportOptions, annotate, in_both_languages, report_page, summary_json,
};
use cannonade_engine::SearchLine;
use serde_json::{Value, json};
use xiangqi::board::Move;
use xiangqi::notation::{Notation, write_line};
use xiangqi::records::{Cursor, Game, NodeId};
use xiangqi::rules::{Regulations, RuleSet};

use super::request_error::RequestError;
use super::requests::{AssessRequest, WriteRequest};
use super::trees::{FoundScore, Tree};

/// Moves of a better line that the page shows.
const LINE_MOVES: usize = 8;

/// A game with what was found about its main line.
struct AnalysedGame {
    game: Game,
    /// The numbers of the moves of the main line, the start first.
    numbers: Vec<usize>,
    analysis: GameAnalysis,
    assessment: Assessment,
}

impl AnalysedGame {
    fn of(tree: &Tree, rules: RuleSet) -> Result<AnalysedGame, RequestError> {
        let (game, ids) = tree.game()?;
        let number = |node: NodeId| ids.iter().position(|&id| id == node).unwrap_or(0);
        let numbers: Vec<usize> =
            iter::once(NodeId::ROOT).chain(game.main_line()).map(number).collect();
        // The game ends where the rules end it.
        let count = GameAnalysis::new(&game).positions.len();
        let mut cursor = Cursor::new(&game);
        let mut analysed = |&number: &usize| {
            let position = cursor.go_to(&game, *ids.get(number)?);
            let found = tree.score_of(number)?;
            Some(position_analysis(found, found.of_mover(position)))
        };
        let positions = numbers.iter().take(count).map(&mut analysed).collect();
        let analysis = GameAnalysis { positions };
        let assessment = Assessment::new(&game, &analysis, Regulations::of(rules));
        Ok(AnalysedGame { game, numbers, analysis, assessment })
    }
}

fn position_analysis(
    found: &FoundScore,
    score: cannonade_engine::search::Score,
) -> PositionAnalysis {
    PositionAnalysis {
        score,
        lines: vec![SearchLine { score, moves: found.line.clone() }],
        depth: found.depth,
        ..PositionAnalysis::default()
    }
}

/// Returns the game as a report.
///
/// # Errors
/// If the game is not sound.
pub(super) fn report(wanted: &WriteRequest) -> Result<String, RequestError> {
    let analysed = AnalysedGame::of(&wanted.tree, wanted.rules)?;
    let known = analysed.analysis.is_begun().then_some((&analysed.analysis, &analysed.assessment));
    let game = ReportGame { game: &analysed.game, analysis: known };
    let (rules, notation, language) = (wanted.rules, wanted.notation, wanted.language);
    let options =
        ReportOptions { language, notation, rules, opens_at_repetition: false, limits: None };
    Ok(report_page(&[game], &options))
}

/// Returns the record with scores, marks and better lines.
///
/// # Errors
/// If the game is not sound.
pub(super) fn annotated(wanted: &WriteRequest) -> Result<Game, RequestError> {
    let analysed = AnalysedGame::of(&wanted.tree, wanted.rules)?;
    Ok(annotate(&analysed.game, &analysed.assessment, wanted.notation))
}

/// Returns the main line for the page: `summary` as in reports, and for each half-move its class and
/// loss, with the better line of those that lose points.
///
/// # Errors
/// If the game is not sound.
pub(super) fn assessment(wanted: &AssessRequest) -> Result<Value, RequestError> {
    let AnalysedGame { numbers, analysis, assessment, .. } =
        AnalysedGame::of(&wanted.tree, wanted.rules)?;
    let positions = &analysis.positions;
    let moves = assessment.moves.iter().enumerate().map(|(index, mv)| {
        Some(move_json(mv.as_ref()?, *numbers.get(index + 1)?, wanted.notation))
    });
    let events = assessment.events.iter().filter_map(|event| {
        let node = numbers.get(event.ply)?;
        Some(json!({ "node": node, "text": in_both_languages(|language| event.kind.text(language)) }))
    });
    Ok(json!({
        "complete": analysis.is_complete(),
        "known": positions.iter().flatten().count(),
        "positions": positions.len(),
        "opening": assessment.opening.map(|opening| in_both_languages(|language| opening.name(language))),
        "summary": summary_json(&assessment),
        "moves": moves.collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
    }))
}

fn move_json(mv: &MoveAssessment, node: usize, notation: Notation) -> Value {
    let loses = mv.class >= MoveClass::Inaccuracy;
    let line = mv.analysis.lines.first().filter(|_| loses);
    let better: Vec<Move> =
        line.map_or(&[][..], |line| &line.moves).iter().copied().take(LINE_MOVES).collect();
    json!({
        "node": node,
        "class": mv.class,
        "loss": mv.loss,
        "cpLoss": mv.cp_loss,
        "phase": mv.phase,
        "texts": write_line(&mv.before, &better, notation),
        "better": better,
    })
}
