//! The engine's findings about a game: the report as a page, the annotated record, and the
//! comparison of each move with the best one for the page.

use std::iter;

use cannonade_analysis::{
    Assessment, GameAnalysis, MoveAssessment, MoveClass, PositionAnalysis, ReportGame,
    ReportOptions, annotate, in_both_languages, report_page, summary_json,
};
use cannonade_engine::SearchLine;
use serde_json::{Value, json};
use xiangqi::board::{Move, MoveError};
use xiangqi::notation::{Notation, write_line};
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::Regulations;
use xiangqi::rules::explanation::Language;

use super::state::{NodeScore, SessionState};

/// Moves of a better line that the page shows.
const LINE_MOVES: usize = 8;

/// A line of a session with the engine's findings so far.
pub(super) struct ReportSource {
    /// A game whose main line is this line.
    game: Game,
    /// The nodes of the session's game, the start first.
    nodes: Vec<NodeId>,
    analysis: GameAnalysis,
    regulations: Regulations,
    notation: Notation,
}

impl ReportSource {
    /// Returns the game with its main line.
    pub(super) fn of(state: &SessionState) -> ReportSource {
        let game = state.game().record().clone();
        let nodes = iter::once(NodeId::ROOT).chain(game.main_line()).collect();
        ReportSource::along(state, game, nodes)
    }

    /// Returns the shown line alone.
    pub(super) fn of_shown_line(state: &SessionState) -> Result<ReportSource, MoveError> {
        let record = state.game().record();
        let nodes = state.game().line();
        let moves = nodes.iter().filter_map(|&node| record.mv(node));
        let game = Game::with_moves(record.start().clone(), moves)?;
        Ok(ReportSource::along(state, game, nodes))
    }

    fn along(state: &SessionState, game: Game, nodes: Vec<NodeId>) -> ReportSource {
        // The game ends where the rules end it.
        let count = GameAnalysis::new(&game).positions.len();
        let positions = nodes.iter().take(count);
        let positions = positions.map(|&node| state.score_of(node).map(position_analysis));
        ReportSource {
            analysis: GameAnalysis { positions: positions.collect() },
            game,
            nodes,
            regulations: state.regulations(),
            notation: state.notation,
        }
    }

    fn assessment(&self) -> Assessment {
        Assessment::new(&self.game, &self.analysis, self.regulations)
    }

    pub(super) fn write(&self, language: Language) -> String {
        let ReportSource { game, analysis, regulations, notation, .. } = self;
        let assessment = self.assessment();
        let known = analysis.is_begun().then_some((analysis, &assessment));
        let game = ReportGame { game, analysis: known };
        let (rules, notation) = (regulations.rules, *notation);
        let options =
            ReportOptions { language, notation, rules, opens_at_repetition: false, limits: None };
        report_page(&[game], &options)
    }

    /// Returns the record with scores, marks and better lines.
    pub(super) fn annotated(&self, notation: Notation) -> Game {
        annotate(&self.game, &self.assessment(), notation)
    }

    /// Returns the analysed line for the page: `summary` as in reports, and for each half-move its
    /// class and loss, with the better line of those that lose points.
    pub(super) fn assessment_json(&self) -> Value {
        let assessment = self.assessment();
        let positions = &self.analysis.positions;
        let moves = assessment.moves.iter().enumerate().map(|(index, mv)| {
            let mv = mv.as_ref()?;
            Some(move_json(mv, *self.nodes.get(index + 1)?, self.notation))
        });
        let events = assessment.events.iter().filter_map(|event| {
            let node = self.nodes.get(event.ply)?.index();
            Some(json!({ "node": node, "text": in_both_languages(|language| event.kind.text(language)) }))
        });
        json!({
            "complete": self.analysis.is_complete(),
            "known": positions.iter().flatten().count(),
            "positions": positions.len(),
            "opening": assessment.opening.map(|opening| in_both_languages(|language| opening.name(language))),
            "summary": summary_json(&assessment),
            "moves": moves.collect::<Vec<_>>(),
            "events": events.collect::<Vec<_>>(),
        })
    }
}

fn move_json(mv: &MoveAssessment, node: NodeId, notation: Notation) -> Value {
    let loses = mv.class >= MoveClass::Inaccuracy;
    let line = mv.analysis.lines.first().filter(|_| loses);
    let better: Vec<Move> =
        line.map_or(&[][..], |line| &line.moves).iter().copied().take(LINE_MOVES).collect();
    json!({
        "node": node.index(),
        "class": mv.class,
        "loss": mv.loss,
        "cpLoss": mv.cp_loss,
        "phase": mv.phase,
        "texts": write_line(&mv.before, &better, notation),
        "better": better,
    })
}

fn position_analysis(found: &NodeScore) -> PositionAnalysis {
    PositionAnalysis {
        score: found.score,
        lines: vec![SearchLine { score: found.score, moves: found.line.clone() }],
        depth: found.depth,
        ..PositionAnalysis::default()
    }
}
