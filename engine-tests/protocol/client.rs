//! A client that drives the real binary over pipes, with deadlines.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::program::the_program;

/// Any answer has to come within this, however busy the machine is.
pub const DEADLINE: Duration = Duration::from_secs(120);

/// The engine as a client sees it.
pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    errors: Receiver<String>,
    /// All lines so far, for messages.
    received: Vec<String>,
}

impl Client {
    pub fn start() -> Client {
        let mut process = the_program()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = lines_of(process.stdout.take().expect("a pipe"));
        let errors = lines_of(process.stderr.take().expect("a pipe"));
        let input = process.stdin.take();
        Client { process, input, output, errors, received: Vec::new() }
    }

    /// Starts the engine and shakes hands.
    pub fn speaking(protocol: &str) -> Client {
        let mut client = Client::start();
        client.send(protocol);
        client.expect(&format!("{protocol}ok"));
        client
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(input) = &mut self.input {
            // The engine may have quit already.
            let _ = input.write_all(bytes).and_then(|()| input.flush());
        }
    }

    /// Closes the engine's stdin.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// The next line, if one comes in time.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.output.recv_timeout(time) {
            Ok(line) => {
                // uci2wb reads into 1024 bytes.
                assert!(line.len() < 1000, "a line of {} bytes: {line}", line.len());
                self.received.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Reads until a line that matches; lines before it may not match a forbidden pattern.
    pub fn expect_without(&mut self, pattern: &str, forbidden: &[String]) -> String {
        let end = Instant::now() + DEADLINE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Some(line) = self.line_within(left) else {
                panic!("'{pattern}' did not come; received:\n{}", self.received.join("\n"));
            };
            self.check(&line, forbidden);
            if matches(pattern, &line) {
                return line;
            }
        }
    }

    pub fn expect(&mut self, pattern: &str) -> String {
        self.expect_without(pattern, &[])
    }

    pub fn check(&self, line: &str, forbidden: &[String]) {
        for pattern in forbidden {
            let received = self.received.join("\n");
            assert!(!matches(pattern, line), "'{line}' is forbidden by '{pattern}':\n{received}");
        }
    }

    /// Checks that no line comes for this time.
    pub fn expect_silence(&mut self, time: Duration) {
        if let Some(line) = self.line_within(time) {
            panic!("'{line}' breaks the silence; received:\n{}", self.received.join("\n"));
        }
    }

    /// Waits until the process ends by itself; returns its remaining output.
    pub fn drain_to_end(&mut self) -> Vec<String> {
        let status = self.wait();
        assert!(status.success(), "{status}; received:\n{}", self.received.join("\n"));
        let mut rest = Vec::new();
        while let Some(line) = self.line_within(DEADLINE) {
            rest.push(line);
        }
        let complaints: Vec<String> = self.errors.iter().collect();
        assert!(complaints.is_empty(), "stderr: {complaints:#?}");
        rest
    }

    /// Drops the lines so far, which are kept for messages.
    pub fn forget_received(&mut self) {
        self.received.clear();
    }

    /// The resident memory of the engine in kB, and its threads.
    #[cfg(target_os = "linux")]
    pub fn memory_and_threads(&self) -> (u64, u64) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.expect("a running process");
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            number.and_then(|text| text.parse().ok()).expect("a number")
        };
        (number("VmRSS:"), number("Threads:"))
    }

    /// Returns the processor time of the engine.
    #[cfg(target_os = "linux")]
    pub fn work(&self) -> Duration {
        crate::common::program::work(self.process.id())
    }

    fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.process.try_wait().expect("a process") {
                return status;
            }
            assert!(Instant::now() < end, "the engine does not end: {}", self.received.join("\n"));
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn lines_of(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Returns whether a line matches a pattern in which `*` stands for any text.
pub fn matches(pattern: &str, line: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return pattern == line };
    let Some(rest) = line.strip_prefix(head) else { return false };
    tail.is_empty()
        || (0..=rest.len()).filter_map(|start| rest.get(start..)).any(|rest| matches(tail, rest))
}

#[test]
fn patterns_match_as_they_say() {
    assert!(matches("info * score cp * pv *", "info depth 1 score cp 3 nodes 4 pv h2e2"));
    assert!(matches("bestmove *", "bestmove h2e2") && !matches("bestmove", "bestmove h2e2"));
    assert!(!matches("info * wdl *", "info depth 1") && matches("*", ""));
}
