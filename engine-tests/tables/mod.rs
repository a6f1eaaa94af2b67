//! Endgame tables: built, verified, read back, probed.

mod cases;
mod command;
mod files;
mod search;
mod user_folder;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use cannonade::tables::{BuildError, Monitor, Signature, build, missing, parse_family};

/// A folder in the build directory that is empty at first.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
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
