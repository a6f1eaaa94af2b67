//! Files of games: a header of 16 bytes, then one game after the other, each with its own
//! checksum. Damaged bytes lose only the games that they belong to.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game::{SYNC, SelfPlayGame};
use crate::file_lock::is_locked_by_another;

const MAGIC: [u8; 8] = *b"CNGAMES\0";
const VERSION: u32 = 1;
const HEADER: usize = 16;

/// Why a file of games or samples cannot be used.
#[derive(Debug, Error)]
pub enum GameFileError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file has another format.
    #[error("{0} is not a file of {1}: its first bytes are those of another format")]
    Foreign(PathBuf, &'static str),
    /// The file has another version of the format.
    #[error("{path} has version {version}; this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// Another process writes to the file.
    #[error("{0} is being written by another process; wait for its end, or write to another file")]
    Busy(PathBuf),
    /// The bytes of a sample file are not valid.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not match.
        reason: String,
    },
}

impl GameFileError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> GameFileError + '_ {
        |source| GameFileError::Io { path: path.to_owned(), source }
    }
}

fn header() -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

fn check_header(path: &Path, bytes: &[u8]) -> Result<(), GameFileError> {
    let Some(head) = bytes.get(..HEADER).filter(|head| head[..8] == MAGIC) else {
        return Err(GameFileError::Foreign(path.to_owned(), "games"));
    };
    let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    if version != VERSION {
        return Err(GameFileError::Version { path: path.to_owned(), version });
    }
    Ok(())
}

/// Damage found while reading a file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// Damaged ranges of bytes.
    pub spots: u64,
    /// Bytes in these ranges.
    pub bytes: u64,
}

/// Iterates over the undamaged games of a file, in order.
pub struct GameReader {
    bytes: Vec<u8>,
    next: usize,
    games_end: usize,
    damage: Damage,
}

impl GameReader {
    /// Opens a file of games.
    ///
    /// # Errors
    /// If the file cannot be opened or is not a file of games.
    pub fn open(path: &Path) -> Result<GameReader, GameFileError> {
        GameReader::new(path, fs::read(path).map_err(GameFileError::io(path))?)
    }

    /// Reads the games in the bytes of this file.
    pub(super) fn new(path: &Path, bytes: Vec<u8>) -> Result<GameReader, GameFileError> {
        check_header(path, &bytes)?;
        Ok(GameReader { bytes, next: HEADER, games_end: HEADER, damage: Damage::default() })
    }

    /// The damage found so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// Offset of the end of the last undamaged game.
    fn end_of_games(&self) -> u64 {
        self.games_end as u64
    }
}

impl Iterator for GameReader {
    type Item = SelfPlayGame;

    fn next(&mut self) -> Option<SelfPlayGame> {
        if let Some((game, size)) = SelfPlayGame::read(&self.bytes[self.next..]) {
            self.next += size;
            self.games_end = self.next;
            return Some(game);
        }
        let start = self.next;
        if start == self.bytes.len() {
            return None;
        }
        let [low, high] = SYNC.to_le_bytes();
        let rest = &self.bytes[start + 1..];
        let found = (rest.windows(2).enumerate())
            .filter(|(_, pair)| pair[0] == low && pair[1] == high)
            .find(|&(offset, _)| SelfPlayGame::read(&rest[offset..]).is_some());
        self.next = found.map_or(self.bytes.len(), |(offset, _)| start + 1 + offset);
        self.damage.spots += 1;
        self.damage.bytes += (self.next - start) as u64;
        self.next()
    }
}

/// Appends games to a file. On Unix a second writer of the file is refused.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
}

impl GameWriter {
    /// Creates a file; an existing file is replaced.
    ///
    /// # Errors
    /// If the file cannot be created, or another process writes to it.
    pub fn create(path: &Path) -> Result<GameWriter, GameFileError> {
        GameWriter::open(path, OpenOptions::new().append(true).create(true))?.begin()
    }

    /// Opens a file to append games to, or creates it. An incomplete game at the end is cut off;
    /// `seen` is called with each game in the file.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not a file of games, or another process writes
    /// to it.
    pub fn resume(
        path: &Path,
        seen: impl FnMut(SelfPlayGame),
    ) -> Result<GameWriter, GameFileError> {
        // A pipe or a device holds no games; reading it could wait forever.
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return GameWriter::create(path);
        }
        let mut options = OpenOptions::new();
        let mut writer = GameWriter::open(path, options.read(true).append(true).create(true))?;
        let mut bytes = Vec::new();
        writer.file.read_to_end(&mut bytes).map_err(GameFileError::io(path))?;
        // Empty, or the disk was full before the header was whole.
        if bytes.len() < HEADER && header().starts_with(&bytes) {
            return writer.begin();
        }
        let mut reader = GameReader::new(path, bytes)?;
        reader.by_ref().for_each(seen);
        writer.file.set_len(reader.end_of_games()).map_err(GameFileError::io(path))?;
        Ok(writer)
    }

    /// Opens the file, which appends whatever others do, and locks it before anything is read or cut.
    fn open(path: &Path, options: &OpenOptions) -> Result<GameWriter, GameFileError> {
        let file = options.open(path).map_err(GameFileError::io(path))?;
        if is_locked_by_another(&file) {
            return Err(GameFileError::Busy(path.to_owned()));
        }
        Ok(GameWriter { path: path.to_owned(), file, buffer: Vec::new() })
    }

    /// Begins the file anew.
    fn begin(mut self) -> Result<GameWriter, GameFileError> {
        let is_file = self.file.metadata().is_ok_and(|data| data.is_file());
        // A pipe or a device has no length.
        let emptied = if is_file { self.file.set_len(0) } else { Ok(()) };
        let begun = emptied.and_then(|()| self.file.write_all(&header()));
        begun.map_err(GameFileError::io(&self.path))?;
        Ok(self)
    }

    /// Writes one game to the file, without buffering.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&mut self, game: &SelfPlayGame) -> Result<(), GameFileError> {
        self.buffer.clear();
        game.write(&mut self.buffer);
        self.file.write_all(&self.buffer).map_err(GameFileError::io(&self.path))
    }
}
