//! Runs the program with an input.

#[cfg(unix)]
use std::fs;
use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::thread;
#[cfg(unix)]
use std::time::{Duration, Instant};

use cannonade_tables::{FOLDER_VARIABLE, NO_FOLDER};

/// Returns the program, which finds no endgame tables of the user who runs the tests.
pub fn the_program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.env(FOLDER_VARIABLE, NO_FOLDER);
    command
}

/// Starts the program and writes all of its input, whose end it sees.
pub fn start(arguments: &[&str], input: &str) -> Child {
    let mut child = the_program()
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

/// Waits until an interrupt does not end the program at once: a busy machine starts it late. Where
/// that cannot be seen it waits for a second.
#[cfg(unix)]
pub fn wait_until_interruptible(child: &Child) {
    let path = format!("/proc/{}/status", child.id());
    let catches_interrupts = || {
        let Ok(status) = fs::read_to_string(&path) else { return false };
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // Bit 1 is that of signal 2, SIGINT.
        mask.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|m| m & 2 != 0))
    };
    let limit = Duration::from_secs(if cfg!(target_os = "linux") { 60 } else { 1 });
    let deadline = Instant::now() + limit;
    while !catches_interrupts() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the processor time of the running threads of a process, to 20 ms for each, without that
/// of the thread which provides memory in the background.
#[cfg(target_os = "linux")]
pub fn work(process: u32) -> Duration {
    /// Ticks of `/proc` in a second.
    const TICKS: f64 = 100.0;
    let folder = format!("/proc/{process}/task");
    let mut ticks = 0;
    for thread in fs::read_dir(folder).expect("a running process").flatten() {
        // A thread may have ended.
        let Ok(stat) = fs::read_to_string(thread.path().join("stat")) else { continue };
        let (head, rest) = stat.rsplit_once(") ").expect("a name");
        if !head.ends_with("(memory") {
            let times = rest.split(' ').skip(11).take(2);
            ticks += times.map(|time| time.parse::<u64>().expect("ticks")).sum::<u64>();
        }
    }
    Duration::from_secs_f64(ticks as f64 / TICKS)
}

/// Waits until a process has worked for some time more, where that can be seen; elsewhere for a
/// second.
#[cfg(unix)]
pub fn wait_for_work(child: &Child) {
    #[cfg(target_os = "linux")]
    {
        let (enough, deadline) = (
            work(child.id()) + Duration::from_millis(300),
            Instant::now() + Duration::from_secs(60),
        );
        while work(child.id()) < enough && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(20));
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = child;
        thread::sleep(Duration::from_secs(1));
    }
}

/// Runs the program to its end.
pub fn run(arguments: &[&str], input: &str) -> Output {
    start(arguments, input).wait_with_output().expect("the program ends")
}
