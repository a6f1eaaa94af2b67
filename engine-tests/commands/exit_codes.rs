//! Exit codes and messages: 2 for wrong input, 1 for work that could not be done.

use super::{folder, run};

const GAMES: &str = "crates/xiangqi/tests/data/records/xboard.pgn";

/// Command lines with wrong input, and a part of the message.
pub const WRONG_INPUT: [(&[&str], &str); 37] = [
    (&["analyze", "--fen", "9/9"], "2 ranks"),
    (&["analyze", "--hash", "9999999"], "from 1 to 65536"),
    (&["analyze", "none.pgn"], "none.pgn"),
    (&["bench", "0"], "from 1 to 100"),
    (&["bench", "x"], "from 1 to 100"),
    (&["rating", "--prior", "-1", "none.pgn"], "from 0.01 to 1000"),
    (&["board", "--fen", "9/9"], "2 ranks"),
    (&["book", "build", "-o", "none.cnb", GAMES, GAMES], "xboard.pgn is given twice"),
    (&["book", "build", "-o", "none.cnb", "--min-games", "99999999999", GAMES], "too large"),
    (&["book", "show", "none.cnb"], "none.cnb"),
    (&["book", "verify", "Cargo.toml"], "Cargo.toml"),
    (&["completions", "tcsh"], "tcsh"),
    (&["convert", "none.pgn"], "none.pgn"),
    (&["convert"], "required"),
    (&["data", "stats", "none.games"], "none.games"),
    (&["data", "stats", GAMES, GAMES], "xboard.pgn is given twice"),
    (&["data", "pack", "-o", "none.x", GAMES, GAMES], "xboard.pgn is given twice"),
    (&["data", "shuffle", "-o", "none.x", GAMES, GAMES], "xboard.pgn is given twice"),
    (&["data", "split", GAMES, "-o", "none.x", "--rest", "none.y", GAMES], "is given twice"),
    (&["data", "filter", "none.games", "-o", "none.x"], "none.games"),
    (&["datagen", "--output", "none.x", "--net", "none.net"], "none.net"),
    (&["judge", "none.pgn"], "none.pgn"),
    (&["judge", "--moves", "h2h8"], "h2h8"),
    (&["man"], "required"),
    (&["match", "--engine", "cmd=./none", "--engine", "cmd=./none", "--each", "nodes=1"], "none"),
    (&["net", "show", "none.net"], "none.net"),
    (&["net", "compare", "none.net", "none.net"], "none.net"),
    (&["nothing"], "nothing"),
    (&["perft", "--depth", "0"], "from 1 to 20"),
    (&["perft", "--depth", "1", "--fen", "9/9"], "2 ranks"),
    (&["pool", "none.json"], "none.json"),
    (&["rating", "none.pgn"], "none.pgn"),
    (
        &["rating", GAMES, "engine-tests/../crates/xiangqi/tests/data/records/xboard.pgn"],
        "is given twice",
    ),
    (&["tables", "build", "XYZ"], "XYZ"),
    (&["tables", "probe", "9/9"], "2 ranks"),
    (&["tables", "verify", "--path", "no-folder"], "no-folder"),
    (&["train", "none.samples", "--output", "none.x"], "none.samples"),
];

#[test]
fn wrong_input_ends_with_2_and_is_named_once() {
    for (arguments, part) in WRONG_INPUT {
        let output = run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains(part), "{message}");
        assert!(message.matches("(os error 2)").count() <= 1, "{message}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_input_that_holds_nothing_to_read_ends_with_2_in_every_command() {
    let folder = folder("unreadable");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a temporary file");
        folder.join(name).display().to_string()
    };
    let inputs = [
        folder.join("missing").display().to_string(),
        folder.display().to_string(),
        file("empty", ""),
        file("nonsense", "nonsense\n"),
    ];
    let output = folder.join("output").display().to_string();
    for input in &inputs {
        for arguments in [
            &["analyze", input][..],
            &["board", input],
            &["book", "build", input, "-o", &output],
            &["book", "show", input],
            &["book", "verify", input],
            &["convert", input],
            &["data", "stats", input],
            &["datagen", "--openings", input, "-o", &output, "--games", "1"],
            &["judge", input],
            &["judge", "--summary", input],
            &["match", "--config", input],
            &["net", "show", input],
            &["play", "--load", input],
            &["pool", input],
            &["rating", input],
            &["train", input, "-o", &output],
        ] {
            let output = run(arguments);
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
            let error = message.lines().find(|line| line.starts_with("error: "));
            assert!(error.is_some(), "{arguments:?}: {message}");
        }
    }
    assert!(!folder.join("output").exists());
}

#[test]
fn files_of_another_kind_are_not_replaced() {
    let folder = folder("replaced");
    let file = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a temporary file");
        folder.join(name).display().to_string()
    };
    let games = file("games.pgn", "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 1-0\n");
    let notes = file("notes", "notes\n");
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let of_match =
        ["match", "--engine", &engine, "--engine", &engine, "name=b", "--each", "nodes=1"];
    for arguments in [
        &["rating", &games, "--json", &notes][..],
        &[&of_match[..], &["--log", &notes]].concat(),
        &[&of_match[..], &["--json", &notes]].concat(),
        &[&of_match[..], &["--pgn", &notes]].concat(),
        &[&of_match[..], &["--save-config", &notes]].concat(),
    ] {
        let output = run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains("exists"), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_to_string(&notes).expect("the notes"), "notes\n");
}

#[test]
fn work_that_cannot_be_done_ends_with_1() {
    let folder = folder("unwritable");
    let file = folder.join("file");
    std::fs::write(&file, "1-0 h2e2 h9g7\n").expect("a temporary file");
    let games = file.to_str().expect("a path in UTF-8");
    let below = file.join("below").to_str().expect("a path in UTF-8").to_owned();
    for arguments in [
        &["man", &below][..],
        &["convert", games, "--output", &below],
        &["book", "build", games, "--output", &below, "--min-games", "1"],
        &["board", "--svg", &below],
        &["datagen", "--games", "1", "--output", &below],
    ] {
        let output = run(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains("file"), "{message}");
    }
}
