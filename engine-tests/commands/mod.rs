//! Properties of all commands: help, exit codes, standard streams, and the documents that show
//! them.

mod bench;
// The commands of the documents are lines for a shell.
#[cfg(unix)]
mod documents;
mod encodings;
mod exit_codes;
mod help;
#[cfg(unix)]
mod interrupts;
mod json_schemas;
pub mod manual;
mod outputs;
mod pages;
mod readmes;
// Its script is one for a shell.
#[cfg(unix)]
mod releases;
mod streams;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::folder::empty_folder;
use crate::common::program::the_program;

/// The program with these arguments, its input empty.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = the_program();
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program with an empty input.
pub fn run(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}

/// A file of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Creates a folder in the build directory that is empty at first.
pub fn folder(name: &str) -> PathBuf {
    empty_folder("commands", name)
}

/// All commands, those with subcommands included, as the help lists them.
pub fn all_commands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut at = 0;
    while let Some(path) = found.get(at).cloned() {
        let help = help::of(&path);
        let inner = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in inner.take_while(|line| !line.is_empty()) {
            let name = line.split_whitespace().next().unwrap_or_default();
            // Longer descriptions go on in further lines, which are indented more.
            let is_name = line.starts_with("  ") && !line.starts_with("   ") && name != "help";
            if is_name {
                found.push([path.clone(), vec![name.to_owned()]].concat());
            }
        }
        at += 1;
    }
    found
}
