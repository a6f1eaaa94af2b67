//! The structure of the crate: layers import downwards only, files do not import in circles, one
//! writer prints, and `unsafe` stays where it is allowed.

mod imports;
mod sources;

use imports::Imports;
use sources::sources;

/// The layers from the lowest to the highest; see `src/lib.rs`.
const LAYERS: [&str; 22] = [
    "random",
    "file_lock",
    "atomic_file",
    "free_memory",
    "geometry",
    "board",
    "rules",
    "tables",
    "notation",
    "pictures",
    "records",
    "book",
    "evaluation",
    "search",
    "engine",
    "game",
    "protocol",
    "analysis",
    "training",
    "tournament",
    "web",
    "commands",
];

/// Layers that do not import the other one although it is lower.
const SEPARATE: [(&str, &str); 4] = [
    ("evaluation", "rules"),
    ("analysis", "protocol"),
    ("training", "protocol"),
    ("tournament", "training"),
];

/// The folders within a layer from the lowest to the highest.
const FOLDERS: [&[&str]; 3] = [
    &["src/search/memory/", "src/search/histories/", "src/search/ordering/", "src/search/node/"],
    &[
        "src/tournament/statistics/",
        "src/tournament/engine/",
        "src/tournament/game/",
        "src/tournament/matches/",
    ],
    &["src/training/data/", "src/training/self_play/", "src/training/network/"],
];

/// Where `unsafe` may be, each use with its SAFETY comment (clippy checks that).
const UNSAFE_ALLOWED: [&str; 4] = [
    "src/evaluation/simd",
    "src/search/memory/large_pages.rs",
    "src/search/memory/prefetch.rs",
    "src/training/network/simd",
];

/// Where text may go to stdout or stderr.
const PRINTERS: [&str; 3] = ["src/protocol/queued_output.rs", "src/commands", "src/main.rs"];

/// The most lines of code a file may have.
const MAX_LINES: usize = 450;

fn layer_of(path: &str) -> Option<usize> {
    let inside = path.strip_prefix("src/")?;
    LAYERS.iter().position(|layer| {
        inside.strip_prefix(layer).is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
    })
}

#[test]
fn layers_import_only_from_layers_below() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(layer) = layer_of(&source.path) else { continue };
        for (level, other) in LAYERS.iter().enumerate() {
            let is_separate = SEPARATE.contains(&(LAYERS[layer], other));
            if (level > layer || is_separate) && source.code.contains(&format!("crate::{other}::"))
            {
                wrong.push(format!("{} imports {other}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of layers: {wrong:#?}");
}

#[test]
fn folders_of_a_layer_import_only_from_folders_below() {
    let imports = Imports::of(&sources());
    for folders in FOLDERS {
        let place = |file: &str| folders.iter().position(|folder| file.starts_with(folder));
        let arrows: Vec<_> = (imports.arrows())
            .filter_map(|(from, to)| Some((place(from)?, place(to)?, from, to)))
            .collect();
        assert!(arrows.iter().any(|(from, to, ..)| from > to), "{folders:?} import nothing");
        let wrong: Vec<_> = arrows.iter().filter(|(from, to, ..)| from < to).collect();
        assert!(wrong.is_empty(), "against the order of {folders:?}: {wrong:#?}");
    }
}

#[test]
fn files_do_not_import_in_circles() {
    let imports = Imports::of(&sources());
    assert!(imports.len() > 200, "only {} imports were found", imports.len());
    let circles = imports.circles();
    let shown: Vec<_> = circles.iter().map(|circle| imports.within(circle)).collect();
    assert!(circles.is_empty(), "these files import each other: {shown:#?}");
}

#[test]
fn every_file_belongs_to_a_layer() {
    let roots = ["src/lib.rs", "src/main.rs"];
    let outside: Vec<_> = (sources().into_iter().map(|source| source.path))
        .filter(|path| layer_of(path).is_none() && !roots.contains(&path.as_str()))
        .collect();
    assert!(outside.is_empty(), "{outside:#?}");
}

#[test]
fn the_drawings_of_the_layers_name_them_all() {
    for drawing in [include_str!("../../src/lib.rs"), include_str!("../../docs/architecture.md")] {
        let lines = drawing.lines().map(|line| line.trim_start_matches(['/', '!', ' ']));
        let firsts: Vec<&str> = lines.filter_map(|line| line.split("  ").next()).collect();
        for layer in LAYERS {
            // `training` stands beside `tournament` in one of them.
            let is_named = firsts.contains(&layer) || drawing.contains(&format!("  {layer}  "));
            assert!(is_named, "{layer} is missing in:\n{drawing}");
        }
    }
}

#[test]
fn only_the_writers_print() {
    let macros = ["println!", "print!", "eprintln!", "eprint!", "stdout()", "dbg!"];
    let others: Vec<_> = (sources().into_iter())
        .filter(|source| !PRINTERS.iter().any(|printer| source.path.starts_with(printer)))
        .filter(|source| macros.iter().any(|name| source.code.contains(name)))
        .map(|source| source.path)
        .collect();
    assert!(others.is_empty(), "print through the protocol's writer: {others:#?}");
}

#[test]
fn unsafe_code_stays_where_it_is_allowed() {
    let others: Vec<_> = (sources().into_iter())
        .filter(|source| !UNSAFE_ALLOWED.iter().any(|allowed| source.path.starts_with(allowed)))
        .filter(|source| source.code.contains("unsafe "))
        .map(|source| source.path)
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn every_file_begins_with_module_documentation() {
    let silent: Vec<_> = (sources().into_iter())
        .filter(|source| !source.text.starts_with("//!"))
        .map(|source| source.path)
        .collect();
    assert!(silent.is_empty(), "module documentation is missing: {silent:#?}");
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<_> = (sources().into_iter())
        .map(|source| (source.path, source.code.lines().count()))
        .filter(|&(_, lines)| lines > MAX_LINES)
        .collect();
    assert!(long.is_empty(), "split these: {long:?}");
}

/// The documents call scripts by their name alone.
#[cfg(unix)]
#[test]
fn scripts_can_be_started_by_their_name() {
    use std::os::unix::fs::PermissionsExt;

    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let mut started = 0;
    for entry in std::fs::read_dir(&folder).expect("the scripts") {
        let path = entry.expect("a folder entry").path();
        let is_program =
            path.is_file() && std::fs::read(&path).expect("a readable file").starts_with(b"#!");
        if is_program {
            let mode = path.metadata().expect("a file").permissions().mode();
            assert_eq!(mode & 0o111, 0o111, "{}: not executable", path.display());
            started += 1;
        }
    }
    assert!(started > 10, "the scripts were not found");
}
