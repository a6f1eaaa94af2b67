//! Ctrl-C, clocks that run out, and a reader that has gone.

use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::command;

/// Any answer has to come within this, however busy the machine is.
const DEADLINE: Duration = Duration::from_secs(30);

/// A session that goes on while the test looks at it.
struct Terminal {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Terminal {
    fn start(arguments: &[&str]) -> Terminal {
        let mut process = command(arguments).spawn().expect("the program starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Terminal { process, input, lines }
    }

    /// The next line that holds this part.
    fn expect(&self, part: &str) -> String {
        let mut before = Vec::new();
        loop {
            let Ok(line) = self.lines.recv_timeout(DEADLINE) else {
                panic!("'{part}' did not come after {before:#?}");
            };
            if line.contains(part) {
                return line;
            }
            before.push(line);
        }
    }

    fn type_line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an open input");
        writeln!(input, "{line}").expect("a running program");
    }
}

#[test]
fn the_clock_of_the_person_runs_out() {
    let mut terminal = Terminal::start(&["--time", "0.02", "--level", "0", "--compact"]);
    terminal.expect("[Red 0:0");
    terminal.expect("Black wins: Red has no time left.");
    terminal.type_line("h2e2");
    terminal.expect("The game is over");
    terminal.type_line("undo");
    terminal.expect("Move 1, Red to move   [Red 0:01");
    terminal.type_line("quit");
    assert!(terminal.process.wait().expect("it ends").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_explains_how_to_save_and_leaves_when_pressed_twice() {
    use std::process::Command;

    let mut terminal = Terminal::start(&["--side", "both", "--compact"]);
    terminal.type_line("h2e2");
    terminal.expect("Move 1, Black to move");
    let interrupt = |terminal: &Terminal| {
        let id = terminal.process.id().to_string();
        let status = Command::new("kill").args(["-INT", &id]).status().expect("kill");
        assert!(status.success());
    };
    interrupt(&terminal);
    terminal.expect("Type 'save FILE'");
    // A line between two interrupts: the second is the first of a pair again.
    terminal.type_line("fen");
    terminal.expect(" b - - 1 1");
    interrupt(&terminal);
    terminal.expect("Type 'save FILE'");
    interrupt(&terminal);
    terminal.expect("cannonade play --side both --compact --moves h2e2");
    assert!(terminal.process.wait().expect("it ends").success());
}

#[cfg(unix)]
#[test]
fn a_request_to_end_ends_the_session_and_says_how_to_continue() {
    use std::process::Command;

    let mut terminal = Terminal::start(&["--side", "both", "--compact"]);
    terminal.type_line("h2e2");
    terminal.expect("Move 1, Black to move");
    let id = terminal.process.id().to_string();
    let status = Command::new("kill").args(["-TERM", &id]).status().expect("kill");
    assert!(status.success());
    terminal.expect("cannonade play --side both --compact --moves h2e2");
    assert!(terminal.process.wait().expect("it ends").success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_does_not_ask_to_save_what_is_saved() {
    use std::process::Command;

    let file = super::temporary("interrupted.pgn");
    let mut terminal = Terminal::start(&["--side", "both", "--compact"]);
    terminal.type_line("h2e2");
    terminal.type_line(&format!("save {}", file.display()));
    terminal.expect("Saved to");
    let id = terminal.process.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().expect("kill");
    terminal.expect("Interrupted. Type 'quit'");
    terminal.type_line("quit");
    assert!(terminal.process.wait().expect("it ends").success());
    std::fs::remove_file(file).expect("the file of the test");
}

#[cfg(unix)]
#[test]
fn ctrl_c_pressed_twice_leaves_also_while_the_engine_thinks() {
    use std::process::Command;

    use crate::common::program::wait_for_work;

    let mut terminal = Terminal::start(&["--level", "full", "--movetime", "600", "--compact"]);
    terminal.expect("Red to move");
    terminal.type_line("h2e2");
    wait_for_work(&terminal.process);
    let id = terminal.process.id().to_string();
    let interrupt =
        || assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    interrupt();
    terminal.expect("Cannonade plays");
    interrupt();
    terminal.expect("cannonade play --level full --movetime 600 --compact --moves h2e2");
    assert!(terminal.process.wait().expect("it ends").success());
}

#[test]
fn the_clock_runs_where_it_is_the_turn_of_the_person() {
    let arguments = ["--side", "both", "--compact", "--time", "0.03"];
    let mut terminal = Terminal::start(&arguments);
    terminal.type_line("h2e2");
    terminal.type_line("undo");
    terminal.expect("Black wins: Red has no time left.");
    terminal.type_line("quit");
    assert!(terminal.process.wait().expect("it ends").success());
}

#[test]
fn taking_a_move_back_takes_its_time_back_too() {
    let arguments = ["--side", "both", "--compact", "--time", "1+0"];
    let mut terminal = Terminal::start(&arguments);
    terminal.expect("[Red 1:00");
    thread::sleep(Duration::from_millis(1500));
    terminal.type_line("h2e2");
    let after = terminal.expect("[Red ");
    assert!(!after.contains("[Red 1:00"), "{after}");
    terminal.type_line("undo");
    terminal.expect("[Red 1:00");
    terminal.type_line("redo");
    assert_eq!(terminal.expect("[Red "), after);
    terminal.type_line("quit");
    assert!(terminal.process.wait().expect("it ends").success());
}

#[test]
fn a_reader_that_has_gone_ends_the_session() {
    let mut process = command(&["--side", "both"]).spawn().expect("the program starts");
    drop(process.stdout.take());
    let mut input = process.stdin.take().expect("a pipe");
    // The pipe breaks when the program has left.
    while input.write_all(b"board\n").is_ok() {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(process.wait().expect("it ends").success());
}
