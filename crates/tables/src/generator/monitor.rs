//! Progress, cancellation and errors of a build.

use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::file::TableFileError;
use crate::signature::Signature;
use crate::value::Value;

/// Failure to build a table.
#[derive(Debug, Error)]
pub enum BuildError {
    /// Cancelled, or a thread ended early.
    #[error("interrupted")]
    Interrupted,
    /// Pieces that no table can hold.
    #[error(
        "{0} cannot be built: a table holds one to three pieces that can cross the river, and at \
         most 4.2 billion positions"
    )]
    TooLarge(Signature),
    /// A win that takes more plies than a byte can hold.
    #[error("{0} cannot be built: a win takes more than {most} plies", most = Value::MAX_PLIES)]
    TooLong(Signature),
    /// Not enough memory.
    #[error(
        "{signature} needs {needed_mib} MiB of memory and only {available_mib} MiB are free; end \
         other programs or build smaller tables"
    )]
    Memory {
        /// Pieces of the table.
        signature: Signature,
        /// Memory needed for the build.
        needed_mib: u64,
        /// Memory available.
        available_mib: u64,
    },
    /// A finished table could not be written or read back.
    #[error(transparent)]
    File(#[from] TableFileError),
}

/// Progress and cancellation of a build.
pub struct Monitor<'a> {
    /// Threads of rayon's pool to work on, as far as it has them; 1 is the caller's own.
    pub threads: usize,
    /// Set by the caller to cancel the build.
    pub cancelled: &'a AtomicBool,
    /// Called at intervals with the share of the work on one table that is done, 0 to 1.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

impl<'a> Monitor<'a> {
    /// Returns the monitor of work on the caller's thread, without reports of progress.
    pub fn on_one_thread(cancelled: &'a AtomicBool) -> Monitor<'a> {
        Monitor { threads: 1, cancelled, progress: &|_| {} }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
