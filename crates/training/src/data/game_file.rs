//! Files of games: a header of 16 bytes, then one game after the other, each with its own
//! checksum. Damaged bytes lose only the games that they belong to.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cannonade_tables::file_lock::try_lock;
use thiserror::Error;

use super::archive::{self, BLOCK_GAMES, read_block, write_block};
use super::game::{GameError, SYNC, SelfPlayGame};

const MAGIC: [u8; 8] = *b"CNGAMES\0";
const VERSION: u32 = 1;
const HEADER: usize = 16;

/// The reason why a file of games or samples cannot be used.
#[derive(Debug, Error)]
pub enum GameFileError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file has another format.
    #[error("{0} is not a file of {1}: it is empty or begins as another format does")]
    Foreign(PathBuf, &'static str),
    /// The file has another version of the format.
    #[error("{path} has version {version}; this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// A game cannot be written to an archive.
    #[error("{path}: {defect}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The defect of the game.
        defect: GameError,
    },
    /// Games cannot be appended to an archive.
    #[error("{0} is an archive, to which no games are added; write to another file")]
    Archive(PathBuf),
    /// Another process writes to the file.
    #[error("{0} is being written by another process; wait for its end, or write to another file")]
    Busy(PathBuf),
    /// The bytes of a sample file are not valid.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The mismatch.
        reason: String,
    },
}

impl GameFileError {
    /// Returns the error of the system, if it is the cause.
    pub fn system_error(&self) -> Option<&io::Error> {
        match self {
            GameFileError::Io { error, .. } => Some(error),
            _ => None,
        }
    }

    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> GameFileError + '_ {
        |error| GameFileError::Io { path: path.to_owned(), error }
    }
}

/// Returns whether a file that begins with these bytes is one of games, plain or an archive.
pub(super) fn is_game_file(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || bytes.starts_with(&archive::MAGIC)
}

fn header(magic: [u8; 8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&magic);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

/// Returns true for an archive, false for a plain file of games.
fn check_header(path: &Path, bytes: &[u8]) -> Result<bool, GameFileError> {
    let known = |head: &&[u8]| head[..8] == MAGIC || head[..8] == archive::MAGIC;
    let Some(head) = bytes.get(..HEADER).filter(known) else {
        return Err(GameFileError::Foreign(path.to_owned(), "games"));
    };
    let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    if version != VERSION {
        return Err(GameFileError::Version { path: path.to_owned(), version });
    }
    Ok(head[..8] == archive::MAGIC)
}

/// Damage found while reading a file of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// Damaged ranges of bytes.
    pub spots: u64,
    /// Bytes in these ranges.
    pub bytes: u64,
}

/// Iterates over the undamaged games of a file or an archive, in order.
pub struct GameReader {
    bytes: Vec<u8>,
    is_archive: bool,
    /// Games of the last block of an archive.
    block: std::vec::IntoIter<SelfPlayGame>,
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
        let is_archive = check_header(path, &bytes)?;
        let block = Vec::new().into_iter();
        let damage = Damage::default();
        Ok(GameReader { bytes, is_archive, block, next: HEADER, games_end: HEADER, damage })
    }

    /// Returns the damage found so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// Returns the offset of the end of the last undamaged game, in bytes.
    fn end_of_games(&self) -> u64 {
        self.games_end as u64
    }

    /// Reads the game or the block of games at the start of the rest.
    fn read(&mut self) -> Option<SelfPlayGame> {
        let rest = &self.bytes[self.next..];
        let (game, size) = if self.is_archive {
            let (games, size) = read_block(rest)?;
            self.block = games.into_iter();
            (self.block.next()?, size)
        } else {
            SelfPlayGame::read(rest)?
        };
        self.next += size;
        self.games_end = self.next;
        Some(game)
    }

    /// Skips damaged bytes, to the next game or block.
    fn skip_damage(&mut self) {
        let rest = &self.bytes[self.next + 1..];
        let found = if self.is_archive {
            archive::next_block(rest)
        } else {
            let [low, high] = SYNC.to_le_bytes();
            let starts = rest.windows(2).enumerate().filter(|(_, pair)| *pair == [low, high]);
            starts.map(|(at, _)| at).find(|&at| SelfPlayGame::read(&rest[at..]).is_some())
        };
        let next = found.map_or(self.bytes.len(), |at| self.next + 1 + at);
        self.damage.spots += 1;
        self.damage.bytes += (next - self.next) as u64;
        self.next = next;
    }
}

impl Iterator for GameReader {
    type Item = SelfPlayGame;

    fn next(&mut self) -> Option<SelfPlayGame> {
        loop {
            if let Some(game) = self.block.next().or_else(|| self.read()) {
                return Some(game);
            }
            if self.next == self.bytes.len() {
                return None;
            }
            self.skip_damage();
        }
    }
}

/// Writes an archive: the games are kept in memory until a block is full.
pub struct ArchiveWriter {
    path: PathBuf,
    file: File,
    games: Vec<SelfPlayGame>,
}

impl ArchiveWriter {
    /// Creates an archive; an existing file is replaced.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> Result<ArchiveWriter, GameFileError> {
        ArchiveWriter::begin_in(File::create(path).map_err(GameFileError::io(path))?, path)
    }

    /// Begins an archive in an empty file, which errors call by this path.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin_in(mut file: File, path: &Path) -> Result<ArchiveWriter, GameFileError> {
        file.write_all(&header(archive::MAGIC)).map_err(GameFileError::io(path))?;
        Ok(ArchiveWriter { path: path.to_owned(), file, games: Vec::new() })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// If the file cannot be written, or a game of the block cannot be replayed.
    pub fn write(&mut self, game: SelfPlayGame) -> Result<(), GameFileError> {
        self.games.push(game);
        if self.games.len() < BLOCK_GAMES { Ok(()) } else { self.write_block() }
    }

    /// Writes the last block. Returns the size of the archive in bytes.
    ///
    /// # Errors
    /// As [`ArchiveWriter::write`].
    pub fn finish(mut self) -> Result<u64, GameFileError> {
        if !self.games.is_empty() {
            self.write_block()?;
        }
        let size = self.file.metadata().map_err(GameFileError::io(&self.path))?.len();
        Ok(size)
    }

    fn write_block(&mut self) -> Result<(), GameFileError> {
        let mut bytes = Vec::new();
        write_block(&self.games, &mut bytes)
            .map_err(|defect| GameFileError::Game { path: self.path.clone(), defect })?;
        self.games.clear();
        self.file.write_all(&bytes).map_err(GameFileError::io(&self.path))
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

    /// Begins a file of games in an empty file, which errors call by this path.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin_in(file: File, path: &Path) -> Result<GameWriter, GameFileError> {
        GameWriter { path: path.to_owned(), file, buffer: Vec::new() }.begin()
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
        // The file is empty, or the disk was full before the header was complete.
        if bytes.len() < HEADER && header(MAGIC).starts_with(&bytes) {
            return writer.begin();
        }
        let mut reader = GameReader::new(path, bytes)?;
        if reader.is_archive {
            return Err(GameFileError::Archive(path.to_owned()));
        }
        reader.by_ref().for_each(seen);
        writer.file.set_len(reader.end_of_games()).map_err(GameFileError::io(path))?;
        Ok(writer)
    }

    /// Opens the file in append mode and locks it before anything is read or cut.
    fn open(path: &Path, options: &OpenOptions) -> Result<GameWriter, GameFileError> {
        let file = options.open(path).map_err(GameFileError::io(path))?;
        if !try_lock(&file) {
            return Err(GameFileError::Busy(path.to_owned()));
        }
        Ok(GameWriter { path: path.to_owned(), file, buffer: Vec::new() })
    }

    /// Empties the file and writes the header.
    fn begin(mut self) -> Result<GameWriter, GameFileError> {
        let is_file = self.file.metadata().is_ok_and(|data| data.is_file());
        // A pipe or a device has no length.
        let emptied = if is_file { self.file.set_len(0) } else { Ok(()) };
        let begun = emptied.and_then(|()| self.file.write_all(&header(MAGIC)));
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
