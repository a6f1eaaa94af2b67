//! `cannonade play` through pipes: typed lines, and the output of the terminal.

mod interruptions;
mod sessions;

use std::env;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{self, Command, Output, Stdio};

/// The program with `play` and these arguments, its input and output piped.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
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
