//! The folder of tables that needs no name: built into, found, switched off, damaged, left alone by
//! matches.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cannonade_tables::FOLDER_VARIABLE;

use super::built::build_into;
use crate::common::folder::empty_folder;
use crate::common::program::the_program;

/// A mate in a few plies for the tables of two pawns, far away for a short search.
const FEN: &str = "3k5/9/9/9/3PP4/9/9/9/9/4K4 w";

/// The program with this folder as that of the user.
fn at(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = the_program();
    command.args(arguments).env(FOLDER_VARIABLE, folder);
    command
}

fn run(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("the program reads");
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the lines of an engine that searches the position, after these commands.
fn search(command: &mut Command, lines: &str) -> String {
    stdout(&run(command, &format!("uci\n{lines}isready\nposition fen {FEN}\ngo depth 2\n")))
}

#[test]
fn tables_are_built_into_the_folder_of_the_user_and_found_there() {
    let folder = empty_folder("tables", "of-the-user").join("new");
    let built = stdout(&run(&mut at(&folder, &["tables", "build", "KPP-K"]), ""));
    assert!(built.contains(&format!("all in {}", folder.display())), "{built}");
    assert!(folder.join("KPP-K.cnt").is_file());

    let probed = stdout(&run(&mut at(&folder, &["tables", "probe", FEN]), ""));
    assert!(probed.contains("win in "), "{probed}");
    let without = run(&mut at(&folder, &["tables", "probe", FEN, "--path", "none"]), "");
    assert_eq!(without.status.code(), Some(2), "{without:?}");

    let found = search(&mut at(&folder, &[]), "");
    assert!(found.contains("score mate"), "{found}");
    for off in [
        "setoption name TablePath value none\n",
        "setoption name TablePath value none\nucinewgame\n",
    ] {
        let found = search(&mut at(&folder, &[]), off);
        assert!(!found.contains("score mate"), "{found}");
    }
    let again = "setoption name TablePath value none\nsetoption name TablePath value <empty>\n";
    let found = search(&mut at(&folder, &[]), again);
    assert!(found.contains("score mate"), "{found}");
    let found = search(&mut the_program(), "");
    assert!(!found.contains("score mate"), "{found}");

    let analyze = ["analyze", "--fen", FEN, "--depth", "2"];
    let known = stdout(&run(&mut at(&folder, &analyze), ""));
    assert!(known.contains("Endgame tables:"), "{known}");
    let unknown = [&analyze[..], &["--tables", "none"]].concat();
    let unknown = stdout(&run(&mut at(&folder, &unknown), ""));
    assert!(!unknown.contains("Endgame tables:"), "{unknown}");
}

#[test]
fn a_damaged_table_of_the_user_is_named_and_the_engine_plays_on() {
    let folder = empty_folder("tables", "damaged-of-the-user");
    build_into(&folder, &["KP-K"], 1).unwrap();
    fs::write(folder.join("KPP-K.cnt"), b"not a table").unwrap();
    let found = search(&mut at(&folder, &[]), "");
    let named =
        |line: &&str| line.starts_with("info string TablePath: ") && line.contains("KPP-K.cnt");
    assert_eq!(found.lines().filter(named).count(), 1, "{found}");
    assert!(found.contains("bestmove "), "{found}");

    let analyzed = run(&mut at(&folder, &["analyze", "--fen", FEN, "--depth", "2"]), "");
    stdout(&analyzed);
    let warning = String::from_utf8_lossy(&analyzed.stderr).into_owned();
    assert!(
        warning.starts_with("warning: --tables: ") && warning.contains("KPP-K.cnt"),
        "{warning}"
    );

    // Neither a folder that does not exist nor an empty one is worth a word.
    for quiet in ["missing", "empty"] {
        let quiet = folder.join(quiet);
        if quiet.ends_with("empty") {
            fs::create_dir_all(&quiet).unwrap();
        }
        let found = search(&mut at(&quiet, &[]), "");
        assert!(!found.contains("TablePath: "), "{found}");
    }
    let file = folder.join("KP-K.cnt");
    let found = search(&mut at(&file, &[]), "");
    assert!(found.contains("info string TablePath: cannot read "), "{found}");
}

#[test]
fn no_folder_to_build_in_is_an_error_that_names_the_remedy() {
    for build in [&["tables", "build", "KP-K"][..], &["tables", "build", "KP-K", "--path", "none"]]
    {
        let output = the_program().args(build).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("--path") && error.contains(FOLDER_VARIABLE), "{error}");
    }
}

#[test]
fn bench_and_the_engines_of_a_match_leave_the_folder_of_the_user_alone() {
    let folder = empty_folder("tables", "not-for-matches");
    fs::write(folder.join("KPP-K.cnt"), b"not a table").unwrap();
    let bench = run(&mut at(&folder, &["bench", "4"]), "");
    let texts =
        [&bench.stdout, &bench.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(bench.status.success() && !texts.concat().contains("KPP-K.cnt"), "{texts:?}");

    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let log = folder.join("match.log");
    let mut command =
        at(&folder, &["match", "--engine", &engine, "name=a", "--engine", &engine, "name=b"]);
    command.args(["--each", "nodes=50", "--maxmoves", "2", "--log"]).arg(&log);
    stdout(&run(&mut command, ""));
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains("bestmove") && !log.contains("KPP-K.cnt"), "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn without_the_variable_the_folder_is_in_that_of_the_users_data() {
    let data = empty_folder("tables", "data");
    let mut command = the_program();
    command
        .args(["tables", "build", "KP-K"])
        .env_remove(FOLDER_VARIABLE)
        .env("XDG_DATA_HOME", &data);
    stdout(&run(&mut command, ""));
    assert!(data.join("cannonade/tables/KP-K.cnt").is_file());
}
