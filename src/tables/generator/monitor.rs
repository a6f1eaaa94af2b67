//! How a build is watched and ended, and why it can fail.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::tables::file::TableFileError;
use crate::tables::signature::Signature;

/// Why a table could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Ctrl-C, or a thread that ended early.
    #[error("interrupted; tables that were finished are kept")]
    Interrupted,
    /// Pieces that no table can hold.
    #[error(
        "{0} cannot be built: a table holds one to three pieces that can cross the river, and at \
         most 4.2 billion positions"
    )]
    TooLarge(Signature),
    /// A win that takes more plies than a byte can hold.
    #[error("{0} cannot be built: a win takes more than 252 plies")]
    TooLong(Signature),
    /// Not enough memory.
    #[error(
        "{signature} needs {needed_mib} MiB of memory and only {available_mib} MiB are free; end \
         other programs or build smaller tables"
    )]
    Memory {
        /// The table.
        signature: Signature,
        /// What building it takes.
        needed_mib: u64,
        /// What the system has.
        available_mib: u64,
    },
    /// A finished table could not be written or read again.
    #[error(transparent)]
    File(#[from] TableFileError),
}

/// How a build is watched and ended.
pub struct Monitor<'a> {
    /// Threads to work on.
    pub threads: usize,
    /// Set from outside to end the build.
    pub cancelled: &'a AtomicBool,
    /// Called now and then with a share of the work on one table that is done, 0 to 1.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

impl Monitor<'_> {
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
