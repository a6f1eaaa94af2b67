//! Threads of the commands that divide their work.

use anyhow::Context;

use super::Failure;

/// Starts the threads of rayon's pool; 0 stands for the number of cores.
pub(super) fn start_threads(count: usize) -> Result<(), Failure> {
    let started = rayon::ThreadPoolBuilder::new().num_threads(count).build_global();
    Ok(started.context("cannot start the threads")?)
}
