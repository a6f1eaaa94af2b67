//! Files of games: a header of 16 bytes, then one game after the other, each with its own
//! checksum. What is torn or damaged costs only the games it hits.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game::{Game, SYNC};

const MAGIC: [u8; 8] = *b"CNGAMES\0";
const VERSION: u32 = 1;
const HEADER: usize = 16;

/// Why a file of games or samples cannot be used.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system refuses.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is something else.
    #[error("{0} is no file of {1}; it does not start as one")]
    Foreign(PathBuf, &'static str),
    /// It is from another version of the program.
    #[error("{path} has version {version}; this program reads version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// Bytes of a sample file are wrong.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How that shows.
        reason: String,
    },
}

impl FileError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> FileError + '_ {
        |source| FileError::Io { path: path.to_owned(), source }
    }
}

fn header() -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header
}

fn check_header(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let Some(head) = bytes.get(..HEADER).filter(|head| head[..8] == MAGIC) else {
        return Err(FileError::Foreign(path.to_owned(), "games"));
    };
    let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
    if version != VERSION {
        return Err(FileError::Version { path: path.to_owned(), version });
    }
    Ok(())
}

/// What was found damaged while reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Damage {
    /// Damaged stretches.
    pub spots: u64,
    /// Bytes in them.
    pub bytes: u64,
}

/// The games of a file, in order, without the damaged ones.
pub struct GameReader {
    bytes: Vec<u8>,
    next: usize,
    sound: usize,
    damage: Damage,
}

impl GameReader {
    /// Opens a file of games.
    pub fn open(path: &Path) -> Result<GameReader, FileError> {
        let bytes = std::fs::read(path).map_err(FileError::io(path))?;
        check_header(path, &bytes)?;
        Ok(GameReader { bytes, next: HEADER, sound: HEADER, damage: Damage::default() })
    }

    /// Whether a file starts as a file of games does.
    pub fn recognises(head: &[u8]) -> bool {
        head.starts_with(&MAGIC)
    }

    /// The damage met so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// Where the last sound game ends.
    fn end_of_sound(&self) -> u64 {
        self.sound as u64
    }
}

impl Iterator for GameReader {
    type Item = Game;

    fn next(&mut self) -> Option<Game> {
        if let Some((game, size)) = Game::read(&self.bytes[self.next..]) {
            self.next += size;
            self.sound = self.next;
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
            .find(|&(offset, _)| Game::read(&rest[offset..]).is_some());
        self.next = found.map_or(self.bytes.len(), |(offset, _)| start + 1 + offset);
        self.damage.spots += 1;
        self.damage.bytes += (self.next - start) as u64;
        self.next()
    }
}

/// Appends games to a file.
pub struct GameWriter {
    path: PathBuf,
    file: File,
    buffer: Vec<u8>,
}

impl GameWriter {
    /// Makes a new file; one that is there is replaced.
    pub fn create(path: &Path) -> Result<GameWriter, FileError> {
        let mut file = File::create(path).map_err(FileError::io(path))?;
        file.write_all(&header()).map_err(FileError::io(path))?;
        Ok(GameWriter { path: path.to_owned(), file, buffer: Vec::new() })
    }

    /// Opens a file to go on with, or makes it. A torn end is cut off; `seen` is shown each game
    /// that is there.
    pub fn resume(path: &Path, seen: impl FnMut(Game)) -> Result<GameWriter, FileError> {
        if !path.exists() {
            return GameWriter::create(path);
        }
        let mut reader = GameReader::open(path)?;
        reader.by_ref().for_each(seen);
        // Appending, so that a second run on the same file by mistake overwrites nothing.
        let file = OpenOptions::new().append(true).open(path).map_err(FileError::io(path))?;
        file.set_len(reader.end_of_sound()).map_err(FileError::io(path))?;
        Ok(GameWriter { path: path.to_owned(), file, buffer: Vec::new() })
    }

    /// Writes one game and hands it to the system at once.
    pub fn write(&mut self, game: &Game) -> Result<(), FileError> {
        self.buffer.clear();
        game.write(&mut self.buffer);
        self.file.write_all(&self.buffer).map_err(FileError::io(&self.path))
    }
}
