//! A person at a terminal: what is typed can be edited, and earlier lines come back.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use crate::common::program::{the_program, wait_for_work};

const PATIENCE: Duration = Duration::from_secs(60);

/// The program on a terminal of its own.
struct TypedGame {
    process: Child,
    terminal: File,
    screen: Receiver<Vec<u8>>,
    /// Shown, and not expected yet.
    shown: String,
}

impl TypedGame {
    fn start(arguments: &[&str]) -> TypedGame {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("a terminal");
        unlockpt(&master).expect("a terminal");
        let name = ptsname(&master, Vec::new()).expect("its name");
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        let side =
            || File::from(open(name.as_c_str(), flags, Mode::empty()).expect("its other side"));
        let process = the_program()
            .arg("play")
            .args(arguments)
            .env("TERM", "xterm")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .expect("the program starts");
        let terminal = File::from(master);
        let mut output = terminal.try_clone().expect("a terminal");
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let _ = sender.send(bytes[..count].to_vec());
            }
        });
        TypedGame { process, terminal, screen, shown: String::new() }
    }

    /// Waits until the screen shows this text after that of the last call.
    fn expect(&mut self, text: &str) {
        while !self.shown.contains(text) {
            let more = self.screen.recv_timeout(PATIENCE);
            let more = more.unwrap_or_else(|_| panic!("no '{text}' on: {}", self.shown));
            self.shown += &String::from_utf8_lossy(&more);
        }
        let (_, rest) = self.shown.split_once(text).expect("it is there");
        self.shown = rest.to_owned();
    }

    /// Presses keys after the next prompt, when the line can be edited.
    fn press(&mut self, keys: &str) {
        self.expect("> ");
        self.terminal.write_all(keys.as_bytes()).expect("a terminal");
    }
}

const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";

#[test]
fn lines_are_edited_completed_and_come_back() {
    let mut game = TypedGame::start(&["--side", "both", "--compact", "--color", "never"]);
    let after = "/1C2C4/9/RNBAKABNR b - - 1 1";
    game.press(&format!("h2e{LEFT}{LEFT}{LEFT}\x052\r"));
    game.expect("Black to move");
    game.press(&format!("fn{LEFT}e\r"));
    game.expect(after);
    game.press(&format!("{UP}\r"));
    game.expect(after);
    game.press("und\t\r");
    game.expect("Red to move");
    game.press("\x03");
    game.expect("Interrupted");
    game.press("\x03");
    assert!(game.process.wait().expect("it ends").success());
    let mode = tcgetattr(&game.terminal).expect("the mode of the terminal");
    assert!(mode.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO), "restored");
}

#[test]
fn lines_that_come_at_once_are_all_read() {
    let mut game = TypedGame::start(&["--side", "both", "--compact", "--color", "never"]);
    game.press("h2e2\rh9g7\rh0g2\ri9h9\r");
    game.expect("Move 3, Red to move");
    // A terminal encloses what is pasted; Enter follows.
    game.press("\x1b[200~i0h0\rc6c5\x1b[201~\r");
    game.expect("Move 4, Red to move");
    game.press("quit\r");
    assert!(game.process.wait().expect("it ends").success());
}

#[test]
fn lines_typed_while_the_engine_thinks_are_read_afterwards() {
    let mut game = TypedGame::start(&["--level", "full", "--movetime", "600", "--compact"]);
    game.press("h2e2\r");
    wait_for_work(&game.process);
    game.terminal.write_all(b"fen\nlevel 0\n").expect("a terminal");
    let id = game.process.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(status.success());
    game.expect(" w - - 2 2");
    game.expect("level 0");
    game.press("quit\r");
    assert!(game.process.wait().expect("it ends").success());
}

#[test]
fn the_terminal_is_restored_when_the_program_is_interrupted_from_outside() {
    let mut game = TypedGame::start(&["--side", "both", "--compact"]);
    game.expect("> ");
    let id = game.process.id().to_string();
    let interrupt = || {
        let status = Command::new("kill").args(["-INT", &id]).status().expect("kill");
        assert!(status.success());
    };
    interrupt();
    game.expect("Interrupted");
    interrupt();
    assert!(game.process.wait().expect("it ends").success());
    let mode = tcgetattr(&game.terminal).expect("the mode of the terminal");
    assert!(mode.local_modes.contains(LocalModes::ICANON | LocalModes::ECHO), "restored");
}

#[test]
fn the_end_of_the_time_is_not_written_into_the_typed_line() {
    let arguments = ["--side", "both", "--compact", "--color", "never", "--time", "0.05"];
    let mut game = TypedGame::start(&arguments);
    game.press("h2e");
    game.expect("\nBlack wins: Red has no time left.");
    game.terminal.write_all(b"\x03").expect("a terminal");
    game.press("\x03");
    assert!(game.process.wait().expect("it ends").success());
}

#[test]
fn ctrl_c_ends_the_thinking_of_the_engine() {
    let mut game = TypedGame::start(&["--level", "full", "--movetime", "600", "--compact"]);
    game.press("h2e2\r");
    // The line is over: the engine thinks, and the terminal is in its usual mode.
    wait_for_work(&game.process);
    let id = game.process.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status().expect("kill");
    assert!(status.success());
    game.expect("Cannonade plays");
    game.press("quit\r");
    assert!(game.process.wait().expect("it ends").success());
}
