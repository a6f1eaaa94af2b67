//! Standard output and standard error of the commands.
//!
//! `println!` panics when the output pipe is closed (`cannonade net show | head -1`) or the disk is
//! full. [`Output`] keeps the first error instead, so that a command finishes its work (a network
//! to train, a match to play) and reports the error at the end.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use cannonade_tables::atomic_file;
use serde::Serialize;

use super::Failure;

/// Standard output. A write after an error is ignored; [`Output::finish`] returns the error.
pub(super) struct Output {
    stdout: io::Stdout,
    error: Option<io::Error>,
}

impl Output {
    pub(super) fn new() -> Output {
        Output { stdout: io::stdout(), error: None }
    }

    /// Writes a line and flushes it. For text without its own line end; without control characters
    /// of files.
    pub(super) fn line(&mut self, text: impl Display) {
        self.painted_line(printable(&text.to_string()));
    }

    /// Writes a line that may have colours, and flushes it.
    pub(super) fn painted_line(&mut self, text: impl Display) {
        self.attempt(|stdout| writeln!(stdout, "{text}").and_then(|()| stdout.flush()));
    }

    /// Returns whether the output pipe is closed. A command that only prints can end early.
    pub(super) fn is_closed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes a value as a file of JSON; `-` is standard output.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn json(&mut self, path: &Path, value: &impl Serialize) -> Result<(), Failure> {
        if is_stdout(path) {
            self.attempt(|stdout| stdout.write_all(&pretty_json(value)?));
            return Ok(());
        }
        Ok(write_json(path, value)?)
    }

    /// Writes a whole file; `-` is standard output.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn file(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if is_stdout(path) {
            self.attempt(|stdout| stdout.write_all(bytes));
            return Ok(());
        }
        write_file(path, bytes)
    }

    /// Returns the first error.
    ///
    /// # Errors
    ///
    /// A full disk, for instance. A closed pipe is not an error.
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

/// Returns whether an output is standard output.
pub(super) fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Replaces or creates a file of JSON.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let written = pretty_json(value).and_then(|json| atomic_file::replace(path, &json));
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn pretty_json(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut json = serde_json::to_vec_pretty(value)?;
    json.push(b'\n');
    Ok(json)
}

/// Checks that a file to be replaced by JSON holds JSON already and not, say, games.
///
/// # Errors
/// If it holds something else or cannot be read.
pub(super) fn check_replaces_json(path: &Path) -> Result<(), Failure> {
    let is_file = path.metadata().is_ok_and(|data| data.is_file());
    let text = if is_file { std::fs::read(path).map_err(Failure::input)? } else { Vec::new() };
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None | Some(b'{') => Ok(()),
        Some(_) => Err(Failure::Input(anyhow!(
            "--json: {} exists and does not hold results as JSON; give another file",
            path.display()
        ))),
    }
}

/// Replaces or creates a file.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = atomic_file::replace(path, bytes);
    Ok(written.with_context(|| format!("cannot write {}", path.display()))?)
}

/// Checks outputs as [`check_outputs`], for a command whose messages go to standard output.
///
/// # Errors
///
/// As [`check_outputs`]; if an output is `-`.
pub(super) fn check_files(
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
    outputs: &[&Path],
) -> Result<(), Failure> {
    if outputs.iter().any(|output| is_stdout(output)) {
        return Err(Failure::Input(anyhow!(
            "standard output has the messages of this command, so '-' cannot be its output; name \
             a file"
        )));
    }
    check_outputs(inputs, outputs)
}

/// Checks, before the work begins, that the outputs can be written and that none is an input or
/// another output, so that no input is overwritten. `-` is a standard stream; devices may be named
/// twice.
///
/// # Errors
///
/// If an output is a folder or its folder is missing or read-only; if two of the files are the
/// same.
pub(super) fn check_outputs(
    inputs: impl IntoIterator<Item = impl AsRef<Path>>,
    outputs: &[&Path],
) -> Result<(), Failure> {
    let is_file = |path: &Path| {
        !is_stdout(path) && std::fs::metadata(path).map_or(true, |data| data.is_file())
    };
    let clash = |a: &Path, b: &Path| is_file(a) && is_file(b) && atomic_file::is_same(a, b);
    for input in inputs {
        let input = input.as_ref();
        if let Some(output) = outputs.iter().find(|output| clash(input, output)) {
            return Err(Failure::Input(anyhow!(
                "the output {} is the input {}, which would be lost; write to another file",
                output.display(),
                input.display()
            )));
        }
    }
    for (index, output) in outputs.iter().enumerate() {
        if let Some(other) = outputs[..index].iter().find(|other| clash(output, other)) {
            return Err(Failure::Input(anyhow!(
                "{} and {} are the same file, but two outputs; write to two files",
                other.display(),
                output.display()
            )));
        }
    }
    let written = outputs.iter().filter(|output| !is_stdout(output));
    written.copied().try_for_each(check_writable)
}

fn check_writable(path: &Path) -> Result<(), Failure> {
    let name = path.display();
    if path.is_dir() {
        return Err(anyhow!("cannot write {name}: it is a folder; name a file in it").into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let folder = folder.display();
        return Err(anyhow!("cannot write {name}: there is no folder {folder}").into());
    }
    Ok(atomic_file::check_writable(path).with_context(|| format!("cannot write {name}"))?)
}

/// Returns as many paths as there are `files`, with numbers before the extension: `game-1.xqf`.
///
/// # Errors
/// If the path names no file, but a folder or a device.
pub(super) fn numbered_paths(path: &Path, files: usize) -> anyhow::Result<Vec<PathBuf>> {
    let name = file_name(path).with_context(|| {
        format!("{}: the names of {files} files cannot be made of this", path.display())
    })?;
    let numbers = 1..=files;
    Ok(numbers.map(|number| path.with_file_name(numbered(name, number, files))).collect())
}

/// Returns the name of a file that a path ends with; `None` for a folder or device.
fn file_name(path: &Path) -> Option<&OsStr> {
    let is_file = std::fs::metadata(path).map_or(true, |data| data.is_file());
    // `Path` has a name for `games/` and `games/.` too.
    let ends =
        |name: &&OsStr| path.as_os_str().as_encoded_bytes().ends_with(name.as_encoded_bytes());
    path.file_name().filter(ends).filter(|_| is_file)
}

/// Inserts a number before the extension of a name, with as many digits as the last number has.
fn numbered(name: &OsStr, number: usize, last: usize) -> OsString {
    let width = last.to_string().len();
    let name = Path::new(name);
    let mut numbered = name.file_stem().unwrap_or_default().to_owned();
    numbered.push(format!("-{number:0width$}"));
    if let Some(extension) = name.extension() {
        numbered.push(".");
        numbered.push(extension);
    }
    numbered
}

/// For `write!` and `writeln!`; errors are kept, never returned.
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

/// Writes a line to standard error, which may be closed; without control characters of files.
pub(super) fn print_error(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
}

/// Replaces the control characters of a text, which could change the terminal, but those of its
/// lines.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(is_control) {
        text.replace(is_control, "\u{FFFD}").into()
    } else {
        text.into()
    }
}
