//! Standard output and standard error of the commands.
//!
//! `println!` panics when the reader has gone (`cannonade net show | head -1`) or the disk is full.
//! [`Output`] keeps the first error instead, so that a command finishes the work that it was started
//! for (a network to train, a match to play) and reports the error at the end.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context as _;

use super::Failure;
use crate::atomic_file;

/// Standard output. A write after an error is ignored; [`Output::finish`] returns the error.
pub(super) struct Output {
    stdout: io::Stdout,
    error: Option<io::Error>,
}

impl Output {
    pub(super) fn new() -> Output {
        Output { stdout: io::stdout(), error: None }
    }

    /// Writes a line and flushes it. For text without its own line end.
    pub(super) fn line(&mut self, text: impl Display) {
        self.attempt(|stdout| writeln!(stdout, "{text}").and_then(|()| stdout.flush()));
    }

    /// Whether nobody receives what is written. A command that only prints can end early.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes a whole file; `-` is standard output.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if path == Path::new("-") {
            self.attempt(|stdout| stdout.write_all(bytes));
            return Ok(());
        }
        let written = atomic_file::replace(path, bytes);
        Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
    }

    /// The first error.
    ///
    /// # Errors
    /// A full disk, for instance. A reader that has gone is not an error.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.attempt(io::Stdout::flush);
        match self.error {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let error = anyhow::Error::new(error);
                Err(Failure::Work(error.context("cannot write to standard output")))
            }
            _ => Ok(()),
        }
    }

    fn attempt<T>(&mut self, write: impl FnOnce(&mut io::Stdout) -> io::Result<T>) {
        if self.error.is_none() {
            self.error = write(&mut self.stdout).err();
        }
    }
}

/// For `write!` and `writeln!`; these never return an error.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|stdout| stdout.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(io::Stdout::flush);
        Ok(())
    }
}

/// Writes a line to standard error, which may be closed.
pub(super) fn print_error(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}
