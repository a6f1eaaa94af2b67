//! The tables that arguments name, and the end of work on them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cannonade_tables::{BuildError, ProbeError, Signature, Tables, check_size, parse_family};

use crate::Failure;
use crate::flags::{open_tables, warn_of_tables};
use crate::interrupt::stop_on_interrupt;

/// Returns the signatures that words name, each once.
pub(super) fn signatures(words: &[String]) -> Result<Vec<Signature>, Failure> {
    let mut all = BTreeSet::new();
    for word in words {
        all.extend(parse_family(word).map_err(Failure::input)?);
    }
    Ok(all.into_iter().collect())
}

/// Returns the built-in tables and those of a folder; unsound files are reported and left out.
pub(super) fn open(path: Option<&Path>) -> Result<Arc<Tables>, Failure> {
    let opened = open_tables(path)?;
    warn_of_tables(&opened);
    Ok(opened.tables)
}

/// Returns the signatures that words name, all if there are none; each must have its table.
pub(super) fn held(tables: &Tables, words: &[String]) -> Result<Vec<Signature>, Failure> {
    if words.is_empty() {
        return Ok(tables.signatures());
    }
    let there = tables.signatures();
    let wanted = signatures(words)?;
    match wanted.iter().find(|signature| !there.contains(signature)) {
        Some(missing) => Err(missing_table(*missing)),
        None => Ok(wanted),
    }
}

pub(super) fn missing_table(signature: Signature) -> Failure {
    if let Err(error) = check_size(signature) {
        return Failure::input(error);
    }
    Failure::input(ProbeError::Missing(signature))
}

/// Returns a flag that Ctrl-C sets.
pub(super) fn cancelled_by_ctrl_c() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    // Without the handler Ctrl-C ends the process, which harms no finished table.
    let _ = stop_on_interrupt(move || flag.store(true, Ordering::Relaxed));
    cancelled
}

/// Converts the error of work that was to go on; `stopped` says what an interrupt leaves.
pub(super) fn failure(error: BuildError, stopped: impl Into<String>) -> Failure {
    match error {
        BuildError::Interrupted => Failure::Interrupted(stopped.into()),
        error => Failure::Work(error.into()),
    }
}
