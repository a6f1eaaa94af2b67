//! `cannonade play` through pipes: typed lines, and the output of the terminal.

mod interruptions;
mod sessions;

use std::env;
use std::io::{BufRead, Write as _};
use std::path::PathBuf;
use std::process::{self, Command, Output, Stdio};

use crate::common::program::the_program;
use crate::common::snapshots;

/// The program with `play` and these arguments, its input and output piped.
fn command(arguments: &[&str]) -> Command {
    let mut command = the_program();
    command.arg("play").args(arguments).env_remove("NO_COLOR").env("TERM", "xterm");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A file that no other test uses.
fn temporary(name: &str) -> PathBuf {
    env::temp_dir().join(format!("cannonade-play-{}-{name}", process::id()))
}

/// Types these lines and closes the input.
fn typed(arguments: &[&str], input: &[u8]) -> Output {
    let mut process = command(arguments).spawn().expect("the program starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    // The program may leave before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    process.wait_with_output().expect("the program ends")
}

/// Returns the output for these typed lines; the program must exit successfully and report no
/// error.
fn session(arguments: &[&str], lines: &[&str]) -> String {
    let output = typed(arguments, (lines.join("\n") + "\n").as_bytes());
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    assert!(errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Compares the output for these typed lines with the snapshot of this name, without boards and the
/// moves of the engine.
fn session_is(name: &str, arguments: &[&str], lines: &[&str]) {
    let output = session(arguments, lines);
    let script = format!("{}: {}", arguments.join(" "), lines.join(", "));
    let mut settings = snapshots::settings();
    settings.set_description(snapshots::without_folders(&script));
    settings.add_filter(r"(?m)(^ \d [ \[].*\n){10} {4}a   b.*", "[board]");
    settings.add_filter(r"(?m)(^ \d [ \[].*\n){10} {4}i   h.*", "[board, turned]");
    if output.contains(" plays ") || output.contains("）走") {
        settings.add_filter(r"走\S+ \(", "走[move] (");
        settings.add_filter("(?m)^最强引擎走：.*$", "最强引擎走：[moves]");
        settings.add_filter(r"([a-i]\d[a-i]\d ?)+", "[moves]");
    }
    settings.bind(|| insta::assert_snapshot!(name, snapshots::without_folders(&output)));
}

/// Reads lines until one holds this part.
fn read_until(output: &mut impl BufRead, part: &str) {
    let found = output.lines().map_while(Result::ok).any(|line| line.contains(part));
    assert!(found, "'{part}' did not come");
}
