//! Keeps the results of an analysis in a file, so that a stopped one can be resumed.
//!
//! One JSON object a line: a head with the names of what is analysed, then each position as it is
//! finished. A last line that was cut off is left out.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use cannonade_tables::file_lock::open_locked;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::PositionAnalysis;

/// The reason why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("cannot read or write {path}, which keeps what is known so far: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file holds the positions of an interrupted analysis.
    #[error(
        "{path} holds an analysis that was stopped; give --resume to continue it, or remove it"
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another analysis is writing it.
    #[error(
        "{path} is being written by another analysis; wait for its end, or give another output"
    )]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// It belongs to an analysis of other games or with other limits.
    #[error(
        "{path} belongs to another analysis; give the same files and limits to the same version, or remove it"
    )]
    Other {
        /// The file.
        path: PathBuf,
    },
}

/// Analysed positions, by game and ply.
pub type KnownPositions = HashMap<(usize, usize), PositionAnalysis>;

#[derive(Serialize, Deserialize)]
struct JournalHead {
    /// Files, games and limits, in a form that only equal analyses share.
    task: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    game: usize,
    ply: usize,
    analysis: PositionAnalysis,
}

/// The file of an analysis that is under way.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Returns the journal beside an output; `None` for standard output and devices.
    pub fn beside(output: &Path) -> Option<PathBuf> {
        let is_file = || std::fs::metadata(output).map_or(true, |data| data.is_file());
        (output != Path::new("-") && is_file()).then(|| {
            let mut name = output.as_os_str().to_owned();
            name.push(".partial");
            PathBuf::from(name)
        })
    }

    /// Returns whether there is a file that holds positions of an analysis that was stopped.
    pub fn is_begun(path: &Path) -> bool {
        std::fs::read(path).is_ok_and(|text| has_positions(&text))
    }

    /// Begins a file; an old one without a position is replaced.
    ///
    /// # Errors
    /// If there is one already that holds positions, another analysis is writing it, or it cannot
    /// be written.
    pub fn create(path: &Path, task: &str) -> Result<Journal, JournalError> {
        let error = |error| JournalError::File { path: path.to_owned(), error };
        let mut journal = Journal::open(path)?;
        let mut old = Vec::new();
        journal.file.read_to_end(&mut old).map_err(error)?;
        // A file without a position is no loss.
        if has_positions(&old) {
            return Err(JournalError::Exists { path: path.to_owned() });
        }
        journal.begin(task).map_err(error)?;
        Ok(journal)
    }

    /// Resumes from a file and returns its positions, by game and ply. Creates it if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read, another analysis is writing it, or it belongs to another task.
    pub fn resume(path: &Path, task: &str) -> Result<(Journal, KnownPositions), JournalError> {
        let error = |error| JournalError::File { path: path.to_owned(), error };
        let mut journal = Journal::open(path)?;
        let mut text = String::new();
        journal.file.read_to_string(&mut text).map_err(error)?;
        if text.is_empty() {
            journal.begin(task).map_err(error)?;
            return Ok((journal, HashMap::new()));
        }
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let head: Option<JournalHead> =
            lines.next().and_then(|line| serde_json::from_str(line).ok());
        if head.is_none_or(|head| head.task != task) {
            return Err(JournalError::Other { path: path.to_owned() });
        }
        let entries = lines.filter_map(|line| serde_json::from_str::<Entry>(line).ok());
        let known = entries.map(|entry| ((entry.game, entry.ply), entry.analysis)).collect();
        journal.cut(whole as u64).map_err(error)?;
        Ok((journal, known))
    }

    /// Opens a file, or creates it, and locks it.
    fn open(path: &Path) -> Result<Journal, JournalError> {
        let file = open_locked(path)
            .map_err(|error| JournalError::File { path: path.to_owned(), error })?
            .ok_or_else(|| JournalError::Busy { path: path.to_owned() })?;
        Ok(Journal { path: path.to_owned(), file })
    }

    fn begin(&mut self, task: &str) -> io::Result<()> {
        self.cut(0)?;
        self.line(&JournalHead { task: task.to_owned() })
    }

    /// Keeps this many bytes and writes after them.
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(|_| ())
    }

    /// Writes a finished position.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, game: usize, ply: usize, analysis: &PositionAnalysis) -> io::Result<()> {
        self.line(&Entry { game, ply, analysis: analysis.clone() })
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = serde_json::to_string(value).map_err(io::Error::other)?;
        self.file.write_all(format!("{text}\n").as_bytes())
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, when the analysis is complete.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn remove(self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

/// Returns whether a journal has lines after its head.
fn has_positions(text: &[u8]) -> bool {
    text.iter().filter(|&&byte| byte == b'\n').count() > 1
}
