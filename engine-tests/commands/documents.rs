//! The commands that the documents show with their outputs are run again and must print the same;
//! only times and speeds may differ. A change of the search or of the network changes many of these
//! outputs. This command writes the new ones into the documents:
//!
//! ```text
//! CANNONADE_REWRITE_DOCUMENTS=1 cargo test --release -p cannonade --test all commands::documents
//! ```

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cannonade_tables::{FOLDER_VARIABLE, NO_FOLDER};

use super::repository;

/// Beginnings of commands whose outputs cannot be compared, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cannonade convert bad.pgn", "reads a file of the reader"),
    ("cannonade man", "writes into the folders of the reader"),
    ("cannonade match", "takes minutes, and games at a fixed time differ"),
    ("cannonade play", "depends on what the reader types and on time"),
    ("cannonade pool", "reads the result of the match"),
    ("cannonade rating", "reads the games of the match"),
    ("cannonade web", "runs until Ctrl-C"),
    ("printf 'h2e2\\nhint", "full strength searches for a fixed time"),
];

/// Words that a reader types at the prompt of the engine.
const TYPED: [&str; 4] = ["uci", "position", "go", "quit"];

/// A command of a document, and which lines of the document show its output.
struct Example {
    command: String,
    first: usize,
    shown: Vec<String>,
}

/// The READMEs and the pages of `docs`.
fn documents() -> Vec<PathBuf> {
    let is_shown = |path: &String| path.starts_with("docs/") || path.starts_with("README");
    super::manual::documents()
        .iter()
        .filter(|path| is_shown(path))
        .map(|path| repository(path))
        .collect()
}

/// The commands in the blocks of kind `console` that show an output.
fn examples(document: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    // The command whose output the lines of the block are.
    let mut current: Option<Example> = None;
    let (mut in_block, mut is_continued) = (false, false);
    for (number, line) in document.lines().enumerate() {
        if line.starts_with("```") {
            in_block = line == "```console";
            found.extend(current.take());
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) {
            let command = command.to_owned();
            is_continued = command.ends_with('\\');
            let example = Example { command, first: number + 1, shown: Vec::new() };
            found.extend(current.replace(example));
        } else if let Some(example) = &mut current {
            if is_continued {
                is_continued = line.ends_with('\\');
                example.command += &format!("\n{line}");
                example.first = number + 1;
            } else {
                example.shown.push(line.to_owned());
            }
        }
    }
    found.retain(|example| {
        let runs_us = example.command.split('|').any(|part| part.trim().starts_with("cannonade"));
        runs_us && !example.shown.is_empty()
    });
    found
}

fn is_typed(line: &str) -> bool {
    TYPED.contains(&line.split(' ').next().unwrap_or_default())
}

/// Runs the command and returns its output with errors. The engine at its prompt receives the lines
/// shown as typed, except `quit`, which would end a search.
fn output(example: &Example) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_cannonade"));
    let folder = program.parent().expect("a folder").to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {}", example.command)])
        .env("PATH", std::env::join_paths(folders).expect("folders"))
        .env(FOLDER_VARIABLE, NO_FOLDER)
        .current_dir(repository(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = shell.stdin.take().expect("a pipe");
    if example.command == "cannonade" {
        for line in example.shown.iter().filter(|line| is_typed(line) && *line != "quit") {
            writeln!(input, "{line}").expect("the engine reads");
        }
    }
    drop(input);
    let output = shell.wait_with_output().expect("an output");
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// The line without times and speeds, and without its spacing.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |at: usize| {
        words.get(at).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_time = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        match words.get(at + 1).map_or("", |after| after.trim_end_matches(',')) {
            "s" | "thousand" | "million" => true,
            "nps" => !is_number(at + 2),
            _ => matches!(before, "nps" | "time"),
        }
    };
    let masked =
        (0..words.len()).map(|at| if is_number(at) && is_time(at) { "#" } else { words[at] });
    masked.collect::<Vec<_>>().join(" ")
}

/// Returns whether a line of a document stands for this line; it may leave out the end of it.
fn stands_for(shown: &str, line: &str) -> bool {
    let start = shown.strip_suffix(" ..");
    without_times(shown) == without_times(line)
        || start.is_some_and(|start| line.starts_with(start))
}

/// The lines that a document should show, given those that it shows and those of the program.
///
/// Lines of two dots stand for lines left out. The lines before the first of them are the beginning
/// of the output, those after the last one its end, and those between two of them begins with the
/// first line whose first word is the same.
fn renewed(shown: &[String], printed: &[String]) -> Vec<String> {
    let parts: Vec<&[String]> = shown.split(|line| line.trim() == "..").collect();
    let gaps: Vec<&String> = shown.iter().filter(|line| line.trim() == "..").collect();
    let mut result = Vec::new();
    let mut at = 0;
    for (index, part) in parts.iter().enumerate() {
        let typed = part.iter().filter(|line| is_typed(line)).count();
        let length = part.len() - typed;
        let is_last = index + 1 == parts.len();
        let (start, end) = if gaps.is_empty() {
            (0, printed.len())
        } else if index == 0 {
            (0, length)
        } else if is_last {
            (printed.len().saturating_sub(length), printed.len())
        } else {
            let word = |line: &String| line.split_whitespace().next().map(str::to_owned);
            let first = part.first().and_then(word);
            let start = (at..printed.len()).find(|&i| word(&printed[i]) == first).unwrap_or(at);
            (start, start + length)
        };
        at = end.min(printed.len());
        let mut lines = printed[start.min(at)..at].iter();
        for old in *part {
            if is_typed(old) {
                result.push(old.clone());
            } else if let Some(line) = lines.next() {
                result.push(if stands_for(old, line) { old } else { line }.clone());
            }
        }
        result.extend(lines.cloned());
        result.extend(gaps.get(index).copied().cloned());
    }
    result
}

#[test]
fn outputs_in_documents_are_those_of_the_program() {
    let is_rewriting = std::env::var_os("CANNONADE_REWRITE_DOCUMENTS").is_some();
    let mut outputs: HashMap<String, Vec<String>> = HashMap::new();
    let mut unused: Vec<&str> = NOT_RUN.iter().map(|(start, _)| *start).collect();
    let (mut compared, mut stale) = (0, Vec::new());
    for path in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the last to the first, so that the numbers of the lines before stay.
        for example in examples(&text).iter().rev() {
            let skipped = NOT_RUN.iter().find(|(start, _)| example.command.starts_with(start));
            if let Some((start, _)) = skipped {
                unused.retain(|other| other != start);
                continue;
            }
            let printed = outputs.entry(example.command.clone()).or_insert_with(|| output(example));
            let renewed = renewed(&example.shown, printed);
            compared += 1;
            if renewed != example.shown {
                let (name, command) = (path.display(), &example.command);
                stale.push(format!("{name}: {command}\n{}\n", renewed.join("\n")));
                let end = example.first + example.shown.len();
                lines.splice(example.first..end, renewed);
            }
        }
        if is_rewriting {
            fs::write(&path, lines.join("\n") + "\n").expect("a document is written");
        }
    }
    assert!(compared >= 10, "{compared}");
    assert!(unused.is_empty(), "no document shows these commands: {unused:?}");
    assert!(
        is_rewriting || stale.is_empty(),
        "These commands print something else than the documents show; engine-tests/commands/documents.rs \
         says how to write it into them.\n\n{}",
        stale.join("\n")
    );
}

#[test]
fn the_output_of_a_command_ends_with_its_block() {
    let document = "```console\n$ cannonade bench \\\n  9\nnodes\n$ cannonade x\ny\n```\n\ntext\n\n\
                    ```console\ninfo\n```\n\n```text\n$ cannonade z\nno\n```\n";
    let found: Vec<_> = (examples(document).into_iter())
        .map(|example| (example.command, example.first, example.shown.join("|")))
        .collect();
    let expected = [("cannonade bench \\\n  9", 3, "nodes"), ("cannonade x", 5, "y")];
    let expected =
        expected.map(|(command, first, shown)| (command.to_owned(), first, shown.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn times_and_speeds_are_not_compared() {
    for (shown, printed, is_same) in [
        (" 12/24  0.09 s  36747  +0.72  b2d2", " 12/24   10.14 s  36747   +0.72  b2d2", true),
        (" 12/24  0.09 s  36747  +0.72  b2d2", " 12/24   0.09 s  36748   +0.72  b2d2", false),
        ("info nodes 46 nps 19 time 23 pv h0g2", "info nodes 46 nps 7 time 1 pv h0g2", true),
        ("info nodes 46 nps 19 time 23 pv h0g2", "info nodes 45 nps 19 time 23 pv h0g2", false),
        ("1103409 nodes 1413632 nps", "1103409 nodes 7 nps", true),
        ("1103409 nodes 1413632 nps", "1103408 nodes 1413632 nps", false),
        ("Credit: moves of ..", "Credit: moves of 27,935 games", true),
        ("Credit: moves of ..", "Credit: games", false),
    ] {
        assert_eq!(stands_for(shown, printed), is_same, "{shown} / {printed}");
    }
}

#[test]
fn lines_that_a_document_leaves_out_stay_left_out() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for (shown, printed, expected) in [
        ("a b", "a c d", "a c d"),
        ("a .. e", "A b c d E", "A .. E"),
        ("a .. c d .. f", "A b c D e F", "A .. c D .. F"),
        (".. e f", "a b E F", ".. E F"),
    ] {
        assert_eq!(renewed(&lines(shown), &lines(printed)), lines(expected), "{shown}");
    }
}
