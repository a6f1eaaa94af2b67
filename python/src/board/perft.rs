//! The count of move paths.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use xiangqi::board::perft_until;

use crate::numbers::Whole;
use crate::waiting;

use super::Board;

/// The deepest count of move paths: no deeper one finishes, and the stack grows with it.
const DEEPEST_PERFT: u32 = 20;

#[pymethods]
impl Board {
    /// The number of move paths of this many plies.
    ///
    /// >>> Board().perft(3)
    /// 79666
    fn perft(slf: PyRef<'_, Self>, py: Python<'_>, depth: Whole) -> PyResult<u64> {
        let depth = depth.within("depth", 0..=DEEPEST_PERFT)?;
        let mut position = slf.position()?.without_history();
        // Other threads may use the board meanwhile.
        drop(slf);
        if depth == 0 {
            return Ok(1);
        }
        let stop = AtomicBool::new(false);
        let is_stopped = || stop.load(Ordering::Relaxed);
        let count = || perft_until(&mut position, depth, &is_stopped).unwrap_or_default();
        waiting::run(py, count, || stop.store(true, Ordering::Relaxed))
    }
}
