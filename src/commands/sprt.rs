//! The `--sprt` flag of commands that have results of games.

use anyhow::{Context as _, anyhow};

use super::words::Words;
use crate::tournament::statistics::{EloScale, Sprt, SprtState};

/// The test that the words of a `--sprt` describe; none without words.
pub(super) fn parse(words: &[String]) -> anyhow::Result<Option<Sprt>> {
    if words.is_empty() {
        return Ok(None);
    }
    let words = Words::parse("--sprt", words, &["elo0", "elo1", "alpha", "beta", "model"])?;
    let scale = match words.value("model", Some("normalized".to_owned()))?.as_str() {
        "normalized" | "normalised" => EloScale::Normalised,
        "logistic" => EloScale::Logistic,
        other => return Err(anyhow!("--sprt: model={other}; expected normalized or logistic")),
    };
    let sprt = Sprt::new(
        words.value("elo0", None)?,
        words.value("elo1", None)?,
        words.value("alpha", Some(0.05))?,
        words.value("beta", Some(0.05))?,
        scale,
    );
    Ok(Some(sprt.context("--sprt")?))
}

/// How a test ended, in a line; none if it goes on.
pub(super) fn verdict(state: SprtState) -> Option<&'static str> {
    match state {
        SprtState::AcceptH1 => Some("SPRT: H1 accepted, the test passed"),
        SprtState::AcceptH0 => Some("SPRT: H0 accepted, the test failed"),
        SprtState::Continue => None,
    }
}
