//! The inputs to change: lines that real clients send, positions and files of the test suites, and
//! inputs that once broke something.

use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(super::REPOSITORY).join(path)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a file of the corpus; `#` begins a comment.
pub fn lines(name: &str) -> Vec<Vec<u8>> {
    let text = read(&repository("engine-tests/data/corpus").join(name));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines.map(|line| line.as_bytes().to_vec()).collect()
}

/// FENs: of the corpus and of the suites of mates and move paths.
pub fn fens() -> Vec<Vec<u8>> {
    let mut fens = lines("fen.txt");
    for suite in ["crates/engine/tests/data/mates.epd", "crates/xiangqi/tests/data/perft.epd"] {
        let text = read(&repository(suite));
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

/// The game files of the tests of the crate `xiangqi`.
pub fn records() -> Vec<Vec<u8>> {
    files("crates/xiangqi/tests/data/records")
}

/// The files of a folder of the repository.
pub fn files(folder: &str) -> Vec<Vec<u8>> {
    let paths = paths(&repository(folder));
    paths.iter().map(|path| fs::read(path).expect("a readable file")).collect()
}

/// Reads the lines that the transcripts of `engine-tests/data/sessions` send, one session each.
pub fn sessions() -> Vec<Vec<Vec<u8>>> {
    let mut files = paths(&repository("engine-tests/data/sessions"));
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    let sent = |path: &PathBuf| {
        let text = read(path);
        let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
        lines.map(|line| line.as_bytes().to_vec()).collect()
    };
    files.iter().map(sent).filter(|session: &Vec<_>| !session.is_empty()).collect()
}

/// Game files of unusual size: a long game, deep and wide trees, wide XML, a comment without end.
pub fn large_records() -> Vec<Vec<u8>> {
    let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"];
    let moves = |count: usize| -> String {
        shuffle.into_iter().cycle().take(count).collect::<Vec<_>>().join(" ")
    };
    let long = format!("[Event \"long\"]\n\n{} *\n", moves(12_000));
    let deep = format!("h2e2 {}b2e2 {}*\n", "(b2e2 h9g7 ".repeat(1_500), ") ".repeat(1_500));
    let wide = format!("h2e2 {}*\n", "(b2e2) (h2d2) (c3c4 {a}) ".repeat(5_000));
    let comment = format!("h2e2 {{{}", "x ".repeat(200_000));
    let tags: String = (0..100_000).map(|at| format!("[A{at} \"b\"]\n")).collect();
    let tags = format!("{tags}\nh2e2 *\n");
    let closed = format!("h2e2 {}*\n", ") ".repeat(200_000));
    let lines = format!("{}\n", "1-0 h2e2 h9g7".repeat(3) + "\n").repeat(5_000);
    let cbf = |attributes: usize, elements: usize| {
        let attributes: String = (0..attributes).map(|at| format!(" a{at}=\"1\"")).collect();
        let elements = "<Move value=\"77-47\" end=\"1\"/>".repeat(elements);
        format!(
            "<?xml version=\"1.0\"?><ChineseChessRecord{attributes}><Head/><MoveList>\
             <Move value=\"00-00\"/>{elements}</MoveList></ChineseChessRecord>"
        )
    };
    let nested = format!("<ChineseChessRecord>{}", "<a>".repeat(50_000));
    let texts = [
        long,
        deep,
        wide,
        comment,
        tags,
        closed,
        lines,
        cbf(900, 10),
        cbf(100_000, 1),
        cbf(0, 9_000),
        nested,
    ];
    texts.map(String::into_bytes).to_vec()
}
