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
