//! Endgame tables: built, verified, read back, probed.

mod cases;
mod command;
mod files;
mod search;
mod user_folder;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use cannonade_tables::{BuildError, Monitor, Signature, build, missing, parse_family};

/// A folder in the build directory that is empty at first.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
}

/// Sets the length and the checksum of a table file to those of its bytes.
pub fn seal(bytes: &mut [u8]) {
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    let sum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
}

/// Damages a table file: no decided position with the stronger side to move has a distance any
/// more. The checksum is right, as a program with an error would write it.
pub fn without_distances(mut bytes: Vec<u8>) -> Vec<u8> {
    let number = |at: usize, len: usize| {
        bytes[at..at + len].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let mut at = 48;
    for _ in 0..2 {
        let (alphabet, pairs, bits) = (number(at, 2), number(at + 2, 2), number(at + 4, 1));
        let (symbols, starts) = (number(at + 8, 4), number(at + 12, 4));
        at += 16 + alphabet + 4 * pairs + 4 * starts + symbols * bits / 8 + 4;
    }
    let alphabet = at + 16..at + 16 + number(at, 2);
    bytes[alphabet].fill(255);
    seal(&mut bytes);
    bytes
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
