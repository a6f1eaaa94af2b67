//! Rulings on the repetitions of a game, as JSON for the page.

use cannonade_analysis::explained_loops;
use serde::Serialize;
use xiangqi::board::Position;
use xiangqi::notation::{Notation, write_line};
use xiangqi::rules::explanation::{Explanation, ExplanationReport, Language, explain};
use xiangqi::rules::{RuleSet, judge_game};

use super::view::{RulingView, rulings};

/// A repetition of the game.
#[derive(Serialize)]
pub(super) struct JudgedLoop {
    /// The plies before the first move of the loop.
    start: usize,
    occurrences: usize,
    /// The moves of the loop: several turns if they differ.
    moves: Vec<String>,
    /// The ruling of each rule set.
    rulings: Vec<RulingView>,
    /// The explanation, move by move, by the rule set of the session.
    explanation: Option<ExplanationReport>,
    /// The same with Chinese texts.
    explanation_chinese: Option<ExplanationReport>,
}

/// Returns all repetitions on the way to the position. Those after the [`explained_loops`] have no
/// moves, rulings and explanations.
pub(super) fn judged_loops(
    position: &Position,
    rules: RuleSet,
    notation: Notation,
) -> Vec<JudgedLoop> {
    let mut loops = judge_game(position, &[]);
    let rest = loops.split_off(explained_loops(loops.iter().map(|found| found.moves.len())));
    let mut position = position.clone();
    let mut judged = Vec::with_capacity(loops.len());
    while let Some(found) = loops.pop() {
        while position.ply() > found.start + found.moves.len() {
            position.unmake();
        }
        let rulings = rulings(&position, found.moves.len());
        let explanation = explain(&position, rules);
        let report = |language| {
            explanation.as_ref().map(|found: &Explanation| found.report(language, notation))
        };
        judged.push(JudgedLoop {
            start: found.start,
            occurrences: found.occurrences,
            moves: write_line(&position.at_ply(found.start), &found.moves, notation),
            rulings,
            explanation: report(Language::English),
            explanation_chinese: report(Language::Chinese),
        });
    }
    judged.reverse();
    judged.extend(rest.iter().map(|found| JudgedLoop {
        start: found.start,
        occurrences: found.occurrences,
        moves: Vec::new(),
        rulings: Vec::new(),
        explanation: None,
        explanation_chinese: None,
    }));
    judged
}
