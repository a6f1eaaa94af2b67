//! The inputs to change: lines that real clients send, positions and files of the test suites, and
//! inputs that once broke something.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the data of the tests.
pub fn data() -> PathBuf {
    PathBuf::from(super::DATA)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a file of the corpus; `#` begins a comment.
pub fn lines(name: &str) -> Vec<Vec<u8>> {
    let text = read(&data().join("corpus").join(name));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines.map(|line| line.as_bytes().to_vec()).collect()
}

/// FENs: of the corpus and of the suites of mates and move paths.
pub fn fens() -> Vec<Vec<u8>> {
    let mut fens = lines("fen.txt");
    for suite in ["mates.epd", "perft.epd"] {
        let text = read(&data().join(suite));
        let of = |line: &str| line.split([';', '#']).next().unwrap_or_default().trim().to_owned();
        fens.extend(text.lines().map(of).filter(|fen| !fen.is_empty()).map(String::into_bytes));
    }
    fens
}

/// The paths of the files of a folder, in order.
fn paths(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths
}

/// The files of a folder of the data.
pub fn files(folder: &str) -> Vec<Vec<u8>> {
    let paths = paths(&data().join(folder));
    paths.iter().map(|path| fs::read(path).expect("a readable file")).collect()
}

/// Reads the lines that the transcripts of `engine-tests/data/sessions` send, one session each.
pub fn sessions() -> Vec<Vec<Vec<u8>>> {
    let mut files = paths(&data().join("sessions"));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    let sent = |path: &PathBuf| {
        let text = read(path);
        let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
        lines.map(|line| line.as_bytes().to_vec()).collect()
    };
    files.iter().map(sent).filter(|session: &Vec<_>| !session.is_empty()).collect()
}
