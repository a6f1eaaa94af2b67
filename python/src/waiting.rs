//! Waiting for long work without the interpreter's lock, until it ends or Ctrl-C is pressed.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
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
        thread::scope(|scope| {
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
            let result = worker.join().map_err(|_| panicked());
            raised.map_or(result, Err)
        })
    })
}

/// Runs `work`, which cannot be stopped, on a thread of its own, unless it is so short that the
/// thread would take longer. At Ctrl-C, or when another handler of a signal raises, the thread is
/// left to end by itself; it must not use Python.
pub fn run_or_leave<T: Send + 'static>(
    py: Python<'_>,
    is_short: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    py.detach(|| {
        if is_short {
            return Ok(work());
        }
        let (sender, finished) = channel();
        thread::spawn(move || {
            // Nobody waits for the result after Ctrl-C.
            let _ = sender.send(work());
        });
        loop {
            match finished.recv_timeout(SIGNAL_INTERVAL) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => return Err(panicked()),
            }
        }
    })
}

fn panicked() -> PyErr {
    PyRuntimeError::new_err("a thread panicked, which is a bug; please report it")
}
