//! Ctrl-C during `cannonade analyze`: partial results, and the same command with `--resume`.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::command::{GAME, analyze, fen_list, json_lines, read, start, temporary, text};
use crate::common::program::wait_until_interruptible;
use crate::common::snapshots::{assert_text, shown};

/// Interrupts a command when something has happened, and waits for its end.
fn interrupt(child: Child, has_happened: impl Fn() -> bool) -> Output {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !has_happened() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    wait_until_interruptible(&child);
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{errors}");
    output
}

#[test]
fn an_interrupted_analysis_leaves_a_partial_result_and_goes_on() {
    let path = |end: &str| {
        let name = format!("cannonade-analyze-{}.json{end}", std::process::id());
        std::env::temp_dir().join(name)
    };
    let (output, partial): (PathBuf, PathBuf) = (path(""), path(".partial"));
    let name = output.to_string_lossy().into_owned();
    let arguments = ["-", "--json", "-o", &name, "--resume", "--time", "0.8"];
    let lines = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_default().lines().count();

    interrupt(start(&arguments, GAME), || lines(&partial) >= 4);
    let first = json_lines(&std::fs::read_to_string(&output).expect("the output"));
    assert_eq!(first.last().expect("a summary")["complete"], false);
    let known = lines(&partial) - 1;
    assert!((3..6).contains(&known), "{known}");

    let from_start: Vec<_> = arguments.into_iter().filter(|word| *word != "--resume").collect();
    let refused = analyze(&from_start, GAME);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--resume"));
    assert_eq!(lines(&partial) - 1, known, "what is known is not thrown away");

    text(&analyze(&arguments, GAME));
    let second = json_lines(&std::fs::read_to_string(&output).expect("the output"));
    assert_eq!(second.last().expect("a summary")["complete"], true);
    assert_eq!(second.len(), 7);
    let last_move = |lines: &[Value]| lines[lines.len() - 2].clone();
    assert_eq!(last_move(&first), last_move(&second), "what was known is not searched again");
    assert!(!partial.exists());
    std::fs::remove_file(&output).expect("the file goes");
}

#[test]
fn an_interrupted_pgn_has_all_games_and_goes_on_with_another_output_too() {
    let (page, pgn) = (temporary("page.html"), temporary("page.pgn"));
    let partial = temporary("page.html.partial");
    let games = format!("[Red \"a\"]\n{GAME}\n\n") + &"[Red \"b\"]\n1. C2=5 *\n\n".repeat(2);
    let arguments = ["-", "--pgn", "--time", "0.3", "--html", &page.to_string_lossy()];
    let run = start(&arguments, &games);
    let output = interrupt(run, || read(&partial).lines().count() >= 3);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.starts_with("stopped: games analysed completely: 0 of 3, in part: 1, "),
        "{errors}"
    );
    assert!(
        errors.ends_with("2 (written as they were); the same command with --resume continues\n")
    );
    let written = String::from_utf8_lossy(&output.stdout);
    assert_eq!(written.matches("[Result ").count(), 3, "{written}");
    assert!(written.ends_with("\n\n1. h2e2\n*\n\n"), "{written}");

    let rest = ["--resume", "--notation", "wxf", "-o", &pgn.to_string_lossy()];
    let output = analyze(&[&arguments[..], &rest[..]].concat(), &games);
    assert_eq!(
        (text(&output), String::from_utf8_lossy(&output.stderr)),
        (String::new(), "".into())
    );
    assert!(!partial.exists() && !temporary("page.pgn.partial").exists());
    assert!(read(&pgn).contains("1. C2=5 {") && read(&page).starts_with("<!doctype html>"));
    for path in [page, pgn] {
        std::fs::remove_file(path).expect("the file goes");
    }
}

#[test]
fn results_of_games_that_are_left_out_are_kept() {
    let (path, partial) = (temporary("some.json"), temporary("some.json.partial"));
    let games = format!("[Red \"a\"]\n{GAME}\n\n[Red \"b\"]\n1. C2=5 *\n");
    let arguments = ["-", "--json", "--time", "0.3", "-o", &path.to_string_lossy()];
    interrupt(start(&arguments, &games), || read(&partial).lines().count() >= 3);
    let known = read(&partial);

    let output = analyze(&[&arguments[..], &["--resume", "--games", "2"]].concat(), &games);
    assert_text!("kept-journal", shown(&output));
    let first_game = || json_lines(&read(&path))[0]["game"].clone();
    assert_eq!(first_game(), 2);
    assert!(read(&partial).starts_with(&known), "the positions of the first game");

    let output = analyze(&[&arguments[..], &["--resume"]].concat(), &games);
    assert_eq!((text(&output).as_str(), output.stderr.len()), ("", 0));
    assert_eq!((first_game(), partial.exists()), (1.into(), false));
    std::fs::remove_file(&path).expect("the file goes");
}

#[test]
fn an_interrupt_before_the_first_position_leaves_the_output_as_it_was() {
    let (path, partial) = (temporary("old.json"), temporary("old.json.partial"));
    std::fs::write(&path, "{}").expect("a temporary file");
    let arguments = ["-", "--json", "--time", "1000", "-o", &path.to_string_lossy()];
    let output = interrupt(start(&arguments, GAME), || partial.exists());
    assert_text!("interrupted-at-once", shown(&output));
    assert_eq!((read(&path).as_str(), partial.exists()), ("{}", false));
    std::fs::remove_file(&path).expect("the file goes");
}

#[test]
fn an_interrupted_list_is_written_as_far_as_it_came_and_goes_on() {
    let (path, partial) = (temporary("list.json"), temporary("list.json.partial"));
    let fens = fen_list(5);
    let arguments = ["-", "--time", "0.3", "--json", "-o", &path.to_string_lossy()];
    // The results come one by one, long before the last one.
    let run = start(&arguments, &fens);
    let output = interrupt(run, || read(&path).lines().count() >= 2);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = read(&path);
    let count = json_lines(&first).len();
    assert!((2..5).contains(&count), "{count}");
    let message =
        format!("stopped: positions analysed: {count} of 5; the same command with --resume");
    assert!(errors.starts_with(&message), "{errors}");

    assert_eq!(analyze(&arguments, &fens).status.code(), Some(2), "without --resume");
    text(&analyze(&[&arguments[..], &["--resume"]].concat(), &fens));
    assert!(read(&path).starts_with(&first) && json_lines(&read(&path)).len() == 5);
    assert!(!partial.exists());
    std::fs::remove_file(&path).expect("the file goes");

    // Without a file, the results come through the pipe.
    let mut run = start(&["-", "--time", "0.1", "--json"], &fen_list(100));
    let mut results = BufReader::new(run.stdout.take().expect("a pipe"));
    let mut line = String::new();
    results.read_line(&mut line).expect("text");
    interrupt(run, || true);
    assert_eq!(json_lines(&line).len(), 1);
}

#[test]
fn a_second_analysis_with_the_same_output_is_refused() {
    let (path, partial) = (temporary("twice.json"), temporary("twice.json.partial"));
    for (input, work) in [(GAME.to_owned(), "a game"), (fen_list(2), "a list")] {
        let arguments = ["-", "--json", "--time", "1000", "-o", &path.to_string_lossy()];
        let first = start(&arguments, &input);
        interrupt(first, || {
            if !partial.metadata().is_ok_and(|data| data.len() > 0) {
                return false;
            }
            for more in [&[][..], &["--resume"]] {
                let output = analyze(&[&arguments[..], more].concat(), &input);
                let errors = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(2), "{work}: {errors}");
                assert!(errors.contains("is being written by another analysis"), "{errors}");
            }
            true
        });
        assert!(!partial.exists() && !path.exists(), "{work}");
    }
}

#[test]
fn an_interrupted_search_shows_what_it_found() {
    let run = start(&["--time", "1000", "--json"], "");
    wait_until_interruptible(&run);
    std::thread::sleep(Duration::from_millis(300));
    let output = interrupt(run, || true);
    let found = &json_lines(&String::from_utf8_lossy(&output.stdout))[0];
    assert!(found["best"].is_string(), "{found}");
}
