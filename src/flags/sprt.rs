//! The flag `--sprt` of the commands `match` and `pool`.

use anyhow::{Context as _, anyhow};
use cannonade_match::statistics::{EloScale, Sprt, SprtState};

use super::key_values::KeyValues;

/// Returns the test of a flag with these words; none without words.
///
/// # Errors
/// If a word is not one of the keys with a valid value.
pub(crate) fn sprt_of(words: &[String]) -> anyhow::Result<Option<Sprt>> {
    if words.is_empty() {
        return Ok(None);
    }
    let values = KeyValues::parse("--sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let scale = match values.value("model", Some("normalized".to_owned()))?.as_str() {
        "normalized" | "normalised" => EloScale::Normalised,
        "logistic" => EloScale::Logistic,
        other => return Err(anyhow!("--sprt: model={other}; expected normalized or logistic")),
    };
    let sprt = Sprt::new(
        values.value("elo0", None)?,
        values.value("elo1", None)?,
        values.value("alpha", Some(0.05))?,
        values.value("beta", Some(0.05))?,
        scale,
    );
    Ok(Some(sprt.context("--sprt")?))
}

/// Returns the result of a test as a line of text; none if it is not decided.
pub(crate) fn verdict(state: SprtState) -> Option<&'static str> {
    match state {
        SprtState::AcceptH1 => Some("SPRT: H1 was accepted, the test passed"),
        SprtState::AcceptH0 => Some("SPRT: H0 was accepted, the test failed"),
        SprtState::Continue => None,
    }
}
