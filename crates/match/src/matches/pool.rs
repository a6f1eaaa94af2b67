//! Adds up the results of several matches, such as the parts of one that ran on different machines.

use std::io;
use std::path::{Path, PathBuf};

use cannonade_tables::input_file;
use serde::Deserialize;
use thiserror::Error;

use super::super::statistics::{GameCounts, PairCounts, Sprt};
use super::conditions::MatchConditions;
use super::report::{EndingCounts, MatchReport, SCHEMA};
use super::standings::Standings;

/// The reason why results cannot be added up.
#[derive(Debug, Error)]
pub enum PoolError {
    /// The file cannot be read.
    #[error("cannot read {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Games would be counted twice.
    #[error("{path} holds the games of {other} again; give each match once")]
    Twice {
        /// The file.
        path: PathBuf,
        /// The file before it.
        other: PathBuf,
    },
    /// The matches were played in different ways.
    #[error(
        "{path} and {other} differ in the {difference}; pool only matches with equal conditions"
    )]
    OtherConditions {
        /// The file.
        path: PathBuf,
        /// The file before it.
        other: PathBuf,
        /// The difference, with both values.
        difference: String,
    },
    /// The file does not name the conditions of its match, so that they cannot be compared.
    #[error("{0} does not name the conditions of its match; pool only files that do")]
    NoConditions(PathBuf),
    /// The file has other content.
    #[error("{path} does not hold results of a match; expected a file written by `match --json`")]
    OtherContent {
        /// The file.
        path: PathBuf,
        /// The missing part.
        source: serde_json::Error,
    },
    /// The file has a form of another version of the program.
    #[error("{path} has the schema {schema}; this version reads {SCHEMA}")]
    OtherSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        schema: String,
    },
    /// No match can have these counts.
    #[error(
        "{path}: the pairs and games of {first} and {second} do not agree; the file is damaged"
    )]
    Counts {
        /// The file.
        path: PathBuf,
        /// An engine.
        first: String,
        /// The other.
        second: String,
    },
}

/// The largest number of games of a pairing: the sum of many files is still a number.
const MAX_GAMES: u64 = 1 << 40;

/// The part of a [`MatchReport`] that is read from a file.
#[derive(Deserialize)]
struct MatchResults {
    /// Not in files of older versions.
    schema: Option<String>,
    planned: u32,
    pairings: Vec<PairingResults>,
    #[serde(flatten)]
    endings: EndingCounts,
    #[serde(default)]
    matches: Vec<MatchConditions>,
}

#[derive(Deserialize)]
struct PairingResults {
    first: String,
    second: String,
    score: GameCounts,
    pairs: PairCounts,
    /// `None` in files of older versions.
    in_pairs: Option<bool>,
}

impl PairingResults {
    /// Returns whether a match can have these counts: each pair has two of the games.
    fn is_possible(&self) -> bool {
        let sum = |counts: &[u64]| counts.iter().try_fold(0, |sum: u64, &n| sum.checked_add(n));
        let GameCounts { wins, losses, draws } = self.score;
        match (sum(&[wins, losses, draws]), sum(&self.pairs.counts())) {
            (Some(games), Some(pairs)) => games <= MAX_GAMES && pairs <= games / 2,
            _ => false,
        }
    }
}

/// Reads the results that matches have written and reports on all their games.
///
/// # Errors
/// If a file cannot be read, was not written by `match --json`, holds games that another one holds
/// too, or those of a match under other or unknown conditions.
pub fn pool_results(paths: &[PathBuf], sprt: Option<&Sprt>) -> Result<MatchReport, PoolError> {
    let mut standings = Standings::new(Vec::new());
    let mut endings = EndingCounts::default();
    let mut planned = 0u32;
    let mut matches: Vec<(PathBuf, MatchConditions)> = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let results = read(path)?;
        let is_same = |other: &&PathBuf| same_file::is_same_file(path, other).unwrap_or(false);
        if let Some(other) = paths.iter().take(index).find(is_same) {
            return Err(PoolError::Twice { path: path.clone(), other: other.clone() });
        }
        if results.matches.is_empty() && paths.len() > 1 {
            return Err(PoolError::NoConditions(path.clone()));
        }
        for conditions in results.matches {
            check(path, &conditions, &matches)?;
            matches.push((path.clone(), conditions));
        }
        planned = planned.saturating_add(results.planned);
        for pairing in &results.pairings {
            let PairingResults { first, second, score, pairs, in_pairs } = pairing;
            let in_pairs = in_pairs.unwrap_or(pairs.pairs() > 0);
            standings.add([first, second], *score, *pairs, in_pairs);
        }
        endings.merge(results.endings);
    }
    let matches: Vec<_> = matches.into_iter().map(|(_, conditions)| conditions).collect();
    Ok(MatchReport::new(&standings, planned, sprt, &endings, &matches))
}

/// Checks that a match is not among those before it and was played as they were.
fn check(
    path: &Path,
    conditions: &MatchConditions,
    before: &[(PathBuf, MatchConditions)],
) -> Result<(), PoolError> {
    for (other_path, other) in before {
        let (path, other_path) = (path.to_owned(), other_path.clone());
        // The time of a match distinguishes it, to the nanosecond.
        if conditions.began == other.began {
            return Err(PoolError::Twice { path, other: other_path });
        }
        if let Some(difference) = conditions.difference(other) {
            return Err(PoolError::OtherConditions { path, other: other_path, difference });
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<MatchResults, PoolError> {
    let bytes = input_file::read(path)
        .map_err(|source| PoolError::Unreadable { path: path.to_owned(), source })?;
    let results: MatchResults = serde_json::from_slice(&bytes)
        .map_err(|source| PoolError::OtherContent { path: path.to_owned(), source })?;
    if let Some(schema) = results.schema.as_ref().filter(|schema| *schema != SCHEMA) {
        return Err(PoolError::OtherSchema { path: path.to_owned(), schema: schema.clone() });
    }
    if let Some(pairing) = results.pairings.iter().find(|pairing| !pairing.is_possible()) {
        let (first, second) = (pairing.first.clone(), pairing.second.clone());
        return Err(PoolError::Counts { path: path.to_owned(), first, second });
    }
    Ok(results)
}
