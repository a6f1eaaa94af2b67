//! `analyze` and `bench` as a person runs them.

use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::program::the_program;
use crate::common::snapshots::{assert_text, shown};

fn cannonade(arguments: &[&str]) -> Output {
    the_program().args(arguments).output().expect("it runs")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn analyze_shows_a_table_and_the_best_move() {
    let output = cannonade(&["analyze", "--moves", "h2e2 h9g7", "--depth", "4", "--multipv", "2"]);
    assert!(output.status.success());
    let lines = lines(&output);
    let table = lines.iter().position(|line| line.starts_with("depth")).expect("a heading");
    let rows = lines.iter().skip(table + 1).take_while(|line| !line.is_empty()).count();
    assert!(rows >= 8, "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("Best move: ")), "{lines:#?}");
}

#[test]
fn analyze_prints_that_a_game_is_over() {
    let output = cannonade(&["analyze", "--fen", "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"]);
    assert!(output.status.success());
    let lines = lines(&output);
    assert!(lines.iter().any(|line| line == "No legal move: black has lost."), "{lines:#?}");
}

#[test]
fn wrong_input_is_named_and_ends_with_code_2() {
    let refusals = [
        &["analyze", "--fen", "9/9 w"][..],
        &["analyze", "--moves", "h2h9 h2e2"],
        &["analyze", "--time", "-1"],
        &["analyze", "--time", "NaN"],
        &["analyze", "--multipv", "0"],
        &["analyze", "--threads", "0"],
        &["analyze", "--threads", "100000"],
        &["analyze", "--hash", "9999999"],
        &["bench", "0"],
        &["bench", "1", "--rules", "chinese"],
    ]
    .map(|arguments| format!("$ {}\n{}", arguments.join(" "), shown(&cannonade(arguments))));
    assert_text!("wrong-input", refusals.concat());
}

#[test]
fn bench_uses_the_rules_of_its_flag() {
    // Rulings change which nodes are searched.
    let sum = |rules: &str| lines(&cannonade(&["bench", "9", "--rules", rules])).pop();
    let nodes = |rules| sum(rules).and_then(|line| line.split(' ').next().map(str::to_owned));
    assert_eq!(nodes("wxf"), nodes("WXF"));
    assert_ne!(nodes("WXF"), nodes("None"));
}

#[test]
fn the_last_line_of_bench_is_what_openbench_reads() {
    let output = cannonade(&["bench", "1"]);
    assert!(output.status.success());
    let lines = lines(&output);
    let words: Vec<_> = lines.last().expect("a line").split(' ').collect();
    assert!(
        matches!(words[..], [nodes, "nodes", nps, "nps"]
            if nodes.parse::<u64>().is_ok() && nps.parse::<u64>().is_ok()),
        "{words:?}"
    );
}

/// `/dev/full` refuses every write; `| head -1` leaves a closed pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_full_or_closed_standard_output_is_no_panic() {
    let start = Instant::now();
    let commands: [&[&str]; 7] = [
        &["bench", "1"],
        &["perft", "--depth", "2"],
        &["analyze", "--time", "100"],
        &["bench", "0"],
        &["--help"],
        &["help", "analyze"],
        &["--version"],
    ];
    for arguments in commands {
        for full in [true, false] {
            let mut child = the_program()
                .args(arguments)
                .stdout(if full { full_disk() } else { closed_pipe() })
                .stderr(Stdio::piped())
                .spawn()
                .expect("it runs");
            drop(child.stdin.take());
            let output = child.wait_with_output().expect("a process");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{arguments:?}: {message}");
            let expected = match (arguments[0], full) {
                ("bench", _) if arguments[1] == "0" => 2,
                (_, true) => 1,
                (_, false) => 0,
            };
            assert_eq!(output.status.code(), Some(expected), "{arguments:?} {full}: {message}");
        }
    }
    assert!(start.elapsed() < Duration::from_secs(90), "a search went on that nobody reads");
}

#[cfg(target_os = "linux")]
fn full_disk() -> Stdio {
    std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full").into()
}

#[cfg(target_os = "linux")]
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}
