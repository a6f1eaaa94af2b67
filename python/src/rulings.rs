//! Repetitions judged and explained.

use pyo3::prelude::*;
use serde_json::json;
use xiangqi::notation::Notation;
use xiangqi::rules::EndByRules;
use xiangqi::rules::explanation::{Language, LastRepetition};
use xiangqi::{Color, LoopRuling, RuleSet, judge_game};

use crate::board::Board;
use crate::errors::value_error;
use crate::moves::Move;

/// A ruling of a loop: rule book, ruling, Red's level, Black's level, whether a search ran out of
/// nodes.
type Ruled = (&'static str, &'static str, &'static str, &'static str, bool);

/// A repetition: plies before the loop, its moves, occurrences of the last position, rulings.
type Repeated = (usize, Vec<Move>, usize, Vec<Ruled>);

/// The name of the reason for which a game has ended.
pub fn termination(reason: EndByRules) -> &'static str {
    match reason {
        EndByRules::Checkmate => "checkmate",
        EndByRules::Stalemate => "stalemate",
        EndByRules::Repetition { .. } => "repetition",
        EndByRules::NaturalLimit => "natural-move limit",
        EndByRules::DeadMaterial => "dead material",
    }
}

/// The names of all rule books.
#[pyfunction]
pub fn rule_sets() -> Vec<&'static str> {
    RuleSet::ALL.iter().map(|rules| rules.name()).collect()
}

/// Judges the last repetition on the board: the object that `cannonade judge --json` prints, as
/// text, and the explanation as the command prints it.
#[pyfunction]
pub fn judge(
    board: PyRef<'_, Board>,
    rules: &str,
    language: &str,
    notation: &str,
) -> PyResult<(String, String)> {
    let rules: RuleSet = rules.parse().map_err(value_error)?;
    let language: Language = language.parse().map_err(value_error)?;
    let notation: Notation = notation.parse().map_err(value_error)?;
    let (report, text) = match LastRepetition::of(&board.position, rules) {
        Some(found) => {
            let mut report = json!(found.explanation.report(language, notation));
            if let Some(report) = report.as_object_mut() {
                report.insert("occurrences".to_owned(), json!(found.occurrences));
            }
            (report, found.text(language, notation))
        }
        None => {
            let reason = language.labels().no_repetition;
            let report = json!({
                "ruling": "none", "red": "idle", "black": "idle", "undecided": false, "occurrences": 1,
                "cycle_start": null, "fen": null, "article": null, "rules": rules.name(),
                "reason": reason, "reasons": [], "moves": [],
            });
            (report, format!("{reason}\n"))
        }
    };
    Ok((report.to_string(), text))
}

/// Judges all repetitions on the board by several rule books, without explanations.
#[pyfunction]
pub fn repetitions(board: PyRef<'_, Board>, rules: Vec<String>) -> PyResult<Vec<Repeated>> {
    let sets: Vec<RuleSet> =
        rules.iter().map(|name| name.parse().map_err(value_error)).collect::<PyResult<_>>()?;
    let ruled = |(rules, ruling): (&RuleSet, &LoopRuling)| {
        let text = match ruling.loser {
            None => "draw",
            Some(Color::Red) => "red loses",
            Some(Color::Black) => "black loses",
        };
        (rules.name(), text, ruling.red.name(), ruling.black.name(), ruling.is_undecided)
    };
    let found = judge_game(&board.position, &sets).into_iter().map(|found| {
        let rulings = sets.iter().zip(&found.rulings).map(ruled).collect();
        (found.start, found.moves.into_iter().map(Move).collect(), found.occurrences, rulings)
    });
    Ok(found.collect())
}
