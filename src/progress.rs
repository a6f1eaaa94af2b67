//! The progress of long work on standard error: a bar on a terminal, elsewhere a line a minute.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::output::print_error;

/// The time until the first line and between two lines. Short work is silent.
const FIRST_LINE: Duration = Duration::from_secs(30);
const NEXT_LINE: Duration = Duration::from_secs(60);

/// The progress of work with a known end. Dropping it removes the bar.
pub(super) struct Progress {
    bar: ProgressBar,
    /// The position at which this process has begun.
    first: Arc<AtomicU64>,
    /// Ends the thread that writes lines.
    _end: Sender<()>,
}

impl Progress {
    /// Begins at 0 of `length`.
    pub(super) fn new(length: u64) -> Progress {
        let bar = ProgressBar::new(length);
        let template = "{bar:30} {percent:>3} %, {msg}, {elapsed}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        let first = Arc::new(AtomicU64::new(0));
        let (end, ended) = bounded(0);
        if bar.is_hidden() {
            let (bar, first) = (bar.clone(), Arc::clone(&first));
            let tell = move || {
                let mut wait = FIRST_LINE;
                while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    print_error(line(&bar, first.load(Ordering::Relaxed)));
                    wait = NEXT_LINE;
                }
            };
            // Without a thread the work is silent.
            let _ = thread::Builder::new().spawn(tell);
        }
        Progress { bar, first, _end: end }
    }

    /// Begins again where an earlier process has stopped.
    pub(super) fn resume_at(&self, position: u64) {
        self.first.store(position, Ordering::Relaxed);
        self.bar.set_position(position);
        self.bar.reset_eta();
    }

    /// Moves on to a position.
    pub(super) fn set_position(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Moves on by one.
    pub(super) fn increase(&self) {
        self.bar.inc(1);
    }

    /// Tells what is being done or has been done.
    pub(super) fn set_message(&self, message: impl Display) {
        self.bar.set_message(message.to_string());
    }

    /// Runs code that writes to the terminal, without the bar.
    pub(super) fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Describes the progress, such as `12 %, 1200 of 10000 games, 5 minutes so far, 37 minutes left`.
fn line(bar: &ProgressBar, first: u64) -> String {
    let (position, length, elapsed) = (bar.position(), bar.length().unwrap_or(0), bar.elapsed());
    let percent = 100 * position / length.max(1);
    let mut line = format!("{percent} %, {}, {} so far", bar.message(), HumanDuration(elapsed));
    if position > first {
        let left = length.saturating_sub(position) as f64 / (position - first) as f64;
        let left = Duration::try_from_secs_f64(left * elapsed.as_secs_f64());
        line.extend(left.map(|left| format!(", about {} left", HumanDuration(left))));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_the_share_and_what_is_left() {
        let bar = ProgressBar::hidden().with_elapsed(Duration::from_secs(300));
        bar.set_length(100);
        bar.set_message("games");
        assert_eq!(line(&bar, 0), "0 %, games, 5 minutes so far");
        bar.set_position(25);
        assert_eq!(line(&bar, 0), "25 %, games, 5 minutes so far, about 15 minutes left");
        assert_eq!(line(&bar, 25), "25 %, games, 5 minutes so far", "nothing done by this process");
        assert_eq!(line(&bar, 0).lines().count(), 1);
    }
}
