//! Results of several matches, such as the parts of one that ran on different machines, as one.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::report::MatchReport;
use super::standings::Standings;
use super::statistics::{PairCounts, Score, Sprt};

/// Why results cannot be pooled.
#[derive(Debug, Error)]
pub enum PoolError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("{path} holds no results of a match ({source}); expected what `match --json` writes")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is missing.
        source: serde_json::Error,
    },
}

/// What is needed of a [`MatchReport`] as a file holds it.
#[derive(Deserialize)]
struct Results {
    planned: u32,
    pairings: Vec<Pairing>,
    endings: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
struct Pairing {
    first: String,
    second: String,
    score: Score,
    pairs: PairCounts,
}

/// Reads the results that matches have written and reports on all their games together.
pub fn pool_results(paths: &[PathBuf], sprt: Option<&Sprt>) -> Result<MatchReport, PoolError> {
    let mut standings = Standings::new(Vec::new());
    let mut endings = BTreeMap::new();
    let mut planned = 0u32;
    for path in paths {
        let results = read(path)?;
        planned = planned.saturating_add(results.planned);
        for Pairing { first, second, score, pairs } in &results.pairings {
            standings.add(first, second, *score, *pairs);
        }
        for (reason, count) in results.endings {
            *endings.entry(reason).or_default() += count;
        }
    }
    Ok(MatchReport::new(&standings, planned, sprt, &endings))
}

fn read(path: &Path) -> Result<Results, PoolError> {
    let bytes =
        fs::read(path).map_err(|source| PoolError::Unreadable { path: path.to_owned(), source })?;
    serde_json::from_slice(&bytes)
        .map_err(|source| PoolError::Foreign { path: path.to_owned(), source })
}
