//! Adds up the results of several matches, such as the parts of one that ran on different machines.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::super::statistics::{GameCounts, PairCounts, Sprt};
use super::report::{EndingCounts, MatchReport};
use super::standings::Standings;

/// Why results cannot be added up.
#[derive(Debug, Error)]
pub enum PoolError {
    /// The file cannot be read.
    #[error("cannot read {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file has other content.
    #[error("{path} does not hold results of a match; expected a file written by `match --json`")]
    OtherContent {
        /// The file.
        path: PathBuf,
        /// What is missing.
        source: serde_json::Error,
    },
}

/// The part of a [`MatchReport`] that is read from a file.
#[derive(Deserialize)]
struct MatchResults {
    planned: u32,
    pairings: Vec<PairingResults>,
    #[serde(flatten)]
    endings: EndingCounts,
}

#[derive(Deserialize)]
struct PairingResults {
    first: String,
    second: String,
    score: GameCounts,
    pairs: PairCounts,
    /// Not in files of older versions.
    in_pairs: Option<bool>,
}

/// Reads the results that matches have written and reports on all their games.
///
/// # Errors
/// If a file cannot be read, or was not written by `match --json`.
pub fn pool_results(paths: &[PathBuf], sprt: Option<&Sprt>) -> Result<MatchReport, PoolError> {
    let mut standings = Standings::new(Vec::new());
    let mut endings = EndingCounts::default();
    let mut planned = 0u32;
    for path in paths {
        let results = read(path)?;
        planned = planned.saturating_add(results.planned);
        for pairing in &results.pairings {
            let PairingResults { first, second, score, pairs, in_pairs } = pairing;
            let in_pairs = in_pairs.unwrap_or(pairs.pairs() > 0);
            standings.add([first, second], *score, *pairs, in_pairs);
        }
        endings.merge(results.endings);
    }
    Ok(MatchReport::new(&standings, planned, sprt, &endings))
}

fn read(path: &Path) -> Result<MatchResults, PoolError> {
    let bytes =
        fs::read(path).map_err(|source| PoolError::Unreadable { path: path.to_owned(), source })?;
    serde_json::from_slice(&bytes)
        .map_err(|source| PoolError::OtherContent { path: path.to_owned(), source })
}
