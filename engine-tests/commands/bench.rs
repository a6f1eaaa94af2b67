//! `cannonade bench`, as a person and OpenBench run it.

use super::run;

/// The last line, which sums up.
fn last_line(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8_lossy(&output.stdout).lines().last().expect("a line").to_owned()
}

#[test]
fn bench_uses_the_rules_of_its_flag() {
    // Rulings change which nodes are searched.
    let nodes = |rules: &str| {
        let line = last_line(&["bench", "9", "--rules", rules]);
        line.split(' ').next().map(str::to_owned)
    };
    assert_ne!(nodes("WXF"), nodes("None"));
}

#[test]
fn the_last_line_of_bench_is_what_openbench_reads() {
    let line = last_line(&["bench", "1"]);
    let words: Vec<_> = line.split(' ').collect();
    assert!(
        matches!(words[..], [nodes, "nodes", nps, "nps"]
            if nodes.parse::<u64>().is_ok() && nps.parse::<u64>().is_ok()),
        "{words:?}"
    );
}
