//! Standard output on a separate thread, so that a client which does not read cannot block the
//! session.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, unbounded};
use parking_lot::{Condvar, Mutex};

/// Bytes waiting above which `info` lines are dropped; answers are kept.
const MAX_WAITING: usize = 1 << 20;

/// A writer that never blocks. An error of standard output is returned by the next write.
#[derive(Clone)]
pub(super) struct QueuedOutput {
    queue: Sender<Vec<u8>>,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Progress {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutputState {
    /// Bytes not yet written.
    waiting: usize,
    error: Option<io::Error>,
}

impl QueuedOutput {
    /// Returns a writer to standard output.
    pub(super) fn standard() -> QueuedOutput {
        QueuedOutput::new(io::stdout())
    }

    /// Creates a writer to `output` through a new thread.
    fn new(mut output: impl Write + Send + 'static) -> QueuedOutput {
        let (queue, lines) = unbounded::<Vec<u8>>();
        let progress = Arc::<Progress>::default();
        let own = Arc::clone(&progress);
        let spawned = thread::Builder::new().name("output".to_owned()).spawn(move || {
            for bytes in lines {
                let written = output.write_all(&bytes).and_then(|()| output.flush());
                let mut state = own.state.lock();
                state.waiting -= bytes.len();
                state.error = written.err();
                own.changed.notify_all();
                if state.error.is_some() {
                    break;
                }
            }
        });
        if let Err(error) = spawned {
            progress.state.lock().error = Some(error);
        }
        QueuedOutput { queue, progress }
    }

    /// Waits until everything is written, or until the reader has taken nothing for this long.
    ///
    /// # Errors
    /// That of standard output.
    pub(super) fn finish(&self, patience: Option<Duration>) -> io::Result<()> {
        let mut state = self.progress.state.lock();
        while state.waiting > 0 && state.error.is_none() {
            let before = state.waiting;
            match patience {
                None => self.progress.changed.wait(&mut state),
                Some(patience) => {
                    let end = Instant::now() + patience;
                    let waited = self.progress.changed.wait_until(&mut state, end);
                    if waited.timed_out() && state.waiting == before {
                        return Ok(());
                    }
                }
            }
        }
        state.error.take().map_or(Ok(()), Err)
    }
}

impl Write for QueuedOutput {
    /// Takes all bytes; whole lines, since those of a search may be dropped.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.progress.state.lock();
        if let Some(error) = &state.error {
            return Err(error.kind().into());
        }
        if state.waiting < MAX_WAITING || !bytes.starts_with(b"info ") {
            state.waiting += bytes.len();
            // The thread ends only by an error.
            let _ = self.queue.send(bytes.to_vec());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An output that takes nothing until it is unlocked.
    struct Stuck(Arc<Mutex<Vec<u8>>>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_waits_gets_all_answers_but_not_all_lines_of_a_search() {
        let received = Arc::new(Mutex::new(Vec::new()));
        let mut output = QueuedOutput::new(Stuck(Arc::clone(&received)));
        let closed = received.lock();
        let line = format!("info {}\n", "x".repeat(99));
        for _ in 0..3 * MAX_WAITING / line.len() {
            output.write_all(line.as_bytes()).expect("a queue");
        }
        output.write_all(b"bestmove h2e2\n").expect("a queue");
        assert!(output.finish(Some(Duration::from_millis(20))).is_ok(), "it gives up");
        drop(closed);
        output.finish(None).expect("a vector takes all");
        let received = received.lock();
        assert!(received.ends_with(b"\nbestmove h2e2\n"));
        assert!((MAX_WAITING..MAX_WAITING + 200).contains(&received.len()), "{}", received.len());
    }

    #[test]
    fn an_error_comes_with_a_later_write_and_at_the_end() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut output = QueuedOutput::new(Full);
        output.write_all(b"uciok\n").expect("a queue");
        while output.write_all(b"readyok\n").is_ok() {
            thread::yield_now();
        }
        let error = output.finish(None).expect_err("the error");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
