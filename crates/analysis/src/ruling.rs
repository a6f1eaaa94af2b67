//! The ruling of the last repetition of a game as JSON.

use serde_json::{Value, json};
use xiangqi::notation::Notation;
use xiangqi::rules::RuleSet;
use xiangqi::rules::explanation::{Language, LastRepetition};

/// The name and version of the form.
const SCHEMA: &str = "judge-1";

/// Returns the object that `cannonade judge --json` prints for a game with this last repetition, or
/// without any.
pub fn ruling_json(
    repetition: Option<&LastRepetition>,
    rules: RuleSet,
    language: Language,
    notation: Notation,
) -> Value {
    let Some(LastRepetition { explanation, occurrences, .. }) = repetition else {
        return json!({
            "schema": SCHEMA,
            "ruling": "none",
            "red": "idle",
            "black": "idle",
            "undecided": false,
            "occurrences": 1,
            "cycle_start": null,
            "fen": null,
            "article": null,
            "rules": rules.name(),
            "reason": language.labels().no_repetition,
            "reasons": [],
            "moves": [],
        });
    };
    let mut value = json!(explanation.report(language, notation));
    if let Some(report) = value.as_object_mut() {
        report.insert("schema".to_owned(), json!(SCHEMA));
        report.insert("occurrences".to_owned(), json!(occurrences));
    }
    value
}
