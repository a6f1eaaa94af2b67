//! Texts of a report in its two languages.

use serde_json::{Value, json};
use xiangqi::rules::explanation::Language;

/// Returns a text as an object with the keys `en` and `zh`.
pub fn in_both_languages(write: impl Fn(Language) -> String) -> Value {
    json!({ "en": write(Language::English), "zh": write(Language::Chinese) })
}
