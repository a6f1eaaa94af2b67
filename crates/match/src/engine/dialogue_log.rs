//! The log of all lines between a match and its engines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use cannonade_tables::file_lock::try_lock;
use parking_lot::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineOrigin {
    /// Sent to the engine.
    Match,
    /// Written by the engine.
    Engine,
    /// Written by the engine to its standard error.
    EngineError,
    /// Written by the engine and ignored; the line stands in the log before too.
    Ignored,
}

/// A file that receives the lines of all engines, each with the seconds since the match began, the
/// name of the engine and the number of its process.
#[derive(Clone, Debug)]
pub struct DialogueLog(Arc<SharedFile>);

#[derive(Debug)]
struct SharedFile {
    file: Mutex<(File, Option<io::Error>)>,
    start: Instant,
    processes: AtomicU32,
}

/// Two logs are equal if they are one file.
impl PartialEq for DialogueLog {
    fn eq(&self, other: &DialogueLog) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl DialogueLog {
    /// Creates the file, in place of an older log.
    ///
    /// # Errors
    /// If it cannot be created, holds something else than a log, or another match writes to it (on
    /// Unix).
    pub fn create(path: &Path) -> io::Result<DialogueLog> {
        if path.is_file() && !is_replaceable(BufReader::new(File::open(path)?))? {
            let reason = "it exists and is not a log of a match; give another file";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, reason));
        }
        let file = File::options().write(true).create(true).truncate(false).open(path)?;
        if !try_lock(&file) {
            let reason = "another match writes to it; wait for its end, or give another file";
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, reason));
        }
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        Ok(DialogueLog(Arc::new(SharedFile {
            file: Mutex::new((file, None)),
            start: Instant::now(),
            processes: AtomicU32::new(0),
        })))
    }

    /// Returns the first error of writing, if there was one; nothing was written after it.
    pub fn take_error(&self) -> Option<io::Error> {
        self.0.file.lock().1.take()
    }

    /// Returns the log of a new process of an engine, with its number.
    pub(super) fn process(&self, engine: &str) -> ProcessLog {
        let number = 1 + self.0.processes.fetch_add(1, Ordering::Relaxed);
        ProcessLog { log: self.clone(), name: format!("{engine}#{number}") }
    }
}

/// Returns whether a file is empty or its first line that of a log, such as `0.016 new#1 > uci`.
fn is_replaceable(file: impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    file.take(1000).read_until(b'\n', &mut line)?;
    let line = String::from_utf8_lossy(&line);
    let words = line.split_once(' ');
    let is_log = |(time, rest): (&str, &str)| time.parse::<f64>().is_ok() && rest.contains('#');
    Ok(line.is_empty() || words.is_some_and(is_log))
}

#[derive(Clone, Debug)]
pub(super) struct ProcessLog {
    log: DialogueLog,
    name: String,
}

impl ProcessLog {
    /// Writes a line at once.
    pub(super) fn line(&self, origin: LineOrigin, text: &str) {
        let sign = match origin {
            LineOrigin::Match => '>',
            LineOrigin::Engine => '<',
            LineOrigin::EngineError => '!',
            LineOrigin::Ignored => '#',
        };
        let shared = &self.log.0;
        let seconds = shared.start.elapsed().as_secs_f64();
        let line = format!("{seconds:.3} {} {sign} {text}\n", self.name);
        let (file, error) = &mut *shared.file.lock();
        if error.is_none() {
            *error = file.write_all(line.as_bytes()).err();
        }
    }
}
