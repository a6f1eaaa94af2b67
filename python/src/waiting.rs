//! Waiting for long work without the interpreter's lock, until it ends or Ctrl-C is pressed.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval at which signals are looked for.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(100);

/// Runs `work` on a thread of its own. At Ctrl-C, or when another handler of a signal raises,
/// `stop` is called, and the exception is raised once the work has ended.
pub fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send,
    stop: impl Fn() + Sync,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, finished) = channel();
            let worker = scope.spawn(move || {
                let result = work();
                // The receiver lives until the result is there.
                let _ = sender.send(());
                result
            });
            let mut raised = None;
            while let Err(RecvTimeoutError::Timeout) = finished.recv_timeout(SIGNAL_INTERVAL) {
                if raised.is_none()
                    && let Err(error) = Python::attach(|py| py.check_signals())
                {
                    stop();
                    raised = Some(error);
                }
            }
            let result = worker.join().map_err(|_| {
                PyRuntimeError::new_err(
                    "a thread panicked, which is a bug; please report it",
                )
            });
            raised.map_or(result, Err)
        })
    })
}
