//! A file of games or of samples: its first bytes say which. It is read once, so that it may be a pipe.

use std::path::Path;

use super::game_file::{GameFileError, GameReader};
use super::packed_board::Sample;
use super::sample_file::{is_sample_file, samples_of};

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
        let bytes = std::fs::read(path).map_err(GameFileError::io(path))?;
        if is_sample_file(&bytes) {
            return samples_of(path, &bytes).map(DataFile::Samples);
        }
        GameReader::new(path, bytes).map(DataFile::Games).map_err(|error| match error {
            GameFileError::Foreign(path, _) => GameFileError::Foreign(path, "games or samples"),
            error => error,
        })
    }
}
