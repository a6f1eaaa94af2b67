//! Repetitions judged and explained.

use cannonade_analysis::ruling_json;
use pyo3::prelude::*;
use xiangqi::notation::Notation;
use xiangqi::rules::EndByRules;
use xiangqi::rules::explanation::{Language, LastRepetition};
use xiangqi::{LoopRuling, RuleSet, judge_game};

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
        _ => "rules",
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
    let last = LastRepetition::of(board.position()?, rules);
    let report = ruling_json(last.as_ref(), rules, language, notation);
    let text = match last {
        Some(found) => found.text(language, notation),
        None => format!("{}\n", language.labels().no_repetition),
    };
    Ok((report.to_string(), text))
}

/// Judges all repetitions on the board by several rule books, without explanations.
#[pyfunction]
pub fn repetitions(board: PyRef<'_, Board>, rules: Vec<String>) -> PyResult<Vec<Repeated>> {
    let sets: Vec<RuleSet> =
        rules.iter().map(|name| name.parse().map_err(value_error)).collect::<PyResult<_>>()?;
    let ruled = |(rules, ruling): (&RuleSet, &LoopRuling)| {
        (
            rules.name(),
            Language::English.ruling(ruling.loser),
            ruling.red.name(),
            ruling.black.name(),
            ruling.is_undecided,
        )
    };
    let found = judge_game(board.position()?, &sets).into_iter().map(|found| {
        let rulings = sets.iter().zip(&found.rulings).map(ruled).collect();
        (found.start, found.moves.into_iter().map(Move::from).collect(), found.occurrences, rulings)
    });
    Ok(found.collect())
}
