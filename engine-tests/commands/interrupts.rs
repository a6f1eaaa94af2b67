//! Signals to commands that wait.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::the_program;
use crate::common::program::wait_until_interruptible;

/// The reader of the pipe never comes.
#[test]
fn a_second_interrupt_ends_a_command_that_waits_for_a_reader() {
    let pipe = std::env::temp_dir().join(format!("cannonade-pipe-{}", std::process::id()));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let game =
        concat!(env!("CARGO_MANIFEST_DIR"), "/crates/xiangqi/tests/data/records/var1.v12.xqf");
    let mut command = the_program();
    command.args(["analyze", "--nodes", "50", "--json", game, "-o"]).arg(&pipe);
    let mut child = command.stderr(Stdio::null()).spawn().expect("the binary runs");
    wait_until_interruptible(&child);
    let (id, deadline) = (child.id().to_string(), Instant::now() + Duration::from_secs(60));
    let status = loop {
        thread::sleep(Duration::from_secs(1));
        if let Some(status) = child.try_wait().expect("our process") {
            break status;
        }
        assert!(Instant::now() < deadline, "it does not end");
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    };
    assert_eq!(status.code(), Some(130));
    std::fs::remove_file(&pipe).expect("our pipe");
    let _ = std::fs::remove_file(pipe.with_extension("partial"));
}
