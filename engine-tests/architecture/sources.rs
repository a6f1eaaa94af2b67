//! The source files of all crates, as the checks read them.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file.
pub struct Source {
    /// The path from the root of the repository, with `/`: `src/search/pv.rs`.
    pub path: String,
    /// The text as it stands in the file.
    pub text: String,
    /// The text without lines that are only a comment.
    pub code: String,
}

/// The source files of the program and of every crate under `crates`.
pub fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    for package in fs::read_dir(root.join("crates")).expect("the crates") {
        collect(&package.expect("a folder entry").path().join("src"), &mut paths);
    }
    assert!(paths.len() > 200, "the sources were not found");
    paths.into_iter().map(|path| read(root, &path)).collect()
}

/// The source files of the tests in `engine-tests`.
pub fn test_sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("engine-tests"), &mut paths);
    paths.into_iter().map(|path| read(root, &path)).collect()
}

/// The crate of a source file, and the path of the file below `src`.
pub fn package_of(path: &str) -> (&str, &str) {
    if let Some(rest) = path.strip_prefix("crates/")
        && let Some((package, inside)) = rest.split_once("/src/")
    {
        return (package, inside);
    }
    ("cannonade", path.strip_prefix("src/").unwrap_or(path))
}

fn read(root: &Path, path: &Path) -> Source {
    let text = fs::read_to_string(path).expect("a readable source");
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code = text.lines().filter(is_code).collect::<Vec<_>>().join("\n");
    let path = path.strip_prefix(root).expect("a file of the package");
    Source { path: path.to_string_lossy().replace('\\', "/"), text, code }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
