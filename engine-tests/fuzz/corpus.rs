//! The inputs that are changed: what real clients send, positions of the test suites, and inputs that
//! once broke something.

use std::fs;
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/data")
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

/// What the transcripts of `engine-tests/data/sessions` send, one session each.
pub fn sessions() -> Vec<Vec<Vec<u8>>> {
    let mut files: Vec<_> = fs::read_dir(data().join("sessions"))
        .expect("the sessions")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    let sent = |path: &PathBuf| {
        let text = read(path);
        let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
        lines.map(|line| line.as_bytes().to_vec()).collect()
    };
    files.iter().map(sent).filter(|session: &Vec<_>| !session.is_empty()).collect()
}
