//! The source files of the crate, as the checks read them.

use std::fs;
use std::path::{Path, PathBuf};

/// A source file.
pub struct Source {
    /// The path from the root of the package, with `/`: `src/board/fen.rs`.
    pub path: String,
    /// The text as it stands in the file.
    pub text: String,
    /// The text without lines that are only a comment.
    pub code: String,
}

/// All source files under `src`, sorted by path.
pub fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    assert!(paths.len() > 15, "the sources were not found");
    paths.into_iter().map(|path| read(root, &path)).collect()
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
