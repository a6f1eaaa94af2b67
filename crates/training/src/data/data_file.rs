//! A file of games or of samples: its first bytes say which. It is read once, so that it may be a
//! pipe.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use super::game_file::{GameFileError, GameReader, is_game_file};
use super::packed_board::Sample;
use super::sample_file::{is_sample_file, samples_of};

/// Bytes that show the format of a file.
const FIRST_BYTES: u64 = 64;

/// Returns the bytes of a file, of which only the first are read if they show another format: it
/// might be a device without an end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    let mut first = file.take(FIRST_BYTES);
    first.read_to_end(&mut bytes)?;
    if is_sample_file(&bytes) || is_game_file(&bytes) {
        first.set_limit(u64::MAX);
        first.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The content of a file of games or of samples.
pub enum DataFile {
    /// Games, to be read one after the other.
    Games(GameReader),
    /// All samples.
    Samples(Vec<Sample>),
}

impl DataFile {
    /// Opens a file of games or of samples.
    ///
    /// # Errors
    /// If the file cannot be read or is neither.
    pub fn open(path: &Path) -> Result<DataFile, GameFileError> {
        let bytes = read(path).map_err(GameFileError::io(path))?;
        if is_sample_file(&bytes) {
            return samples_of(path, &bytes).map(DataFile::Samples);
        }
        GameReader::new(path, bytes).map(DataFile::Games).map_err(|error| match error {
            GameFileError::Foreign(path, _) => GameFileError::Foreign(path, "games or samples"),
            error => error,
        })
    }
}
