//! The structure of the crates: layers import downwards only, files do not import in circles, one
//! writer prints, `unsafe` stays where it is allowed, and comments keep the wording of the house.

mod imports;
mod prose;
mod sources;

use std::path::Path;

use imports::Imports;
use sources::{package_of, sources};

/// The layers of all crates from the lowest to the highest; see the `lib.rs` of each crate.
const LAYERS: [(&str, &str); 26] = [
    ("xiangqi", "text_form"),
    ("xiangqi", "geometry"),
    ("xiangqi", "board"),
    ("xiangqi", "notation"),
    ("xiangqi", "rules"),
    ("xiangqi", "pictures"),
    ("xiangqi", "records"),
    ("cannonade", "version"),
    ("cannonade", "user_data"),
    ("cannonade", "random"),
    ("cannonade", "file_lock"),
    ("cannonade", "input_file"),
    ("cannonade", "atomic_file"),
    ("cannonade", "free_memory"),
    ("cannonade", "tables"),
    ("cannonade", "book"),
    ("cannonade", "evaluation"),
    ("cannonade", "search"),
    ("cannonade", "engine"),
    ("cannonade", "game"),
    ("cannonade", "protocol"),
    ("cannonade", "analysis"),
    ("cannonade", "training"),
    ("cannonade", "tournament"),
    ("cannonade", "web"),
    ("cannonade", "commands"),
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

/// Files that may use `unsafe`, each with its SAFETY comment (clippy checks that).
const UNSAFE_ALLOWED: [&str; 4] = [
    "src/evaluation/simd",
    "src/search/memory/large_pages.rs",
    "src/search/memory/prefetch.rs",
    "src/training/network/simd",
];

/// Files that may write to stdout or stderr.
const PRINTERS: [&str; 3] = ["src/protocol/queued_output.rs", "src/commands", "src/main.rs"];

/// The maximum number of lines of code of a file.
const MAX_LINES: usize = 450;

fn layer_of(path: &str) -> Option<usize> {
    let (package, inside) = package_of(path);
    LAYERS.iter().position(|&(crate_name, layer)| {
        let rest = inside.strip_prefix(layer);
        crate_name == package && rest.is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
    })
}

#[test]
fn layers_import_only_from_layers_below() {
    let is_wrong =
        |from: usize, to: usize| to > from || SEPARATE.contains(&(LAYERS[from].1, LAYERS[to].1));
    let sources = sources();
    let mut wrong = Vec::new();
    for (from, to) in Imports::of(&sources).arrows() {
        let layers = layer_of(from).zip(layer_of(to));
        if layers.is_some_and(|(from, to)| is_wrong(from, to)) {
            wrong.push(format!("{from} imports {to}"));
        }
    }
    // The imports of test modules, which `Imports` leaves out.
    for source in &sources {
        let Some(layer) = layer_of(&source.path) else { continue };
        for (other, (package, name)) in LAYERS.iter().enumerate() {
            let root = if LAYERS[layer].0 == *package { "crate" } else { package };
            if is_wrong(layer, other) && source.code.contains(&format!("{root}::{name}::")) {
                wrong.push(format!("{} imports {name}", source.path));
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
    let outside: Vec<_> = (sources().into_iter().map(|source| source.path))
        .filter(|path| {
            layer_of(path).is_none() && !matches!(package_of(path).1, "lib.rs" | "main.rs")
        })
        .collect();
    assert!(outside.is_empty(), "{outside:#?}");
}

#[test]
fn the_drawings_of_the_layers_name_them_all() {
    let drawings = [
        (Some("cannonade"), include_str!("../../src/lib.rs")),
        (Some("xiangqi"), include_str!("../../crates/xiangqi/src/lib.rs")),
        (None, include_str!("../../docs/architecture.md")),
    ];
    for (only, drawing) in drawings {
        let lines = drawing.lines().map(|line| line.trim_start_matches(['/', '!', ' ']));
        let firsts: Vec<&str> = lines.filter_map(|line| line.split("  ").next()).collect();
        for (package, layer) in LAYERS {
            // `training` stands beside `tournament` in one of them.
            let is_named = firsts.contains(&layer) || drawing.contains(&format!("  {layer}  "));
            let is_due = only.is_none_or(|only| only == package);
            assert!(is_named || !is_due, "{layer} is missing in:\n{drawing}");
        }
    }
}

#[test]
fn the_files_that_the_documents_name_exist() {
    let documents = [
        include_str!("../../docs/architecture.md"),
        include_str!("../../docs/search.md"),
        include_str!("../../CONTRIBUTING.md"),
    ];
    let roots = ["src/", "crates/", "engine-tests/", "scripts/", "nets/", "docs/"];
    let quoted = documents.into_iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    let missing: Vec<_> = quoted
        .filter(|text| roots.iter().any(|root| text.starts_with(root)))
        .map(|text| text.split_whitespace().next().unwrap_or_default())
        .filter(|path| !Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists())
        .collect();
    assert!(missing.is_empty(), "{missing:#?}");
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

/// A chain of causes would have it twice.
#[test]
fn no_error_prints_the_cause_that_it_returns() {
    let mut faults = Vec::new();
    for source in sources() {
        for (text, field) in source.code.lines().zip(source.code.lines().skip(1)) {
            let is_cause = field.contains("(#[from]") || field.contains("(#[source]");
            if text.contains("{source}")
                || (text.contains("#[error(\"") && text.contains("{0}") && is_cause)
            {
                faults.push(format!("{}: {}", source.path, text.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
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
