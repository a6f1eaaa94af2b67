//! Outputs: no command replaces a file that it was only to read; pipes have names too.

use std::fs;

use super::{folder, run};

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
    let games = "engine-tests/data/records/xboard.pgn";
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
