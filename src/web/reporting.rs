//! The report of a game: one page that works without the server.

use crate::analysis::{
    AnalysedLine, Assessment, GameAnalysis, PositionAnalysis, ReportGame, ReportOptions,
    report_page,
};
use crate::board::Move;
use crate::records::NodeId;
use crate::rules::{Language, Regulations};

use super::state::{NodeScore, SessionState};

/// The report of the main line with what the engine has found of it so far.
pub(super) fn report(state: &SessionState, language: Language) -> String {
    let game = state.game.plain();
    let nodes = std::iter::once(NodeId::ROOT).chain(state.game.main_line());
    let positions: Vec<_> = nodes.map(|node| state.score(node).map(position_analysis)).collect();
    let is_known = positions.iter().any(Option::is_some);
    let analysis = GameAnalysis { positions };
    let rules = state.rules();
    let regulations =
        Regulations { rules, natural_limit: rules.natural_limit(), ..Regulations::default() };
    let assessment = Assessment::new(&game, &analysis, regulations);
    let game = ReportGame { game: &game, analysis: is_known.then_some((&analysis, &assessment)) };
    let options =
        ReportOptions { language, notation: state.notation, rules, opens_at_repetition: false };
    report_page(&[game], &options)
}

fn position_analysis(found: &NodeScore) -> PositionAnalysis {
    let score = found.score.into();
    let moves = found.line.iter().map(Move::to_string).collect();
    PositionAnalysis {
        score,
        lines: vec![AnalysedLine { score, moves }],
        depth: found.depth,
        ..PositionAnalysis::default()
    }
}
