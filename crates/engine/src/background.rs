//! Work that is not a search but long enough to be stopped, such as perft and the benchmark.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::Sender;

use super::Event;
use super::jobs::Busy;
use super::workers::STACK;

/// A task that runs in the background.
pub struct BackgroundTask {
    stopped: AtomicBool,
    events: Sender<Event>,
}

impl BackgroundTask {
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether the task must end as soon as possible.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Sends a line of output.
    pub fn print(&self, line: String) {
        // Without a receiver the line is not needed.
        let _ = self.events.send(Event::Text(line));
    }
}

/// Returns a task and the work that does it and sends its end. `busy` is set by the caller and
/// cleared at the end.
pub(super) fn prepare(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&BackgroundTask) + Send + 'static,
) -> (Arc<BackgroundTask>, impl FnOnce() + Send + 'static) {
    let task = Arc::new(BackgroundTask { stopped: AtomicBool::new(false), events });
    let handle = Arc::clone(&task);
    let work = move || {
        work(&handle);
        let _ = handle.events.send(Event::Done);
        busy.set(false);
    };
    (task, work)
}

/// Runs a task on a separate thread. `busy` is set by the caller and cleared at the end.
pub(super) fn spawn(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&BackgroundTask) + Send + 'static,
) -> Arc<BackgroundTask> {
    let (task, work) = prepare(events, Arc::clone(&busy), work);
    let thread = thread::Builder::new().name("background".to_owned()).stack_size(STACK).spawn(work);
    if let Err(error) = thread {
        task.print(format!("cannot start a thread: {error}"));
        let _ = task.events.send(Event::Done);
        busy.set(false);
    }
    task
}
