//! Work that is not a search but long enough to be stopped, such as perft and the benchmark.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::Sender;

use super::Event;
use super::jobs::{Busy, Step};
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

/// Returns a task, the work that does it, and its end. `busy` is set by the caller and cleared at
/// the end.
pub(super) fn prepare(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&BackgroundTask) + Send + 'static,
) -> (Arc<BackgroundTask>, Step, Step) {
    let task = Arc::new(BackgroundTask { stopped: AtomicBool::new(false), events });
    let (worker, ended) = (Arc::clone(&task), Arc::clone(&task));
    let end = move || {
        let _ = ended.events.send(Event::Done);
        busy.set(false);
    };
    (task, Box::new(move || work(&worker)), Box::new(end))
}

/// Runs a task on a separate thread. `busy` is set by the caller and cleared at the end.
pub(super) fn spawn(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&BackgroundTask) + Send + 'static,
) -> Arc<BackgroundTask> {
    let (task, work, end) = prepare(events, Arc::clone(&busy), work);
    let run = move || {
        work();
        end();
    };
    let thread = thread::Builder::new().name("background".to_owned()).stack_size(STACK).spawn(run);
    if let Err(error) = thread {
        task.print(format!("cannot start a thread: {error}"));
        let _ = task.events.send(Event::Done);
        busy.set(false);
    }
    task
}
