//! `cannonade rating`: players of files of games.

use std::fs;
use std::path::PathBuf;

use crate::common::snapshots::{assert_text, shown};

use super::support::{Folder, run, text};
use crate::common::program::the_program;

#[test]
fn players_of_several_files_are_rated() {
    let folder = Folder::new("rating");
    let game = |red: &str, black: &str, result: &str| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. H2-E2 {result}\n\n")
    };
    let (one, two) = (folder.file("one.pgn"), folder.file("two.pgn"));
    let json = folder.file("ratings.json");
    fs::write(&one, [game("a", "b", "1-0"), game("b", "a", "1/2-1/2")].concat()).expect("a file");
    fs::write(&two, [game("c", "b", "0-1"), game("c", "a", "0-1")].concat()).expect("a file");
    let mut command = the_program();
    command.arg("rating").args([&one, &two]).arg("--table").arg("--json").arg(&json);
    let output = run(&mut command);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let order: Vec<_> = shown.lines().skip(1).take(3).map(|line| &line[5..6]).collect();
    assert_eq!(order, ["a", "b", "c"], "{shown}");
    assert_eq!(text(&output.stderr), "");
    // A file of another program, whose games end without their results.
    let tagged = "[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. H2-E2\n\n".repeat(2)
        + "[Red \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. H2-E2\n";
    let three = folder.file("three.pgn");
    fs::write(&three, tagged).expect("a file");
    let mut command = the_program();
    let output = run(command.arg("rating").arg(&three).arg("--table"));
    assert_eq!(text(&output.stderr), "warning: games without a result, left out: 1\n");
    let shown = text(&output.stdout);
    assert!(shown.lines().nth(1).is_some_and(|row| row.contains(" 2 ")), "{shown}");
    let json = fs::read_to_string(json).expect("the ratings");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["ratings"]["rows"][0]["name"], "a");
}

#[test]
fn bounds_of_flags_are_those_of_the_model_and_a_hard_link_is_the_same_file() {
    let folder = Folder::new("rating-refused");
    let (path, link) = (folder.file("games.pgn"), folder.file("link.pgn"));
    fs::write(&path, "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 1-0\n").expect("a file");
    fs::hard_link(&path, &link).expect("a link");
    let rating = |words: &[&str]| {
        let mut command = the_program();
        let output = run(command.arg("rating").arg(&path).args(words));
        (output.status.code(), text(&output.stderr))
    };
    for (flag, wrong, right, words) in [
        ("--prior", "0", "0.01", "from 0.01 to 1000"),
        ("--prior", "1001", "1000", "from 0.01 to 1000"),
        ("--drawelo", "0", "0.1", "from 0.1 to 1000"),
        ("--advantage", "1001", "-1000", "from -1000 to 1000"),
    ] {
        let (code, error) = rating(&[flag, wrong]);
        assert!(code == Some(2) && error.contains(words), "{flag}: {error}");
        assert_eq!(rating(&[flag, right]), (Some(0), String::new()), "{flag} {right}");
    }
    let (code, error) = rating(&[link.to_str().expect("a path in UTF-8")]);
    assert!(code == Some(2) && error.contains("is given twice"), "{error}");
}

#[test]
fn games_without_two_players_do_not_keep_the_others_from_being_rated() {
    let folder = Folder::new("rating-names");
    let path = folder.file("games.pgn");
    let rated = "[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n*\n\n";
    for other in
        ["", "[Red \"a\"]\n", "[Red \"?\"]\n[Black \"b\"]\n", "[Red \"b\"]\n[Black \"b \"]\n"]
    {
        let other = format!("{other}[Result \"0-1\"]\n\n*\n\n");
        fs::write(&path, [rated, &other].concat()).expect("a file");
        let mut command = the_program();
        let output = run(command.arg("rating").arg(&path));
        let (shown, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(
            errors.contains("left out: 1; ") && errors.ends_with(", game 2\n"),
            "{other}: {errors}"
        );
        assert!(output.status.success() && shown.lines().count() == 5, "{other}: {shown}");
    }
}

#[test]
fn games_of_every_kind_of_file_are_rated_and_never_overwritten() {
    let folder = Folder::new("rating-kinds");
    let pgn = folder.file("game.pgn");
    let games = "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 1-0\n";
    fs::write(&pgn, games).expect("a file");
    let cannonade = |words: &[&str]| {
        let mut command = the_program();
        run(command.args(words))
    };
    let pgn = pgn.to_str().expect("a path in UTF-8");
    let expected = text(&cannonade(&["rating", pgn]).stdout);
    for kind in ["xqf", "cbr", "cbf", "ubb"] {
        let other = folder.file(&format!("game.{kind}"));
        let other = other.to_str().expect("a path in UTF-8");
        cannonade(&["convert", pgn, "-o", other]);
        let output = cannonade(&["rating", other]);
        assert_eq!((text(&output.stdout), text(&output.stderr)), (expected.clone(), String::new()));
    }
    let list = folder.file("list.txt");
    fs::write(&list, "1-0 h2e2 h9g7\n").expect("a file");
    let open = folder.file("open.pgn");
    fs::write(&open, "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 *\n").expect("a file");
    let path = |path: &PathBuf| path.to_str().expect("a path in UTF-8").to_owned();
    let refusals =
        [&["rating", &path(&list)][..], &["rating", &path(&open)], &["rating", pgn, "--json", pgn]]
            .map(|words| shown(&cannonade(words)));
    assert_text!("nothing-to-rate", refusals.concat());
    assert_eq!(fs::read_to_string(pgn).expect("the games"), games);
}
