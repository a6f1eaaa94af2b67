//! Ctrl-C, requests to end, and a reader that has gone.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use super::command;

#[cfg(unix)]
mod signals {
    use std::fs;
    use std::io::{BufRead, BufReader, Write as _};
    use std::process::{Child, ChildStdin, Command};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    use super::super::{command, temporary};
    use crate::common::program::wait_for_work;

    /// Any reply has to come within this, however busy the machine is.
    const DEADLINE: Duration = Duration::from_secs(30);

    /// A session that goes on while the test looks at it.
    struct Terminal {
        process: Child,
        input: ChildStdin,
        lines: Receiver<String>,
    }

    impl Terminal {
        fn start(arguments: &[&str]) -> Terminal {
            let mut process = command(arguments).spawn().expect("the program starts");
            let input = process.stdin.take().expect("a pipe");
            let output = BufReader::new(process.stdout.take().expect("a pipe"));
            let (sender, lines) = channel();
            thread::spawn(move || {
                for line in output.lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
            Terminal { process, input, lines }
        }

        /// Waits for a line that holds this part.
        fn expect(&self, part: &str) {
            let mut before = Vec::new();
            loop {
                let Ok(line) = self.lines.recv_timeout(DEADLINE) else {
                    panic!("'{part}' did not come after {before:#?}");
                };
                if line.contains(part) {
                    return;
                }
                before.push(line);
            }
        }

        fn type_line(&mut self, line: &str) {
            writeln!(self.input, "{line}").expect("a running program");
        }

        fn signal(&self, name: &str) {
            let id = self.process.id().to_string();
            let status = Command::new("kill").args([name, &id]).status().expect("kill");
            assert!(status.success());
        }

        fn expect_end(mut self) {
            assert!(self.process.wait().expect("it ends").success());
        }
    }

    #[test]
    fn ctrl_c_and_a_request_to_end_leave_and_say_how_to_continue() {
        for signal in ["-INT", "-TERM"] {
            let mut terminal = Terminal::start(&["--side", "both", "--compact"]);
            terminal.type_line("h2e2");
            terminal.expect("Move 1, Black to move");
            terminal.signal(signal);
            terminal.expect("cannonade play --side both --compact --moves h2e2");
            terminal.expect_end();
        }
    }

    #[test]
    fn ctrl_c_saves_the_game_to_the_chosen_file() {
        let file = temporary("interrupted.pgn");
        let name = file.display().to_string();
        let mut terminal = Terminal::start(&["--side", "both", "--compact", "--save", &name]);
        terminal.type_line("h2e2");
        terminal.expect("Move 1, Black to move");
        terminal.signal("-INT");
        terminal.expect("Saved to");
        terminal.expect_end();
        assert!(fs::read_to_string(&file).expect("the file").contains("1. H2-E2 *"));
        fs::remove_file(file).expect("the file of the test");
    }

    #[test]
    fn ctrl_c_stops_the_thinking_of_the_engine_and_the_game_goes_on() {
        let mut terminal = Terminal::start(&["--level", "full", "--movetime", "600", "--compact"]);
        terminal.expect("Red to move");
        terminal.type_line("h2e2");
        wait_for_work(&terminal.process);
        terminal.signal("-INT");
        terminal.expect("Cannonade plays");
        terminal.type_line("b0c2");
        wait_for_work(&terminal.process);
        // A request to end stops the thinking too, and then ends the program.
        terminal.signal("-TERM");
        terminal.expect("cannonade play --level full --movetime 600 --compact --moves h2e2");
        terminal.expect_end();
    }
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
