//! Outputs: no command replaces a file that it was only to read; pipes have names too.

use std::fs;

use super::{command, folder, run};

#[test]
fn an_output_that_is_an_input_is_refused() {
    let folder = folder("outputs");
    let path = |name: &str| folder.join(name).to_str().expect("a UTF-8 path").to_owned();
    let (first, second) = (path("first"), path("second"));
    for arguments in [
        &["judge", &first, "--html", &first][..],
        &["pool", &first, &second, "--json", &second],
        &["net", "average", &first, &second, "--output", &first],
        &["book", "build", &first, "--output", &first],
        &["rating", &first, "--json", &first],
        &["datagen", "--games", "1", "--openings", &first, "--output", &first],
    ] {
        for file in [&first, &second] {
            fs::write(file, "1. h2e2 h9g7 1-0\n").expect("our folder");
        }
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("which would be lost"), "{arguments:?}: {error}");
        for file in [&first, &second] {
            let text = fs::read_to_string(file).expect("still there");
            assert_eq!(text, "1. h2e2 h9g7 1-0\n", "{arguments:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_can_be_named_when_it_is_a_pipe() {
    let games = "crates/xiangqi/tests/data/records/xboard.pgn";
    for (to_stdout, named) in [
        (&["convert", games][..], &["convert", games, "-o", "/dev/stdout"][..]),
        (&["board", "--svg", "-"], &["board", "--svg", "/dev/fd/1"]),
        (
            &["analyze", games, "--depth", "1", "--pgn"],
            &["analyze", games, "--depth", "1", "--pgn", "-o", "/dev/stdout"],
        ),
    ] {
        let (expected, found) = (run(to_stdout), run(named));
        let errors = String::from_utf8_lossy(&found.stderr);
        assert_eq!(found.status.code(), Some(0), "{named:?}: {errors}");
        assert_eq!(found.stdout, expected.stdout, "{named:?}");
    }
}

#[test]
fn a_command_whose_messages_go_to_standard_output_writes_no_file_there() {
    let folder = folder("outputs-stdout");
    let games = folder.join("games.txt");
    fs::write(&games, "1-0 h2e2 h9g7\n").expect("our folder");
    let games = games.to_str().expect("a UTF-8 path");
    for arguments in [
        &["book", "build", games, "--min-games", "1", "-o", "-"][..],
        &["net", "average", "nets/default.net", "nets/default.net", "--output", "-"],
        &["tables", "pack", "KPP", "--output", "-"],
        &["datagen", "--games", "1", "--output", "-"],
        &["match", "--engine", "cmd=a", "--engine", "cmd=b", "--each", "nodes=1", "--json", "-"],
    ] {
        let output = command(arguments).current_dir(&folder).output().expect("the program runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("'-' cannot be its output; name a file"), "{arguments:?}: {error}");
        assert!(!folder.join("-").exists(), "{arguments:?}");
    }
}

#[test]
fn ratings_and_pooled_results_go_to_standard_output_as_json_alone() {
    let folder = folder("outputs-json");
    let games = folder.join("games.pgn");
    fs::write(&games, "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 1-0\n").expect("our folder");
    let games = games.to_str().expect("a UTF-8 path");
    let output = run(&["rating", games, "--json", "-", "--table"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON alone");
    assert_eq!(json["ratings"]["rows"][0]["name"], "a");
}

/// A file could set the title of the terminal, or hide what it holds.
#[test]
fn control_characters_of_files_do_not_reach_the_terminal() {
    let folder = folder("outputs-control");
    let path = |name: &str| folder.join(name).to_str().expect("a UTF-8 path").to_owned();
    let (games, book, bad) = (path("games.pgn"), path("book.cnb"), path("bad.pgn"));
    let evil = "e\x1b]0;t\x07\u{9b}31m";
    let text = format!("[Red \"{evil}\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 1-0\n");
    fs::write(&games, text).expect("our folder");
    fs::write(&bad, "1. h2e2 h9\x1b[7m *\n").expect("our folder");
    let mut shown = Vec::new();
    for arguments in [
        &["book", "build", &games, "-o", &book, "--min-games", "1", "--credit", evil][..],
        &["book", "show", &book],
        &["book", "verify", &book],
        &["rating", &games, "--table"],
        &["convert", &bad, "--format", "list"],
        &["book", "show", &path(evil)],
    ] {
        let output = run(arguments);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("UTF-8");
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{arguments:?}: {text:?}");
        shown.push(text);
    }
    assert!(shown[1].contains("Credit: e\u{FFFD}]0;t\u{FFFD}\u{FFFD}31m\n"), "{}", shown[1]);
    assert!(shown[3].contains("e\u{FFFD}]0;t\u{FFFD}"), "{}", shown[3]);
}
