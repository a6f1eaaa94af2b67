//! Tables that tests build.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use cannonade_tables::{BuildError, Monitor, Signature, build, missing, parse_family};

/// Sets the length and the checksum of a table file to those of its bytes.
pub fn seal(bytes: &mut [u8]) {
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let sum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
}

/// The signatures that some words name.
pub fn signatures(words: &[&str]) -> Vec<Signature> {
    words.iter().flat_map(|word| parse_family(word).expect("a signature")).collect()
}

/// Builds tables with those they are built on.
pub fn build_into(folder: &Path, words: &[&str], threads: usize) -> Result<(), BuildError> {
    let cancelled = AtomicBool::new(false);
    let monitor = Monitor { threads, cancelled: &cancelled, progress: &|_| {} };
    build(&missing(&signatures(words), folder), folder, &monitor, |_| {})
}
