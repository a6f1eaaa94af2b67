//! `cannonade tables` as a program.

#[cfg(unix)]
use std::process::Child;
use std::process::{Command, Output};

use cannonade_tables::{Sampler, Tables};
use serde_json::Value;
use xiangqi::rules::Wdl;

use super::built::{build_into, seal, signatures};
use crate::common::folder::empty_folder;
use crate::common::program::the_program;
#[cfg(unix)]
use crate::common::program::{wait_for_work, wait_until_interruptible};
use crate::common::snapshots::{assert_text, shown};

/// Damages a table file: no decided position with the stronger side to move has a distance any
/// more. The checksum is right, as a program with an error would write it.
fn without_distances(mut bytes: Vec<u8>) -> Vec<u8> {
    let number = |at: usize, len: usize| {
        bytes[at..at + len].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let mut at = 48;
    for _ in 0..2 {
        let (alphabet, pairs, bits) = (number(at, 2), number(at + 2, 2), number(at + 4, 1));
        let (symbols, starts) = (number(at + 8, 4), number(at + 12, 4));
        at += 16 + alphabet + 4 * pairs + 4 * starts + symbols * bits / 8 + 4;
    }
    let alphabet = at + 16..at + 16 + number(at, 2);
    bytes[alphabet].fill(255);
    seal(&mut bytes);
    bytes
}

fn tables(arguments: &[&str]) -> Output {
    the_program().arg("tables").args(arguments).output().expect("the program runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_table_is_built_and_then_probed() {
    let folder = empty_folder("tables", "command");
    let path = folder.to_str().unwrap();
    let built = stdout(&tables(&["build", "KPP-K", "--path", path]));
    assert!(built.contains("KP-K ") && built.contains("KPP-K "), "{built}");
    let fen = "3k5/9/9/9/3PP4/9/9/9/9/4K4 w";
    let probe = stdout(&tables(&["probe", fen, "--path", path, "--json"]));
    let probe: Value = serde_json::from_str(&probe).unwrap();
    assert_eq!(probe["result"], "win");
    let moves = probe["moves"].as_array().unwrap();
    // The plies of the position count from here, those of a move from the position after it.
    assert_eq!(moves[0]["plies"].as_u64().unwrap() + 1, probe["plies"].as_u64().unwrap());
}

#[test]
fn a_position_without_a_table_names_the_command_that_builds_it() {
    let output = tables(&["probe", "3k5/9/9/9/9/9/9/9/4R4/R3K4 w"]);
    assert_text!("no-table", shown(&output));
}

#[test]
fn the_table_that_a_probe_lacks_or_cannot_read_is_named() {
    let folder = empty_folder("tables", "successors");
    build_into(&folder, &["KAP-KA"], 1).unwrap();
    let (all, _) = Tables::open(&folder).unwrap();
    let mut sampler = Sampler::new(&all, signatures(&["KAP-K"]), 1, false);
    let (won, _) = sampler.find(|(_, value)| value.wdl() == Wdl::Win).unwrap();
    // The pawn can take the advisor.
    let capture = "3ak4/3P5/9/9/9/9/9/9/9/3A1K3 w";
    let path = folder.to_str().unwrap();
    let probe = |fen: &str| shown(&tables(&["probe", fen, "--path", path]));
    for fen in [capture, &won.fen()] {
        assert!(probe(fen).starts_with("exit code 0\n"), "{}", probe(fen));
    }
    let file = folder.join("KAP-K.cnt");
    std::fs::write(&file, without_distances(std::fs::read(&file).unwrap())).unwrap();
    let unreadable = probe(&won.fen());
    std::fs::remove_file(&file).unwrap();
    assert_text!("no-value", unreadable + &probe(capture));
}

#[test]
fn samples_of_a_damaged_table_end_with_an_error() {
    let folder = empty_folder("tables", "sample-damaged");
    build_into(&folder, &["KAP-K"], 1).unwrap();
    let path = folder.join("KAP-K.cnt");
    let good = std::fs::read(&path).unwrap();
    let sample = || {
        let folder = folder.to_str().unwrap();
        let sampled = tables(&["sample", "KAP-K", "--count", "500", "--path", folder]);
        String::from_utf8_lossy(&sampled.stderr).into_owned()
    };
    assert_eq!(sample(), "");
    std::fs::write(&path, without_distances(good.clone())).unwrap();
    let error = sample();
    assert!(error.contains("of 500 positions: a table cannot be read"), "{error}");
    // Opening does not read it all.
    let mut large = good;
    large.resize((16 << 20) + 1, 0);
    seal(&mut large);
    large[12] ^= 1;
    std::fs::write(&path, large).unwrap();
    let error = sample();
    assert!(error.starts_with("error: ") && error.contains("checksum is wrong"), "{error}");
}

#[test]
fn a_table_of_too_many_pieces_is_refused_before_the_smaller_ones_are_built() {
    let folder = empty_folder("tables", "large");
    let path = folder.to_str().unwrap();
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    let later = "rn2k2nr/9/9/9/9/9/P1P1P4/9/9/RNC1K1CNR w";
    let refusals =
        [&["build", "KRNCAABB-KAABB", "--path", path][..], &["probe", start], &["probe", later]]
            .map(|arguments| shown(&tables(arguments)));
    assert_text!("too-many-pieces", refusals.concat());
    assert_eq!(std::fs::read_dir(&folder).map_or(0, Iterator::count), 0);
}

#[test]
fn a_word_that_names_no_table_is_explained_once() {
    let refusals = ["XYZ", "KRRR", "KAABB", "KRRP-KN"].map(|word| {
        shown(&tables(&[
            "build",
            word,
            "--path",
            empty_folder("tables", "words").to_str().unwrap(),
        ]))
    });
    assert_text!("no-names", refusals.concat());
}

#[test]
fn a_summary_has_the_figures_of_the_tables() {
    let text = stdout(&tables(&["summary", "KR-KAABB"]));
    assert!(text.contains("KR-KAABB") && text.contains(" 82.01 "), "{text}");
}

#[test]
fn samples_are_positions_with_their_results() {
    let sampled = stdout(&tables(&["sample", "--count", "30", "--seed", "7", "KR-KAABB"]));
    assert_eq!(sampled.lines().count(), 30);
    let again = stdout(&tables(&["sample", "--count", "30", "--seed", "7", "KR-KAABB"]));
    assert_eq!(sampled, again);
    for line in sampled.lines() {
        let columns: Vec<_> = line.split('\t').collect();
        let probe = stdout(&tables(&["probe", columns[0], "--json"]));
        let probe: Value = serde_json::from_str(&probe).unwrap();
        assert_eq!(probe["result"], columns[1]);
    }
}

#[test]
fn verification_fails_if_a_file_of_the_folder_is_damaged() {
    let folder = empty_folder("tables", "verify-damaged");
    build_into(&folder, &["KN-K"], 1).unwrap();
    let path = folder.to_str().unwrap();
    let arguments = ["verify", "KN-K", "--path", path, "--positions", "81", "--searched", "0"];
    stdout(&tables(&arguments));
    // The built-in table of this name is sound.
    std::fs::write(folder.join("KN-K.cnt"), "something else").unwrap();
    let output = tables(&arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_text!("damaged", message);
    // No tables of these names are built in.
    for name in ["KR-KN.cnt", "KR-KC.cnt"] {
        std::fs::write(folder.join(name), "something else").unwrap();
    }
    let output = tables(&[&arguments[..], &["KR-KN", "KR-KC"]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(message.matches("there is no table for KR-K").count(), 2, "{message}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("KN-K "), "{output:?}");
}

/// Starts the program, interrupts it after some lines of its output and a wait, and returns the
/// remaining lines and what it has said.
#[cfg(unix)]
fn interrupted(
    arguments: &[&str],
    lines_before: usize,
    wait: impl Fn(&Child),
) -> (Vec<String>, String) {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let mut command = the_program();
    command.arg("tables").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().expect("the program runs");
    let mut lines = BufReader::new(running.stdout.take().expect("its output")).lines();
    assert!(lines.by_ref().take(lines_before).all(|line| line.is_ok()));
    wait(&running);
    let id = running.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let lines = lines.map_while(Result::ok).collect();
    let output = running.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    (lines, String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn work_on_tables_that_is_interrupted_is_no_success() {
    // The head and a first table.
    let (lines, message) = interrupted(&["verify", "--searched", "0"], 2, |_| {});
    assert!(message.contains("stopped after") && message.contains("of 40 tables"), "{message}");
    assert!(lines.last().is_some_and(|line| line.ends_with(" 0 contradictions")));

    let (_, message) = interrupted(&["summary"], 2, |_| {});
    assert!(message.contains("stopped after") && message.contains("of 40 tables"), "{message}");

    let folder = empty_folder("tables", "interrupted-pack");
    let file = folder.join("packed.bin");
    let pack = ["pack", "one", "--path", "none", "--output", file.to_str().unwrap()];
    let (_, message) = interrupted(&pack, 0, wait_until_interruptible);
    assert_eq!(message, "stopped; nothing is written\n");
    assert!(!file.exists());
}

/// A search of eight plies takes a quarter of a minute or more.
#[cfg(unix)]
#[test]
fn a_deep_search_of_a_verification_is_interrupted() {
    let deep = ["verify", "KR-KAABB", "--positions", "0", "--searched", "81", "--plies", "8"];
    let (lines, message) = interrupted(&deep, 1, wait_for_work);
    assert!(message.contains("stopped after 0 of 1 tables"), "{message}");
    let columns: Vec<_> = lines[0].split_whitespace().collect();
    assert_eq!(columns, ["KR-KAABB", "0", "0", "0"], "the search is not finished");
}

#[test]
fn results_are_packed_into_a_file_and_a_missing_table_is_named() {
    let folder = empty_folder("tables", "packed");
    build_into(&folder, &["KP-KA"], 1).unwrap();
    let (path, file) = (folder.to_str().unwrap(), folder.join("packed.bin"));
    let output = file.to_str().unwrap();
    let packed = stdout(&tables(&["pack", "KP-KA", "--path", path, "--output", output]));
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(packed, format!("{output}: 1 tables in {} bytes\n", bytes.len()));
    assert!(bytes.starts_with(b"CNDQUIET"));
    let refused = tables(&["pack", "KPP-KA", "--path", path, "--output", output]);
    assert_eq!(refused.status.code(), Some(1));
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(error.contains("there is no table of KPP-KA; build it with"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "nothing is written");
    let table = folder.join("KP-KA.cnt");
    let refused = tables(&["pack", "KP-KA", "--path", path, "--output", table.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("would be lost"), "{refused:?}");
    stdout(&tables(&["verify", "KP-KA", "--path", path]));
}
