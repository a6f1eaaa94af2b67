//! Matches that are interrupted, suspended, killed or without a reader keep their games.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::common::snapshots::{assert_text, shown};

use super::support::{Folder, command, games_in, match_of, run, signal, text, wait_for_games};
use crate::common::program::the_program;

#[test]
fn a_match_is_resumed_where_it_stopped_even_within_a_game() {
    let folder = Folder::new("resume");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "3", "--repeat"];
    let first = run(&mut command(&arguments, &pgn));
    assert!(first.status.success());
    let whole = fs::read_to_string(&pgn).expect("the games");
    // As if the machine had stopped while the fifth game was written.
    let cut = whole.match_indices("[Game ").nth(4).expect("a fifth game").0 + 300;
    fs::write(&pgn, &whole[..cut]).expect("our file");
    let refused = run(&mut command(&arguments, &pgn));
    // Games are never mixed or overwritten.
    assert_text!("games-without-resume", shown(&refused));

    let output = run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(
        report.contains("Finished game 5 (") && !report.contains("Finished game 4 ("),
        "{report}"
    );
    assert!(report.contains("Games: 6,"), "{report}");
    let endings = |report: &str| {
        let line = report.lines().find(|line| line.starts_with("Endings:"));
        line.expect("a line of endings").to_owned()
    };
    // The reasons of the games before are those of their records.
    assert_eq!(endings(&report), endings(&text(&first.stdout)));
    let again = fs::read_to_string(&pgn).expect("the games");
    let rounds = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("[Round")).map(str::to_owned).collect()
    };
    assert_eq!(rounds(&again), rounds(&whole));

    // A byte order mark, which editors add, counts as a part of the file.
    fs::write(&pgn, format!("\u{feff}{}", &whole[..cut])).expect("our file");
    let output = run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let marked = fs::read_to_string(&pgn).expect("the games");
    assert_eq!((rounds(&marked), games_in(&pgn)), (rounds(&whole), 6));
    fs::write(&pgn, &again).expect("our file");

    let without = again.replacen("1/2-1/2", "*", 2);
    assert_ne!(without, again);
    fs::write(&pgn, &without).expect("our file");
    let mut refusals = shown(&run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn)));
    fs::write(&pgn, &again).expect("our file");

    let other = ["--rounds", "2", "--repeat", "--resume"];
    refusals += &shown(&run(&mut command(&other, &pgn)));
    let openings = folder.file("openings.epd");
    fs::write(&openings, "3k5/9/9/9/9/9/9/9/R8/4K4 w\n").expect("a writable folder");
    let openings = openings.to_str().expect("a UTF-8 path");
    for other in [
        ["--each", "nodes=9"],
        ["--openings", openings],
        ["--rules", "AXF"],
        ["--each", "option.Hash=2"],
    ] {
        let arguments = [&arguments[..], &["--resume"], &other].concat();
        refusals += &shown(&run(&mut command(&arguments, &pgn)));
    }
    assert_text!("games-of-another-match", refusals);
    assert_eq!(fs::read_to_string(&pgn).expect("the games"), again, "and is left alone");
}

#[test]
fn a_match_is_resumed_after_a_cut_within_a_character() {
    let folder = Folder::new("resume-character");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "2", "--notation", "chinese"];
    assert!(run(&mut command(&arguments, &pgn)).status.success());
    let whole = fs::read(&pgn).expect("the games");
    let last = whole.iter().rposition(|&byte| byte >= 0xc0).expect("a Chinese letter");
    fs::write(&pgn, &whole[..=last]).expect("our file");
    let arguments = [&arguments[..], &["--resume"]].concat();
    let output = run(&mut command(&arguments, &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Finished game 2 ("), "{}", text(&output.stdout));
    assert_eq!(games_in(&pgn), 2);
    // Bytes that no cut leaves are an error, and the file is left alone.
    let mut wrong = whole;
    wrong[last + 1] = b'?';
    fs::write(&pgn, &wrong).expect("our file");
    let output = run(&mut command(&arguments, &pgn));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert_eq!(fs::read(&pgn).expect("the games"), wrong);
}

#[test]
fn a_resumed_match_removes_nothing_but_a_game_that_was_cut_off() {
    let folder = Folder::new("resume-rest");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "1", "--repeat"];
    assert!(run(&mut command(&arguments, &pgn)).status.success());
    let whole = fs::read_to_string(&pgn).expect("the games");
    let foreign = "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7\n";
    let arguments = [&arguments[..], &["--resume"]].concat();
    let mut refusals = String::new();
    for other in
        ["Notes.\n".to_owned(), foreign.to_owned(), whole.clone() + "Notes.\n", whole + foreign]
    {
        fs::write(&pgn, &other).expect("our file");
        refusals += &shown(&run(&mut command(&arguments, &pgn)));
        assert_eq!(fs::read_to_string(&pgn).expect("our file"), other, "is left alone");
    }
    assert_text!("rest-of-a-match-file", refusals);
}

#[cfg(unix)]
#[test]
fn two_matches_do_not_write_to_one_file() {
    let folder = Folder::new("two-matches");
    let pgn = folder.file("out.pgn");
    let others = ["results", "log", "other.pgn"].map(|name| folder.file(name));
    let [json, log, other_pgn] = others.each_ref().map(|path| path.to_str().expect("UTF-8"));
    let arguments = ["--rounds", "2000", "--repeat"];
    let mut first = command(&[&arguments[..], &["--json", json, "--log", log]].concat(), &pgn);
    let mut first = first.stdout(Stdio::null()).spawn().expect("a match");
    wait_for_games(&pgn, 1);
    let mut refused = shown(&run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn)));
    for output in [["--json", json], ["--log", log]] {
        let arguments = [&arguments[..], &output].concat();
        refused += &shown(&run(&mut command(&arguments, Path::new(other_pgn))));
    }
    assert_text!("two-matches", refused);
    signal("-INT", &first);
    assert!(first.wait().is_ok());
    assert!(!folder.file("results.lock").exists());
}

#[test]
fn the_results_of_a_match_and_of_its_continuation_are_not_added_up() {
    let folder = Folder::new("continued");
    let (pgn, json, first) = (folder.file("out.pgn"), folder.file("results"), folder.file("first"));
    let results = json.to_str().expect("UTF-8");
    let whole = ["--rounds", "4", "--repeat", "--json", results];
    assert!(run(&mut command(&whole, &pgn)).status.success());
    let games = fs::read_to_string(&pgn).expect("the games");
    // As if the match had been stopped after its third game.
    let cut = games.match_indices("[Game ").nth(3).expect("a fourth game").0;
    fs::write(&pgn, &games[..cut]).expect("our file");
    fs::rename(&json, &first).expect("our file");
    let continued = run(&mut command(&[&whole[..], &["--resume"]].concat(), &pgn));
    assert!(continued.status.success(), "{}", text(&continued.stderr));
    let mut pool = the_program();
    let refused = run(pool.arg("pool").args([&first, &json]));
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stdout));
    assert!(text(&refused.stderr).contains("again; give each match once"));
}

#[test]
fn a_file_with_games_is_refused_before_an_engine_is_started() {
    let folder = Folder::new("refused");
    let pgn = folder.file("out.pgn");
    fs::write(&pgn, "[Round \"1.1\"]\n").expect("a writable folder");
    let mut command = the_program();
    command.arg("match");
    for name in ["name=a", "name=b"] {
        command.args(["--engine", "cmd=no/such/engine", name]);
    }
    let refused = run(command.args(["--each", "st=5", "--pgn"]).arg(&pgn));
    assert_text!("refused-before-the-start", shown(&refused));
    fs::remove_file(&pgn).expect("our file");
    assert_text!("no-such-engine", shown(&run(&mut command)));
    assert!(!pgn.exists(), "a match that cannot start leaves no file");
}

#[test]
fn a_match_is_resumed_though_the_name_of_an_engine_has_control_characters() {
    let folder = Folder::new("resume-name");
    let pgn = folder.file("out.pgn");
    for arguments in [&["--each", "st=5"][..], &["--each", "st=5", "--resume"]] {
        let kinds = ["control_characters_in_its_name", "good"];
        let output = run(&mut match_of(kinds, arguments, &pgn));
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let games = fs::read_to_string(&pgn).expect("the game");
    assert!(games.contains("[RedEngine \"one two three fake\"]"), "{games}");
}

#[cfg(unix)]
#[test]
fn a_resumed_match_that_is_interrupted_while_an_engine_starts_says_so() {
    let folder = Folder::new("interrupt-start");
    let (pgn, log) = (folder.file("out.pgn"), folder.file("log"));
    assert!(run(&mut command(&[], &pgn)).status.success());
    let log_name = log.to_str().expect("a UTF-8 path");
    let arguments =
        ["--each", "st=5", "startup=60", "--rounds", "2", "--resume", "--log", log_name];
    let child =
        match_of(["good", "slow_start"], &arguments, &pgn).spawn().expect("the binary runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !fs::read_to_string(&log).unwrap_or_default().contains("old#2 > uci") {
        assert!(Instant::now() < deadline, "the second engine is not started");
        thread::sleep(Duration::from_millis(20));
    }
    signal("-INT", &child);
    let output = child.wait_with_output().expect("the binary ends");
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    assert!(errors.ends_with("stopped before the first game\n"), "{errors}");
    assert_eq!(games_in(&pgn), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_keeps_its_finished_games() {
    let folder = Folder::new("interrupt");
    let pgn = folder.file("out.pgn");
    let child = command(&["--rounds", "100000"], &pgn).spawn().expect("the binary runs");
    wait_for_games(&pgn, 3);
    signal("-INT", &child);
    let output = child.wait_with_output().expect("the binary ends");
    let shown = text(&output.stdout);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{shown}{errors}");
    assert!(errors.contains("of 100000; the same command with --resume continues"), "{errors}");
    assert!(shown.contains("Stopped after"), "{shown}");
    let records = fs::read_to_string(&pgn).expect("the games");
    assert_eq!(records.matches("[Result").count(), records.matches("\n1/2-1/2\n").count());
    assert_eq!(games_in(&pgn), shown.matches("Finished game").count());
}

#[test]
fn a_match_whose_output_is_closed_keeps_all_its_games() {
    let folder = Folder::new("closed");
    let (pgn, json) = (folder.file("out.pgn"), folder.file("out.json"));
    let json_text = json.to_string_lossy();
    let arguments = ["--rounds", "10", "--report-every", "3", "--json", &json_text];
    let mut child = command(&arguments, &pgn).spawn().expect("the binary runs");
    drop(child.stdout.take());
    let status = child.wait().expect("the binary ends");
    assert!(status.success(), "a reader that has gone is not a failure");
    assert_eq!(games_in(&pgn), 10);
    let results = fs::read_to_string(&json).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["games"], 10);
}

#[cfg(unix)]
#[test]
fn a_match_that_is_ended_with_its_output_closed_keeps_its_finished_games() {
    let folder = Folder::new("terminated");
    let (pgn, json) = (folder.file("out.pgn"), folder.file("out.json"));
    let arguments = ["--rounds", "100000", "--json", &json.to_string_lossy()];
    let mut child = command(&arguments, &pgn).spawn().expect("the binary runs");
    drop(child.stdout.take());
    wait_for_games(&pgn, 3);
    signal("-TERM", &child);
    assert_eq!(child.wait().expect("the binary ends").code(), Some(130));
    let results = fs::read_to_string(&json).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["games"], games_in(&pgn));
}

#[cfg(unix)]
#[test]
fn a_match_that_was_suspended_loses_no_game_on_time() {
    let folder = Folder::new("suspended");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "1", "--each", "st=3"];
    let child = match_of(["slow", "slow"], &arguments, &pgn).spawn().expect("the binary runs");
    // Twice within the game, longer than a move may take.
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(1500));
        signal("-STOP", &child);
        thread::sleep(Duration::from_secs(4));
        signal("-CONT", &child);
    }
    let output = child.wait_with_output().expect("the binary ends");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("Endings: adjudication: move cap 1\n"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_killed_match_is_resumed_and_its_engines_end() {
    let folder = Folder::new("killed");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "200", "--concurrency", "2", "--force"];
    let child = command(&arguments, &pgn).spawn().expect("the binary runs");
    wait_for_games(&pgn, 3);
    signal("-KILL", &child);
    let output = child.wait_with_output().expect("the binary ends");
    assert!(!output.status.success());
    let before = games_in(&pgn);
    assert!((3..200).contains(&before), "{before} games before the end of the process");
    let output = run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let records = fs::read_to_string(&pgn).expect("the games");
    let mut rounds: Vec<&str> = records.lines().filter(|line| line.starts_with("[Round")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert_eq!((rounds.len(), games_in(&pgn)), (200, 200), "each game once");
}

/// Resident memory in KiB, threads and open files of a process.
#[cfg(target_os = "linux")]
fn resources(id: u32) -> [u64; 3] {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("a running process");
    let value = |key: &str| -> u64 {
        let line = status.lines().find(|line| line.starts_with(key)).expect(key);
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect(key)
    };
    let files = fs::read_dir(format!("/proc/{id}/fd")).expect("a running process").count();
    [value("VmRSS:"), value("Threads:"), files as u64]
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_match_does_not_grow() {
    let folder = Folder::new("long");
    let pgn = folder.file("out.pgn");
    // A new process for each game, the case that could leak threads and pipes.
    let arguments = ["--rounds", "100000", "--each", "st=5", "restart=on"];
    let mut command = match_of(["good", "good"], &arguments, &pgn);
    // Nothing reads the output: with a pipe the match would wait as soon as it is full.
    let child = command.stdout(Stdio::null()).spawn().expect("the binary runs");
    wait_for_games(&pgn, 50);
    let before = resources(child.id());
    wait_for_games(&pgn, 250);
    let after = resources(child.id());
    signal("-INT", &child);
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(130));
    let [memory, threads, files] = [0, 1, 2].map(|i| after[i].saturating_sub(before[i]));
    assert!(memory < 2048, "{before:?} {after:?}");
    // A reader and a writer of each of two engines, in the middle of a game or between two.
    assert!(threads <= 4 && files <= 8, "{before:?} {after:?}");
}
