//! Tests: the command lines that help and documents show are valid.

use std::fs;
use std::path::Path;

use cannonade_tables::random::Random;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory as _, Parser as _};
use unicode_width::UnicodeWidthStr as _;

use super::Cli;

/// Returns the commands without subcommands, each with its whole name.
fn leaves(command: &Command, name: &str) -> Vec<(String, Command)> {
    let inner: Vec<_> = (command.get_subcommands())
        .filter(|inner| inner.get_name() != "help")
        .flat_map(|inner| leaves(inner, &format!("{name} {}", inner.get_name())))
        .collect();
    if inner.is_empty() { vec![(name.to_owned(), command.clone())] } else { inner }
}

/// Joins lines that end with a backslash with the next ones, without the blanks at the beginning of
/// these.
fn join_continued(text: &str) -> String {
    let mut lines = text.split("\\\n");
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |joined, line| joined + line.trim_start_matches(' '))
}

/// Returns the command lines of the section `Examples:`, continued lines joined.
fn examples(command: &Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let Some((_, section)) = help.split_once("Examples:\n") else { return Vec::new() };
    let section = join_continued(section);
    let lines = section.lines().take_while(|line| !line.is_empty());
    lines.map(|line| line.trim().to_owned()).collect()
}

/// Splits a shell line that calls `cannonade` into words, without redirections and the description
/// after two blanks, which must be a comment of the shell.
fn words(line: &str) -> Vec<String> {
    let start = line.find("| cannonade").map_or(0, |at| at + 2);
    let mut words = vec![String::new()];
    let mut quoted = false;
    let mut characters = line[start..].chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' => quoted = !quoted,
            '>' | '|' if !quoted => break,
            ' ' if !quoted && characters.peek() == Some(&' ') => {
                let description = characters.collect::<String>();
                assert!(description.trim_start().starts_with('#'), "no comment: {line}");
                break;
            }
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Parses a call. What `--config` reads from its file is not missing.
fn parse(words: &[String]) -> Result<(), clap::Error> {
    match Cli::try_parse_from(words) {
        Err(error)
            if error.kind() == ErrorKind::MissingRequiredArgument
                && words.iter().any(|word| word == "--config") =>
        {
            Ok(())
        }
        parsed => parsed.map(drop),
    }
}

#[test]
fn every_command_has_examples_and_all_of_them_are_valid() {
    let cannonade = Cli::command();
    let mut seen = 0;
    let groups = cannonade.get_subcommands().map(|one| (one.get_name().to_owned(), one.clone()));
    let mut commands: Vec<_> = groups.filter(|(_, one)| one.has_subcommands()).collect();
    commands.extend(leaves(&cannonade, "cannonade"));
    commands.push(("cannonade".to_owned(), cannonade));
    for (name, command) in commands {
        let examples = examples(&command);
        assert!(!examples.is_empty(), "{name} has no examples");
        for line in examples {
            let words = words(&line);
            let parsed = parse(&words);
            let is_help = words.get(1).is_some_and(|word| word == "help");
            assert!(parsed.is_ok() || is_help, "{name}: {line}\n{words:?}");
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

/// Returns the calls of the program in the blocks of a document, continued lines joined.
fn calls(document: &str) -> Vec<String> {
    let document = join_continued(document);
    let mut in_block = false;
    let mut found = Vec::new();
    for line in document.lines() {
        in_block ^= line.starts_with("```");
        let is_indented = line.starts_with("    ");
        let line = line.trim().trim_start_matches("$ ").replace("target/release/", "");
        let is_call = line.starts_with("cannonade ") || line.contains("| cannonade");
        if (in_block || is_indented) && is_call {
            found.push(line);
        }
    }
    found
}

#[test]
fn every_call_in_the_documents_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["docs", "docs/lab"].map(|folder| fs::read_dir(root.join(folder)));
    let entries = folders.into_iter().flat_map(|folder| folder.expect("a folder of documents"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.extend(["README.md", "CONTRIBUTING.md", "nets/commands.md"].map(|path| root.join(path)));
    let mut seen = 0;
    for path in paths {
        let document = fs::read_to_string(&path).expect("a document");
        for line in calls(&document) {
            let words = words(&line);
            let parsed = parse(&words);
            let is_help = words.get(1).is_some_and(|word| word == "help");
            let path = path.display();
            assert!(is_help || parsed.is_ok(), "{path}: {line}\n{words:?}\n{parsed:?}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn the_definition_of_the_command_line_is_consistent() {
    super::with_negative_numbers(Cli::command()).debug_assert();
}

#[test]
fn the_texts_below_the_flags_fit_the_width_that_clap_wraps_at() {
    const WIDTH: usize = 100;
    for (path, command) in leaves(&Cli::command(), "cannonade") {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in text.lines() {
            assert!(line.width() <= WIDTH, "{path}: {line}");
        }
    }
}

/// Changed command lines.
const LINES: usize = if cfg!(debug_assertions) { 300 } else { 3_000 };

#[test]
fn changed_command_lines_are_parsed_or_refused() {
    let cannonade = Cli::command();
    let lines: Vec<Vec<String>> = (leaves(&cannonade, "cannonade").iter())
        .flat_map(|(_, command)| examples(command))
        .map(|line| words(&line))
        .collect();
    let odd = ["-1", "0", "99999999999999999999", "NaN", "", "-", "--", "é", "=", "a=b", "1:2"];
    let mut random = Random::new(14);
    let mut parsed = 0;
    for _ in 0..LINES {
        let mut line = lines[random.below(lines.len())].clone();
        for _ in 0..random.below(3) {
            let at = random.below(line.len());
            let other = &lines[random.below(lines.len())];
            match random.below(5) {
                0 => odd[random.below(odd.len())].clone_into(&mut line[at]),
                1 => line.insert(at, other[random.below(other.len())].clone()),
                2 => line[at] = other[random.below(other.len())].clone(),
                3 => line.truncate(at.max(1)),
                _ => line[at] = line[at].chars().rev().collect(),
            }
        }
        parsed += usize::from(Cli::try_parse_from(&line).is_ok());
    }
    assert!(parsed > LINES / 10, "the changes are too wild: {parsed}");
}
