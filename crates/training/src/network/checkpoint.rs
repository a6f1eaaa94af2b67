//! The state of a training run on disk: a line of JSON (settings and epochs), then parameters and
//! both moments as little-endian 32-bit floats, then the CRC-32 of all bytes before it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cannonade_tables::atomic_file;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use super::optimizer::Moments;
use super::settings::{EpochResult, TrainingSettings};

/// The reason why a checkpoint cannot be used.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("checkpoint {path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// The file is not a checkpoint, or its bytes have changed.
    #[error("checkpoint {0} is damaged; delete it to start the training again")]
    Damaged(PathBuf),
    /// The checkpoint is from a run with other settings or samples.
    #[error(
        "checkpoint {path} is of another run ({differences}); delete it to start the training \
         again, or write to another network"
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The settings that differ, with both values.
        differences: String,
    },
    /// The checkpoint keeps settings that this program does not have, or lacks some that it has.
    #[error(
        "checkpoint {0} is of another version of the program; delete it to start the training again"
    )]
    OtherVersion(PathBuf),
}

/// The settings as names and values: another version may have other names.
#[derive(Serialize, Deserialize)]
struct Header {
    settings: Map<String, Value>,
    epochs: Vec<EpochResult>,
}

impl Header {
    fn new(settings: &TrainingSettings, epochs: &[EpochResult]) -> serde_json::Result<Header> {
        // Converts through text, which gives a number the same digits as in a file.
        let settings = serde_json::from_str(&serde_json::to_string(settings)?)?;
        Ok(Header { settings, epochs: epochs.to_vec() })
    }
}

/// Lists the settings that differ, such as "seed was 1, is now 2"; empty if none does. `None` if
/// their names differ.
fn differences(old: &Map<String, Value>, new: &Map<String, Value>) -> Option<String> {
    if !old.keys().eq(new.keys()) {
        return None;
    }
    let changed = old.iter().zip(new.values()).filter(|((_, old), new)| old != new);
    let named: Vec<_> = changed
        .map(|((name, old), new)| format!("{} was {old}, is now {new}", name.replace('_', " ")))
        .collect();
    Some(named.join("; "))
}

pub(super) struct Checkpoint {
    pub(super) parameters: Vec<f32>,
    pub(super) moments: Moments,
    pub(super) epochs: Vec<EpochResult>,
}

impl Checkpoint {
    pub(super) fn save(
        path: &Path,
        settings: &TrainingSettings,
        parameters: &[f32],
        moments: &Moments,
        epochs: &[EpochResult],
    ) -> Result<(), CheckpointError> {
        let io = |error| CheckpointError::Io { path: path.to_owned(), error };
        let header = Header::new(settings, epochs).and_then(|header| serde_json::to_vec(&header));
        let mut bytes = header.map_err(|error| io(error.into()))?;
        bytes.push(b'\n');
        for numbers in [parameters, &moments.first, &moments.second] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        // A crash while writing must not lose the previous checkpoint.
        atomic_file::replace(path, &bytes).map_err(io)
    }

    /// Reads a checkpoint with this number of parameters.
    pub(super) fn load(
        path: &Path,
        settings: &TrainingSettings,
        parameters: usize,
    ) -> Result<Checkpoint, CheckpointError> {
        let bytes =
            fs::read(path).map_err(|error| CheckpointError::Io { path: path.into(), error })?;
        let damaged = || CheckpointError::Damaged(path.to_owned());
        let (bytes, checksum) = bytes.split_last_chunk::<4>().ok_or_else(damaged)?;
        if u32::from_le_bytes(*checksum) != crc32fast::hash(bytes) {
            return Err(damaged());
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(damaged)?;
        let header: Header = serde_json::from_slice(&bytes[..end]).map_err(|_| damaged())?;
        let now = Header::new(settings, &[]).map_err(|_| damaged())?;
        let differences = differences(&header.settings, &now.settings)
            .ok_or_else(|| CheckpointError::OtherVersion(path.to_owned()))?;
        if !differences.is_empty() {
            return Err(CheckpointError::OtherRun { path: path.to_owned(), differences });
        }
        let numbers = |part: &[u8]| -> Vec<f32> {
            part.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
        };
        let size = 4 * parameters;
        let body = &bytes[end + 1..];
        if body.len() != 3 * size {
            return Err(damaged());
        }
        let first = numbers(&body[size..2 * size]);
        let moments = Moments { first, second: numbers(&body[2 * size..]) };
        Ok(Checkpoint { parameters: numbers(&body[..size]), moments, epochs: header.epochs })
    }
}
