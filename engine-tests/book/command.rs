//! `cannonade book` as a program.

use std::fs;
use std::process::Output;

use serde_json::Value;

use super::games::GAMES;
use crate::commands::repository;
use crate::common::folder::empty_folder;
use crate::common::program::the_program;
use crate::common::snapshots::assert_text;

fn book(arguments: &[&str]) -> Output {
    the_program().arg("book").args(arguments).output().expect("the program runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(arguments: &[&str], code: i32) -> String {
    let output = book(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_book_is_built_shown_and_verified() {
    let folder = empty_folder("book", "command");
    let (games, file) = (folder.join("games.txt"), folder.join("my.cnb"));
    fs::write(&games, GAMES).unwrap();
    let (games, file) = (games.to_str().unwrap(), file.to_str().unwrap());
    let build = ["build", games, "-o", file, "--min-games", "1", "--credit", "my own games"];
    let built = stdout(&book(&build));
    assert_text!("built", built);

    let shown = stdout(&book(&["show", file, "--moves", "炮二平五", "--notation", "chinese"]));
    assert!(shown.lines().any(|line| line.ends_with("  50.0%  马８进７")), "{shown}");

    let json = stdout(&book(&["show", file, "--json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["credit"], &json["games"]), (&"my own games".into(), &5.into()));
    assert_eq!(json["moves"][0]["move"], "h2e2");
    assert_eq!(json["moves"][0]["score"], 0.5);

    assert_text!("verified", stdout(&book(&["verify", file])));
}

/// A score of 100.0 % and one of 50.0 %.
#[test]
fn columns_of_moves_are_below_their_headings() {
    let folder = empty_folder("book", "columns");
    let (games, file) = (folder.join("games.txt"), folder.join("my.cnb"));
    fs::write(&games, GAMES).unwrap();
    let (games, file) = (games.to_str().unwrap(), file.to_str().unwrap());
    stdout(&book(&["build", games, "-o", file, "--min-games", "1"]));
    let shown = stdout(&book(&["show", file]));
    let place = |end: &str| shown.lines().find_map(|line| Some(line.strip_suffix(end)?.len()));
    let places = ["  move", "  h2e2", "  g3g4"].map(place);
    assert!(shown.contains(" 100.0%  g3g4"), "{shown}");
    assert!(places.iter().all(|one| one.is_some() && *one == places[0]), "{shown}");
}

#[test]
fn the_built_in_book_is_the_shipped_one() {
    let file = repository("books/masters.cnb");
    let rest = |text: String| text.split_once(':').map(|(_, rest)| rest.to_owned());
    let shown = rest(stdout(&book(&["show", file.to_str().unwrap()])));
    assert_eq!(rest(stdout(&book(&["show"]))), shown);
}

#[test]
fn wrong_input_is_named_and_ends_with_code_2() {
    let folder = empty_folder("book", "wrong");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, none, out) = (path("games.txt"), path("none.txt"), path("my.cnb"));
    fs::write(&games, GAMES).unwrap();
    let refusals = [
        &["show", &games][..],
        &["build", &none, "-o", &out],
        &["build", &games, "-o", &out, "--min-games", "99"],
        &["show", "--fen", "9/9 w"],
        &["show", "--moves", "h2h9 h2e2"],
    ]
    .map(|arguments| refused(arguments, 2));
    assert_text!("refusals", refusals.concat());
    assert!(!folder.join("my.cnb").exists());
}

#[test]
fn a_book_without_the_start_is_not_called_verified_before_a_start_is_named() {
    let folder = empty_folder("book", "elsewhere");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, out) = (path("games.txt"), path("my.cnb"));
    let start = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    let game = format!("[FEN \"{start}\"]\n\n1. a0a1 *\n\n");
    fs::write(&games, game.repeat(3)).unwrap();
    stdout(&book(&["build", &games, "-o", &out, "--min-games", "1"]));
    let refusal = refused(&["verify", &out], 1);
    assert!(refusal.contains("--fen"), "{refusal}");
    let found = stdout(&book(&["verify", &out, "--fen", start]));
    assert!(found.contains(" 1 moves, 0 not legal, 0 moves not reached"), "{found}");
}

#[test]
fn defects_of_games_are_reported_and_the_rest_is_counted() {
    let folder = empty_folder("book", "defects");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (games, out) = (path("games.txt"), path("my.cnb"));
    fs::write(&games, format!("{GAMES}1-0 h2e2 h2e2\n")).unwrap();
    assert_text!("defects", refused(&["build", &games, "-o", &out, "--min-games", "1"], 1));
    assert!(stdout(&book(&["show", &out])).contains("6 games"));
}
