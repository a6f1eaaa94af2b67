//! Folders for the files of tests.

use std::path::{Path, PathBuf};

/// Creates a folder in the build directory that is empty at first. No two tests of an area share a
/// name.
pub fn empty_folder(area: &str, name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(area).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary folder");
    path
}
