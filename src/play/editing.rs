//! Reads a line of a terminal, with editing, history and completion of commands and files.

use std::collections::VecDeque;
use std::path::{MAIN_SEPARATOR_STR, Path, is_separator};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use super::request::{COMMAND_NAMES, Word};
use super::typed::Typed;

/// Completes commands, and the files of `save` and `load`.
struct Completion;

impl Helper for Completion {}
impl Highlighter for Completion {}
impl Validator for Completion {}
impl Hinter for Completion {
    type Hint = String;
}

impl Completer for Completion {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..pos).unwrap_or_default();
        match typed.split_once(char::is_whitespace) {
            Some((command, rest)) if takes_file(command) => {
                let path = rest.trim_start();
                Ok((pos - path.len(), files(path)))
            }
            Some(_) => Ok((pos, Vec::new())),
            None => Ok((0, commands(typed))),
        }
    }
}

fn takes_file(command: &str) -> bool {
    let is_it = |(names, word): &(&[&str], Word)| {
        matches!(word, Word::Save | Word::Load) && names.contains(&command)
    };
    COMMAND_NAMES.iter().any(is_it)
}

/// Returns the commands that begin with a text, by their first English and their first Chinese
/// name.
fn commands(typed: &str) -> Vec<Pair> {
    let names = COMMAND_NAMES.iter().flat_map(|(names, _)| {
        let first = |is_ascii: bool| names.iter().find(|name| name.is_ascii() == is_ascii);
        [first(true), first(false)]
    });
    let fitting = names.flatten().filter(|name| !name.is_empty() && name.starts_with(typed));
    fitting
        .map(|name| Pair { display: (*name).to_owned(), replacement: (*name).to_owned() })
        .collect()
}

/// Returns the files whose paths begin with a text, which stands for itself, as `save` and `load`
/// read it.
fn files(typed: &str) -> Vec<Pair> {
    let name_start = typed.rfind(is_separator).map_or(0, |at| at + 1);
    let (folder, name) = typed.split_at(name_start);
    let Ok(entries) = Path::new(if folder.is_empty() { "." } else { folder }).read_dir() else {
        return Vec::new();
    };
    let pair = |entry: std::fs::DirEntry| {
        let display = entry.file_name().into_string().ok()?;
        let end = if entry.path().is_dir() { MAIN_SEPARATOR_STR } else { "" };
        let replacement = format!("{folder}{display}{end}");
        display.starts_with(name).then_some(Pair { display, replacement })
    };
    let mut pairs: Vec<Pair> = entries.flatten().filter_map(pair).collect();
    pairs.sort_by(|one, other| one.display.cmp(&other.display));
    pairs
}

/// Returns what reads a line after the prompt; its function returns `None` at the end of the input.
pub(super) fn reader() -> Option<impl FnMut(&[String; 2]) -> Option<Typed> + Send> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
    editor.set_helper(Some(Completion));
    // The rest of a pasted text of several lines.
    let mut pasted = VecDeque::new();
    Some(move |[plain, painted]: &[String; 2]| {
        if let Some(line) = pasted.pop_front() {
            return Some(Typed::Line(line));
        }
        match editor.readline(&(plain.as_str(), painted.as_str())) {
            Ok(text) => {
                pasted.extend(text.lines().map(str::to_owned));
                Some(Typed::Line(pasted.pop_front().unwrap_or_default()))
            }
            Err(ReadlineError::Interrupted) => Some(Typed::Interrupt),
            Err(_) => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use super::*;

    fn names(typed: &str) -> Vec<String> {
        commands(typed).into_iter().map(|pair| pair.replacement).collect()
    }

    #[test]
    fn commands_are_completed_in_both_languages() {
        assert_eq!(names("re"), ["redo", "resign"]);
        assert_eq!(names("提"), ["提示", "提和"]);
        assert_eq!(names("xyz"), [""; 0]);
        assert!(takes_file("save") && takes_file("读取") && !takes_file("undo"));
    }

    #[test]
    fn a_file_is_completed_as_it_is_read() {
        let folder = env::temp_dir().join(format!("cannonade-editing-{}", process::id()));
        fs::create_dir_all(folder.join("my games")).expect("a folder");
        fs::write(folder.join("it's a \\ game.pgn"), "").expect("a file");
        let folder_name = folder.display();
        let history = MemHistory::new();
        let completed = |line: &str| {
            let found = Completion.complete(line, line.len(), &Context::new(&history));
            let (at, pairs) = found.expect("files");
            pairs.iter().map(|pair| format!("{}{}", &line[..at], pair.replacement)).collect()
        };
        let end = MAIN_SEPARATOR_STR;
        for (typed, expected) in [
            (format!("save {folder_name}{end}it's"), "it's a \\ game.pgn".to_owned()),
            (format!("读取 {folder_name}{end}my "), format!("my games{end}")),
        ] {
            let command = typed.split(' ').next().expect("a command");
            let lines: Vec<String> = completed(&typed);
            assert_eq!(lines, [format!("{command} {folder_name}{end}{expected}")]);
        }
        fs::remove_dir_all(folder).expect("the folder of the test");
    }
}
