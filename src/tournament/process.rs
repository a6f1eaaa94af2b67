//! An engine's process behind pipes. Whatever it does, its owner never blocks on it and leaves no
//! process behind.
//!
//! One thread reads and stamps each line with the time it came; one thread writes. The line queue
//! is bounded, so an engine that talks without end waits on its own pipe.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded, select_biased};

use super::settings::EngineSettings;
use super::stop::StopSignal;

/// Bytes kept of a line; the rest is thrown away. The longest honest lines are variations of a
/// hundred moves.
const MAX_LINE: usize = 8192;

/// Lines that wait to be read; a second's worth of a talkative engine.
const WAITING_LINES: usize = 1024;

/// Commands that wait to be written. An honest engine reads each at once.
const WAITING_COMMANDS: usize = 64;

/// How long an engine may take to end by itself after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// A line of output and when it was read.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) at: Instant,
    pub(super) text: String,
    /// Bytes as the engine wrote them, also those that `text` leaves out.
    pub(super) length: usize,
}

/// What came of waiting for a line.
#[derive(Debug)]
pub(super) enum Received {
    /// The next line.
    Line(Line),
    /// None came in time.
    TimedOut,
    /// The engine closed its output; nothing will come any more.
    Closed,
    /// The match is to end.
    Stopped,
}

/// A running engine. Dropping it ends the process.
pub(super) struct EngineProcess {
    child: Child,
    lines: Receiver<Line>,
    commands: Option<Sender<String>>,
    stop: StopSignal,
}

impl EngineProcess {
    pub(super) fn spawn(settings: &EngineSettings, stop: StopSignal) -> io::Result<EngineProcess> {
        let mut command = Command::new(settings.program());
        command.args(&settings.arguments);
        if let Some(directory) = &settings.directory {
            command.current_dir(directory);
        }
        // Nothing of ours reads what an engine complains about, and an undrained pipe would block it.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Of its own group, Ctrl-C in the terminal does not reach the engine before we have
        // finished writing, and children of a wrapper script can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (line_sender, lines) = bounded(WAITING_LINES);
        let (commands, command_receiver) = bounded::<String>(WAITING_COMMANDS);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_lines(output, &line_sender));
        }
        if let Some(mut input) = child.stdin.take() {
            thread::spawn(move || {
                for command in command_receiver {
                    if input.write_all(command.as_bytes()).and_then(|()| input.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(EngineProcess { child, lines, commands: Some(commands), stop })
    }

    /// Hands a command over for writing; false if the engine has not read those before it. An
    /// engine that is gone is noticed by its closed output.
    pub(super) fn send(&self, command: &str) -> bool {
        let Some(commands) = &self.commands else { return true };
        let sent = commands.try_send(format!("{command}\n"));
        !matches!(sent, Err(TrySendError::Full(_)))
    }

    /// Waits for the next line, for ever if there is no deadline.
    pub(super) fn receive(&self, deadline: Option<Instant>) -> Received {
        let timer = match deadline {
            Some(deadline) => crossbeam_channel::at(deadline),
            None => crossbeam_channel::never(),
        };
        select_biased! {
            recv(self.stop.channel()) -> _ => Received::Stopped,
            recv(self.lines) -> line => line.map_or(Received::Closed, Received::Line),
            recv(timer) -> _ => Received::TimedOut,
        }
    }

    /// Throws away what was said since the last command.
    pub(super) fn forget_lines(&self) {
        // Bounded, or a flood would keep us here.
        for _ in 0..WAITING_LINES {
            if self.lines.try_recv().is_err() {
                break;
            }
        }
    }

    /// How the process ended, for the record of a crash.
    pub(super) fn describe_end(&mut self) -> String {
        match wait_for(&mut self.child, QUIT_GRACE) {
            Some(status) => describe(status),
            None => "closed its output".to_owned(),
        }
    }

    fn end(&mut self) {
        if let Some(commands) = self.commands.take() {
            let _ = commands.try_send("quit\n".to_owned());
            // The writer ends behind `quit` and closes the pipe: the end of input for the engine.
        }
        // A reader that waits for room in the queue must not keep the engine waiting on its pipe.
        let (_, none) = bounded(0);
        self.lines = none;
        if wait_for(&mut self.child, QUIT_GRACE).is_none() {
            kill_group(&self.child);
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end();
    }
}

fn wait_for(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + patience;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
            _ => return None,
        }
    }
}

/// Kills the process with those that it started itself, as wrapper scripts do.
fn kill_group(child: &Child) {
    #[cfg(unix)]
    {
        let group = format!("-{}", child.id());
        let mut kill = Command::new("kill");
        kill.args(["-KILL", "--", &group]).stdin(Stdio::null());
        let _ = kill.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
    #[cfg(not(unix))]
    let _ = child;
}

fn describe(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("killed by signal {signal}");
    }
    match status.code() {
        Some(0) => "disconnected".to_owned(),
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}

fn read_lines(output: impl Read, sender: &Sender<Line>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    let (mut bytes, mut length) = (Vec::new(), 0);
    loop {
        let chunk = match output.fill_buf() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let at = Instant::now();
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        bytes.extend_from_slice(&part[..part.len().min(MAX_LINE - bytes.len())]);
        length += part.len();
        let used = part.len() + usize::from(end.is_some());
        output.consume(used);
        // A line without end is handed over in pieces, so that its length is not forgotten.
        if end.is_some() || length >= 1 << 20 {
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if sender.send(Line { at, text, length: length + 1 }).is_err() {
                return;
            }
            bytes.clear();
            length = 0;
        }
    }
    if !bytes.is_empty() {
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let _ = sender.send(Line { at: Instant::now(), text, length });
    }
}
