//! The house keeps its order: rooms import downwards only, one writer prints, `unsafe` stays where
//! it is allowed.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up; see `src/lib.rs`.
const ROOMS: [&str; 13] = [
    "random",
    "atomic_file",
    "geometry",
    "board",
    "rules",
    "notation",
    "evaluation",
    "search",
    "engine",
    "protocol",
    "training",
    "tournament",
    "commands",
];

/// Neighbours that may not know each other although one stands above the other.
const STRANGERS: [(&str, &str); 3] =
    [("evaluation", "rules"), ("training", "protocol"), ("tournament", "training")];

/// Where `unsafe` may be, each use with its SAFETY comment (clippy checks that).
const UNSAFE_ALLOWED: [&str; 5] = [
    "src/evaluation/simd",
    "src/evaluation/network",
    "src/search/large_pages.rs",
    "src/search/transposition",
    "src/training/simd",
];

/// Where text may go to stdout or stderr.
const PRINTERS: [&str; 3] = ["src/protocol/writer.rs", "src/commands", "src/main.rs"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

/// Each source file as (path from the package root with `/`, text without comments).
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    sources(&root.join("src"), &mut found);
    assert!(found.len() > 15, "the sources were found");
    found
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a readable source");
            let code: Vec<_> =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
            let name = path.strip_prefix(root).expect("a file of the package");
            (name.to_string_lossy().replace('\\', "/"), code.join("\n"))
        })
        .collect()
}

fn room_of(file: &str) -> Option<usize> {
    let inside = file.strip_prefix("src/")?;
    ROOMS.iter().position(|room| {
        inside.strip_prefix(room).is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
    })
}

#[test]
fn rooms_import_only_from_rooms_below() {
    let mut wrong = Vec::new();
    for (file, code) in files() {
        let Some(room) = room_of(&file) else { continue };
        for (level, other) in ROOMS.iter().enumerate() {
            let strangers = STRANGERS.contains(&(ROOMS[room], other));
            if level <= room && !strangers || !code.contains(&format!("crate::{other}")) {
                continue;
            }
            wrong.push(format!("{file} imports {other}"));
        }
    }
    assert!(wrong.is_empty(), "against the order of rooms: {wrong:#?}");
}

#[test]
fn every_file_belongs_to_a_room() {
    let homeless: Vec<_> = files()
        .into_iter()
        .map(|(file, _)| file)
        .filter(|file| room_of(file).is_none() && file != "src/lib.rs" && file != "src/main.rs")
        .collect();
    assert!(homeless.is_empty(), "{homeless:#?}");
}

#[test]
fn only_the_writers_print() {
    let macros = ["println!", "print!", "eprintln!", "eprint!", "stdout()", "dbg!"];
    let talkers: Vec<_> = files()
        .into_iter()
        .filter(|(file, _)| !PRINTERS.iter().any(|printer| file.starts_with(printer)))
        .filter(|(_, code)| macros.iter().any(|name| code.contains(name)))
        .map(|(file, _)| file)
        .collect();
    assert!(talkers.is_empty(), "print through the protocol's writer: {talkers:#?}");
}

#[test]
fn unsafe_code_stays_where_it_is_allowed() {
    let unsafe_files: Vec<_> = files()
        .into_iter()
        .filter(|(file, _)| !UNSAFE_ALLOWED.iter().any(|allowed| file.starts_with(allowed)))
        .filter(|(_, code)| code.contains("unsafe "))
        .map(|(file, _)| file)
        .collect();
    assert!(unsafe_files.is_empty(), "{unsafe_files:#?}");
}

#[test]
fn every_module_says_what_it_is_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    sources(&root.join("src"), &mut found);
    let silent: Vec<_> = found
        .into_iter()
        .filter(|path| !fs::read_to_string(path).expect("a source").starts_with("//!"))
        .collect();
    assert!(silent.is_empty(), "module docs are missing: {silent:#?}");
}

#[test]
fn no_file_outgrows_its_noun() {
    let long: Vec<_> = files()
        .into_iter()
        .map(|(file, code)| (file, code.lines().count()))
        .filter(|&(_, lines)| lines > 700)
        .collect();
    assert!(long.is_empty(), "split these: {long:?}");
}
