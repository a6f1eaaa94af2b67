//! The count of move paths.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use xiangqi::Position;

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
    fn perft(&self, py: Python<'_>, depth: Whole) -> PyResult<u64> {
        let depth = depth.within("depth", 0..=DEEPEST_PERFT)?;
        let mut position = self.position.without_history();
        if depth == 0 {
            return Ok(1);
        }
        let stop = AtomicBool::new(false);
        let count = || count_paths(&mut position, depth, &|| stop.load(Ordering::Relaxed));
        waiting::run(py, count, || stop.store(true, Ordering::Relaxed))
    }
}

/// Counts move paths; the count means nothing once `is_stopped` is true.
fn count_paths(position: &mut Position, depth: u32, is_stopped: &impl Fn() -> bool) -> u64 {
    if depth <= 3 {
        return xiangqi::perft(position, depth);
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        if is_stopped() {
            break;
        }
        position.play_unchecked(mv);
        nodes += count_paths(position, depth - 1, is_stopped);
        position.unmake();
    }
    nodes
}
