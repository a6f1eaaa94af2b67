//! `analyze` and `bench` as a person runs them.

use std::process::{Command, Output};

fn cannonade(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cannonade")).args(arguments).output().expect("it runs")
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
fn analyze_says_that_a_game_is_over() {
    let output = cannonade(&["analyze", "--fen", "3k5/3R5/3R5/9/9/9/9/9/9/4K4 b"]);
    assert!(output.status.success());
    let lines = lines(&output);
    assert!(lines.iter().any(|line| line == "No legal move: black has lost."), "{lines:#?}");
}

#[test]
fn wrong_input_is_named_and_ends_with_code_2() {
    for (arguments, part) in [
        (&["analyze", "--fen", "9/9 w"][..], "2 ranks"),
        (&["analyze", "--moves", "h2h9 h2e2"][..], "h2e2"),
        (&["analyze", "--time", "-1"][..], "--time"),
        (&["analyze", "--time", "NaN"][..], "--time"),
        (&["bench", "0"][..], "0"),
        (&["bench", "1", "--rules", "chinese"][..], "WXF, CheckOnly or None"),
    ] {
        let output = cannonade(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn bench_plays_by_the_rules_it_is_told() {
    // Rulings change what is searched; speed compares all the same.
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
