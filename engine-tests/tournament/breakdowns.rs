//! Engines whose results say nothing of their strength end the match, unless it is to recover.

use std::fs;

use super::support::{Folder, games_in, match_of, run, text};

#[test]
fn an_engine_that_breaks_down_repeatedly_ends_the_match_unless_it_is_to_recover() {
    let folder = Folder::new("breakdowns");
    for (kind, games, said) in [
        ("crash_at_start", 0, "engine old: crash: exit code 7"),
        ("crash", 2, "engine old has failed 2 times, the last time by: crash: exit code 3"),
        ("illegal_move", 2, "engine old has failed 2 times, the last time by: illegal move e0e9"),
    ] {
        let pgn = folder.file(&format!("{kind}.pgn"));
        let arguments =
            ["--rounds", "2", "--repeat", "--each", "st=5", "--sprt", "elo0=0", "elo1=9"];
        let output = run(&mut match_of(["good", kind], &arguments, &pgn));
        let (shown, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{shown}{error}");
        assert!(error.contains(said) && error.contains("--recover"), "{error}");
        assert!(!shown.contains("H1"), "{shown}");
        assert_eq!(if pgn.exists() { games_in(&pgn) } else { 0 }, games);

        let pgn = folder.file(&format!("{kind}-recover.pgn"));
        let recover = [&arguments[..], &["--recover"]].concat();
        let output = run(&mut match_of(["good", kind], &recover, &pgn));
        let shown = text(&output.stdout);
        assert!(output.status.success(), "{shown}{}", text(&output.stderr));
        let fault =
            if kind == "illegal_move" { kind.replace('_', " ") } else { "crash".to_owned() };
        let lost = format!("Games lost by faults of old: {fault} 4");
        assert!(shown.contains(&lost), "{shown}");
        assert_eq!(games_in(&pgn), 4);
        // The faults of games before a stop are those of their records.
        let games = fs::read_to_string(&pgn).expect("the games");
        let cut = games.match_indices("[Game ").nth(3).expect("a fourth game").0;
        fs::write(&pgn, &games[..cut]).expect("our file");
        let resume = [&recover[..], &["--resume"]].concat();
        let output = run(&mut match_of(["good", kind], &resume, &pgn));
        let shown = text(&output.stdout);
        assert!(output.status.success(), "{shown}{}", text(&output.stderr));
        assert!(shown.contains(&lost), "{shown}");
    }
}

#[test]
fn an_engine_that_answers_neither_go_nor_stop_has_stalled() {
    let folder = Folder::new("stalls");
    let pgn = folder.file("out.pgn");
    let arguments =
        ["--rounds", "4", "--repeat", "--each", "st=1", "--concurrency", "2", "--force"];
    let output = run(&mut match_of(["good", "hang"], &arguments, &pgn));
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("engine old has failed 2 times, the last time by: stall: "), "{error}");
}

#[test]
fn an_engine_that_ends_between_games_is_named() {
    let folder = Folder::new("between");
    let (pgn, again) = (folder.file("out.pgn"), folder.file("again.pgn"));
    let arguments = ["--rounds", "3", "--repeat", "--each", "st=5"];
    let output = run(&mut match_of(["good", "ends_after_the_game"], &arguments, &pgn));
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("old has failed 2 times, the last time by: crash: exit code 4"),
        "{error}"
    );
    let recover = [&arguments[..], &["--recover"]].concat();
    let output = run(&mut match_of(["good", "ends_after_the_game"], &recover, &again));
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    // After the last game nothing is asked of it.
    assert!(shown.contains("Restarts of old between games: crash 5"), "{shown}");
    assert!(shown.contains("Score of new vs old: 0 - 0 - 6"), "{shown}");
}
