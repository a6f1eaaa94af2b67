//! Runs the program with an input.

use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};

/// Starts the program and writes all of its input, whose end it sees.
pub fn start(arguments: &[&str], input: &str) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cannonade"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    child
}

/// Runs the program to its end.
pub fn run(arguments: &[&str], input: &str) -> Output {
    start(arguments, input).wait_with_output().expect("the program ends")
}
