//! Folders, commands and signals for the tests of whole matches.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::the_program;

/// A folder of its own for each test, removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cannonade-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a writable folder");
        Folder(path)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The flags of a fake engine.
pub fn fake(name: &str, kind: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("this program");
    vec![
        "--engine".to_owned(),
        format!("cmd={}", program.display()),
        format!("name={name}"),
        format!("args=--ignored --exact --nocapture tournament::fake_engine::{kind}"),
    ]
}

/// A match of two fake engines, one of each kind.
pub fn match_of(kinds: [&str; 2], arguments: &[&str], pgn: &Path) -> Command {
    let mut command = the_program();
    command.arg("match").args(fake("new", kinds[0])).args(fake("old", kinds[1]));
    command.args(["--maxmoves", "5", "--pgn"]).arg(pgn).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until the file has at least this many games.
pub fn wait_for_games(pgn: &Path, games: usize) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while games_in(pgn) < games {
        assert!(Instant::now() < deadline, "{} of {games} games", games_in(pgn));
        thread::sleep(Duration::from_millis(20));
    }
}

pub fn signal(name: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().expect("kill runs").success());
}

pub fn command(arguments: &[&str], pgn: &Path) -> Command {
    let mut command = the_program();
    command.arg("match").args(fake("new", "good")).args(fake("old", "good"));
    command.args(["--each", "st=5", "--maxmoves", "5", "--pgn"]).arg(pgn).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn run(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub fn games_in(pgn: &Path) -> usize {
    fs::read_to_string(pgn).unwrap_or_default().matches("[Game \"Chinese Chess\"]").count()
}
