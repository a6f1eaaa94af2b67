//! The report of a game: one page that works without the server.

use std::iter;

use xiangqi::notation::Notation;
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::Regulations;
use xiangqi::rules::explanation::Language;

use super::state::{NodeScore, SessionState};
use crate::analysis::{
    Assessment, GameAnalysis, PositionAnalysis, ReportGame, ReportOptions, report_page,
};
use crate::engine::SearchLine;

/// The data of a session for a report: its main line with the engine's findings so far.
pub(super) struct ReportSource {
    game: Game,
    analysis: GameAnalysis,
    regulations: Regulations,
    notation: Notation,
}

impl ReportSource {
    pub(super) fn of(state: &SessionState) -> ReportSource {
        let game = state.game().record().clone();
        let nodes = iter::once(NodeId::ROOT).chain(game.main_line());
        let positions = nodes.map(|node| state.score_of(node).map(position_analysis)).collect();
        ReportSource {
            game,
            analysis: GameAnalysis { positions },
            regulations: state.regulations(),
            notation: state.notation,
        }
    }

    /// Writes the report.
    pub(super) fn write(&self, language: Language) -> String {
        let ReportSource { game, analysis, regulations, notation } = self;
        let is_known = analysis.positions.iter().any(Option::is_some);
        let assessment = Assessment::new(game, analysis, *regulations);
        let game = ReportGame { game, analysis: is_known.then_some((analysis, &assessment)) };
        let (rules, notation) = (regulations.rules, *notation);
        let options =
            ReportOptions { language, notation, rules, opens_at_repetition: false, limits: None };
        report_page(&[game], &options)
    }
}

fn position_analysis(found: &NodeScore) -> PositionAnalysis {
    PositionAnalysis {
        score: found.score,
        lines: vec![SearchLine { score: found.score, moves: found.line.clone() }],
        depth: found.depth,
        ..PositionAnalysis::default()
    }
}
