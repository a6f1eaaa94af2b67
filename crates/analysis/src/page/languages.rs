//! Texts of a report in its two languages.

use serde_json::{Value, json};
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::Language;

/// Returns a text as an object with the keys `en` and `zh`.
pub fn in_both_languages(write: impl Fn(Language) -> String) -> Value {
    json!({ "en": write(Language::English), "zh": write(Language::Chinese) })
}

/// Returns the notation of a report in a language: the chosen one in English, that of books in
/// Chinese.
pub(super) fn notation_in(language: Language, chosen: Notation) -> Notation {
    match language {
        Language::Chinese => Notation::Chinese,
        _ => chosen,
    }
}
