//! Reads a line of a terminal, with editing, history and completion of commands and files.

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use super::request::{COMMAND_NAMES, Word};
use super::typed::Typed;

/// Completes commands, and the files of `save` and `load`.
struct Completion {
    files: FilenameCompleter,
}

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
            Some((command, _)) if takes_file(command) => self.files.complete_path(line, pos),
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

/// Returns what reads a line after the prompt; its function returns `None` at the end of the input.
pub(super) fn reader() -> Option<impl FnMut(&[String; 2]) -> Option<Typed> + Send> {
    let config = Config::builder().auto_add_history(true).build();
    let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
    editor.set_helper(Some(Completion { files: FilenameCompleter::new() }));
    Some(move |[plain, painted]: &[String; 2]| {
        match editor.readline(&(plain.as_str(), painted.as_str())) {
            Ok(line) => Some(Typed::Line(line)),
            Err(ReadlineError::Interrupted) => Some(Typed::Interrupt),
            Err(_) => None,
        }
    })
}

#[cfg(test)]
mod tests {
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
}
