//! An engine's process with pipes. Its owner never blocks on it, and no process outlives its owner.
//!
//! One thread reads the output and notes the time of each line; one thread writes the commands. The
//! queue of lines is bounded, so an engine that writes without end waits on its own pipe. While the
//! engine ponders its lines are not read, and the oldest ones are dropped.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cannonade_tables::{FOLDER_VARIABLE, NO_FOLDER};
use crossbeam_channel::{Receiver, SendTimeoutError, Sender, TrySendError, bounded, select_biased};

use super::answers::BestMoveReply;
use super::dialogue_log::{LineOrigin, ProcessLog};
use super::process_group;
use super::settings::EngineSettings;
use super::stop_signal::StopSignal;

/// Bytes kept of a line; the rest is dropped. The longest lines of a correct engine are variations
/// of a hundred moves.
const MAX_LINE: usize = 8192;

/// Bytes of an engine's standard error that a log keeps for each process.
const MAX_ERRORS: usize = 1 << 20;

/// Lines in the queue; an engine that reports often writes about this many in a second.
const WAITING_LINES: usize = 1024;

/// Commands in the queue, enough for a tuner that sets hundreds of options. A correct engine reads
/// each at once.
const WAITING_COMMANDS: usize = 1024;

/// The maximum wait without a look at the clock.
const WAIT_SLICE: Duration = Duration::from_millis(100);

/// A wait that takes this much longer than planned shows that this process did not run: it was
/// stopped (Ctrl-Z, `SIGSTOP`), or the machine was not able to run it.
const SUSPENSION: Duration = Duration::from_millis(400);

/// The time in which an engine may end by itself after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct OutputLine {
    /// The time at which its end was read.
    pub(super) at: Instant,
    /// The text without white space around it, at most [`MAX_LINE`] bytes.
    pub(super) text: String,
    /// The number of bytes the engine wrote, with those that `text` leaves out.
    pub(super) length: usize,
}

/// The result of waiting for a line.
#[derive(Debug)]
pub(super) enum ReceivedLine {
    /// The next line.
    Line(OutputLine),
    /// No line came before the deadline.
    TimedOut,
    /// The engine closed its output; no more lines will come.
    Closed,
    /// The match is stopped.
    Stopped,
}

/// The reader thread's treatment of a full queue.
#[derive(Default)]
struct LineReading {
    /// Drops the oldest line.
    drops_oldest: AtomicBool,
    /// Ends the reading.
    is_over: AtomicBool,
}

/// A running engine. Dropping it ends the process.
pub(super) struct EngineProcess {
    child: Child,
    /// The exit status, once it is known.
    status: Option<ExitStatus>,
    lines: Receiver<OutputLine>,
    reading: Arc<LineReading>,
    commands: Option<Sender<String>>,
    log: Option<ProcessLog>,
    stop: StopSignal,
    /// The line that came after the deadline of the last wait.
    late_line: Option<OutputLine>,
    suspensions: Suspensions,
}

/// The times in which this process did not run while it waited for an engine.
#[derive(Default)]
struct Suspensions {
    total: Duration,
    /// The latest one, from the planned to the true end of a wait.
    latest: Option<(Instant, Instant)>,
}

impl Suspensions {
    fn add(&mut self, from: Instant, to: Instant) {
        self.total += to - from;
        self.latest = Some((from, to));
    }

    /// Returns the total time of suspensions before `at`, the time of the line that the last wait
    /// has returned.
    fn before(&self, at: Instant) -> Duration {
        let after = self.latest.map(|(from, to)| to.saturating_duration_since(from.max(at)));
        self.total.saturating_sub(after.unwrap_or_default())
    }
}

impl EngineProcess {
    /// Starts the program of the settings.
    pub(super) fn spawn(settings: &EngineSettings, stop: StopSignal) -> io::Result<EngineProcess> {
        let log = settings.log.as_ref().map(|log| log.process(&settings.name));
        let (line_sender, lines) = bounded(WAITING_LINES);
        let (commands, command_receiver) = bounded::<String>(WAITING_COMMANDS);
        let mut process = EngineProcess {
            child: command_of(settings).spawn()?,
            status: None,
            lines: lines.clone(),
            reading: Arc::default(),
            commands: Some(commands),
            log: log.clone(),
            stop,
            late_line: None,
            suspensions: Suspensions::default(),
        };
        // Without one of its threads the process is dropped, which ends the program.
        let child = &mut process.child;
        if let Some(output) = child.stdout.take() {
            let queue = Queue { sender: line_sender, lines, reading: Arc::clone(&process.reading) };
            let log = log.clone();
            thread::Builder::new().spawn(move || read_lines(output, &queue, log.as_ref()))?;
        }
        if let (Some(errors), Some(log)) = (child.stderr.take(), log) {
            thread::Builder::new().spawn(move || log_errors(errors, &log))?;
        }
        if let Some(input) = child.stdin.take() {
            thread::Builder::new().spawn(move || write_commands(input, command_receiver))?;
        }
        Ok(process)
    }

    /// Queues a command for writing; false if the queue is full because the engine does not read. A
    /// process that has ended is noticed by its closed output, not here.
    pub(super) fn send(&self, command: &str) -> bool {
        let Some(commands) = &self.commands else { return true };
        if let Some(log) = &self.log {
            log.line(LineOrigin::Match, command);
        }
        let sent = commands.try_send(format!("{command}\n"));
        !matches!(sent, Err(TrySendError::Full(_)))
    }

    /// Notes in the log that the match ignores a line of the engine.
    pub(super) fn note_ignored(&self, line: &str) {
        if let Some(log) = &self.log {
            log.line(LineOrigin::Ignored, &format!("ignored: {line}"));
        }
    }

    /// Waits for the next line until the deadline. A line that came after it is left for a later
    /// wait. Time in which this process was suspended moves the deadline: lines that were written
    /// meanwhile could not be read.
    pub(super) fn receive(&mut self, mut deadline: Instant) -> ReceivedLine {
        if let Some(line) = self.late_line.take_if(|line| line.at <= deadline) {
            return ReceivedLine::Line(line);
        }
        // The lines after it came later still.
        if self.late_line.is_some() {
            return ReceivedLine::TimedOut;
        }
        loop {
            let now = Instant::now();
            let planned = deadline.clamp(now, now + WAIT_SLICE);
            let received = select_biased! {
                recv(self.stop.channel()) -> _ => ReceivedLine::Stopped,
                recv(self.lines) -> line => line.map_or(ReceivedLine::Closed, ReceivedLine::Line),
                recv(crossbeam_channel::at(planned)) -> _ => ReceivedLine::TimedOut,
            };
            let end = Instant::now();
            let overrun = end.saturating_duration_since(planned);
            if overrun >= SUSPENSION {
                self.suspensions.add(planned, end);
                deadline += overrun;
            }
            match received {
                ReceivedLine::Line(line) if line.at > deadline => {
                    self.late_line = Some(line);
                    return ReceivedLine::TimedOut;
                }
                ReceivedLine::TimedOut if Instant::now() < deadline => {}
                received => return received,
            }
        }
    }

    /// Returns the total time in which this process was suspended while it waited for this engine.
    pub(super) fn suspended(&self) -> Duration {
        self.suspensions.total
    }

    /// Returns that time before the time `at` of the line received last.
    pub(super) fn suspended_before(&self, at: Instant) -> Duration {
        self.suspensions.before(at)
    }

    /// Sets whether the oldest lines are dropped when they are not read. Otherwise the engine
    /// waits.
    pub(super) fn drop_oldest_lines(&self, drops: bool) {
        self.reading.drops_oldest.store(drops, Ordering::Relaxed);
    }

    /// Drops the lines that are waiting in the queue. Of these only answers are noted in the log.
    pub(super) fn discard_lines(&mut self) {
        self.late_line = None;
        // Bounded: an engine that writes without end must not keep the match here.
        for line in self.lines.try_iter().take(WAITING_LINES) {
            if BestMoveReply::parse(&line.text).is_some() {
                self.note_ignored(&line.text);
            }
        }
    }

    /// Describes the end of the process, for the record of a crash: its exit code or signal.
    pub(super) fn describe_end(&mut self) -> String {
        match self.wait(QUIT_GRACE) {
            Some(status) => describe(status),
            None => "closed its output".to_owned(),
        }
    }

    /// Waits for the end of the process. Processes that it has started end with it.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while self.status.is_none() {
            if process_group::has_ended(&mut self.child) {
                self.end_group();
                break;
            }
            if Instant::now() >= deadline {
                break;
            }
            thread::sleep(Duration::from_millis(2));
        }
        self.status
    }

    fn end(&mut self) {
        if let Some(commands) = self.commands.take() {
            let _ = commands.try_send("quit\n".to_owned());
            // The writer thread ends after `quit` and closes the pipe, so the engine sees the end
            // of its input.
        }
        // An engine that wants to write its last lines must not wait on its pipe.
        self.drop_oldest_lines(true);
        if self.wait(QUIT_GRACE).is_none() {
            let _ = self.child.kill();
            self.end_group();
        }
        // A process outside of the group may still hold the pipe.
        self.reading.is_over.store(true, Ordering::Relaxed);
    }

    /// Ends all processes of the group, of which the first has ended or is killed.
    fn end_group(&mut self) {
        // As long as the status has not been asked for, no other process can get the number.
        process_group::kill(&self.child);
        self.status = self.child.wait().ok();
        process_group::collect(&self.child, QUIT_GRACE);
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the command that starts the program of the settings with pipes.
fn command_of(settings: &EngineSettings) -> Command {
    let mut command = Command::new(settings.program());
    command.args(&settings.arguments);
    // A result shall not depend on what the folder of a user holds; the options name other tables.
    command.env(FOLDER_VARIABLE, NO_FOLDER);
    if let Some(directory) = &settings.directory {
        command.current_dir(directory);
    }
    // Without a log nothing here reads an engine's error messages, and a full pipe would block it.
    let errors = if settings.log.is_some() { Stdio::piped() } else { Stdio::null() };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
    // With a process group of its own the engine does not receive the terminal's Ctrl-C, which is
    // for the match, and the children of a wrapper script can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
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

/// The queue of an engine's lines.
struct Queue {
    sender: Sender<OutputLine>,
    /// The other end, to make room.
    lines: Receiver<OutputLine>,
    reading: Arc<LineReading>,
}

impl Queue {
    /// Adds a line as soon as there is room. Returns false once the lines are not wanted.
    fn push(&self, mut line: OutputLine) -> bool {
        while !self.reading.is_over.load(Ordering::Relaxed) {
            if self.reading.drops_oldest.load(Ordering::Relaxed) && self.sender.is_full() {
                let _ = self.lines.try_recv();
            }
            match self.sender.send_timeout(line, WAIT_SLICE) {
                Ok(()) => return true,
                Err(SendTimeoutError::Timeout(unsent)) => line = unsent,
                Err(SendTimeoutError::Disconnected(_)) => return false,
            }
        }
        false
    }
}

/// Writes the commands until there are no more, or the engine has closed its input.
fn write_commands(mut input: impl Write, commands: Receiver<String>) {
    for command in commands {
        if input.write_all(command.as_bytes()).and_then(|()| input.flush()).is_err() {
            break;
        }
    }
}

/// Copies an engine's standard error to the log, up to a limit, and reads the rest.
fn log_errors(errors: impl Read, log: &ProcessLog) {
    let mut errors = BufReader::new(errors);
    let (mut line, mut total) = (Vec::new(), 0);
    loop {
        line.clear();
        match errors.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(length) => total += length,
        }
        if total <= MAX_ERRORS {
            log.line(LineOrigin::EngineError, String::from_utf8_lossy(&line).trim_end());
        }
    }
}

fn read_lines(output: impl Read, queue: &Queue, log: Option<&ProcessLog>) {
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
        // A line without end is passed on in pieces, so that its length counts as output.
        if end.is_some() || length >= 1 << 20 {
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            if let Some(log) = log {
                log.line(LineOrigin::Engine, &text);
            }
            if !queue.push(OutputLine { at, text, length: length + 1 }) {
                return;
            }
            bytes.clear();
            length = 0;
        }
    }
    if !bytes.is_empty() {
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let _ = queue.push(OutputLine { at: Instant::now(), text, length });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspension_counts_up_to_the_time_of_a_line() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut suspensions = Suspensions::default();
        assert_eq!(suspensions.before(at(50)), Duration::ZERO);
        suspensions.add(at(100), at(600));
        suspensions.add(at(1000), at(1800));
        // The reader noted these lines before, in and after the latest one.
        for (line, total) in [(900, 500), (1300, 800), (1800, 1300), (2000, 1300)] {
            assert_eq!(suspensions.before(at(line)), Duration::from_millis(total), "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_line_after_the_deadline_is_left_for_a_later_wait() {
        let mut settings = EngineSettings::new("sh");
        settings.arguments = ["-c", "echo one; echo two; read line"].map(str::to_owned).to_vec();
        let early = Instant::now();
        let mut process = EngineProcess::spawn(&settings, StopSignal::new()).expect("a shell");
        let deadline = early + Duration::from_secs(60);
        while process.lines.len() < 2 {
            assert!(Instant::now() < deadline, "the shell writes nothing");
            thread::sleep(Duration::from_millis(1));
        }
        for _ in 0..2 {
            assert!(matches!(process.receive(early), ReceivedLine::TimedOut));
        }
        for expected in ["one", "two"] {
            let ReceivedLine::Line(line) = process.receive(deadline) else {
                panic!("no line {expected}");
            };
            assert_eq!(line.text, expected);
        }
    }
}
