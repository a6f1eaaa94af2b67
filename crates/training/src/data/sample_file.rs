//! Files of samples: a header of 32 bytes (magic, version, count, checksum), then 32 bytes
//! per sample.

use std::io::Write;
use std::path::Path;

use cannonade_tables::atomic_file;
use cannonade_tables::file_lock::lock_output;

use super::game_file::GameFileError;
use super::packed_board::Sample;

const MAGIC: [u8; 8] = *b"CNPOSITN";
const VERSION: u32 = 1;
const HEADER: usize = 32;

/// Returns whether the first bytes of a file are those of a sample file.
pub(super) fn is_sample_file(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

/// Writes all samples to a file. On failure an existing file is left unchanged.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write_samples(path: &Path, samples: &[Sample]) -> Result<(), GameFileError> {
    let body: &[u8] = bytemuck::cast_slice(samples);
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    header[16..24].copy_from_slice(&(samples.len() as u64).to_le_bytes());
    let _lock = lock_output(path).map_err(GameFileError::io(path))?;
    let written = atomic_file::replace_with(path, |file| {
        file.write_all(&header)?;
        file.write_all(body)
    });
    written.map_err(GameFileError::io(path))
}

/// Reads all samples of a file.
///
/// # Errors
/// If the file cannot be read or is not a file of samples.
pub fn read_samples(path: &Path) -> Result<Vec<Sample>, GameFileError> {
    samples_of(path, &std::fs::read(path).map_err(GameFileError::io(path))?)
}

/// Returns the samples in the bytes of this file.
pub(super) fn samples_of(path: &Path, bytes: &[u8]) -> Result<Vec<Sample>, GameFileError> {
    let Some((header, body)) = bytes.split_at_checked(HEADER).filter(|_| bytes.starts_with(&MAGIC))
    else {
        return Err(GameFileError::Foreign(path.to_owned(), "samples"));
    };
    let long = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| header[at + i]));
    if long(8) != VERSION {
        return Err(GameFileError::Version { path: path.to_owned(), version: long(8) });
    }
    let count = u64::from(long(16)) | u64::from(long(20)) << 32;
    let damaged = |reason: String| GameFileError::Damaged { path: path.to_owned(), reason };
    if body.len() as u64 != count.saturating_mul(size_of::<Sample>() as u64) {
        return Err(damaged(format!("it has {} bytes for {count} samples of 32", body.len())));
    }
    if crc32fast::hash(body) != long(12) {
        return Err(damaged("the checksum does not match".to_owned()));
    }
    let samples: Vec<Sample> = bytemuck::pod_collect_to_vec(body);
    let is_possible = |sample: &Sample| sample.result <= 2 && sample.board.is_possible();
    match samples.iter().position(|sample| !is_possible(sample)) {
        Some(number) => Err(damaged(format!("sample {} cannot occur", number + 1))),
        None => Ok(samples),
    }
}
