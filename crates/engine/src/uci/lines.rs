//! Lines from a client and to it: any bytes, ended by `\n` or `\r\n`, read and written on threads of
//! their own, and the log of both.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::{Condvar, Mutex};
use web_time::{Duration, Instant};

use crate::raw_text;

/// Maximum number of lines read ahead.
const LINES_AHEAD: usize = 1024;

/// Maximum length of a line, after which it is cut; a game of 200,000 moves is shorter.
const LONGEST_INPUT: u64 = 1 << 20;

/// A line and the instant at which it arrived, from which a `go` counts its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputLine {
    pub text: String,
    pub arrived: Instant,
}

impl InputLine {
    /// Creates a line. Control characters separate words as blanks do; a zero byte must not fail.
    pub fn new(text: &str, arrived: Instant) -> InputLine {
        let text = text.replace(|c: char| c.is_control(), " ");
        let text = text.trim_start_matches('\u{FEFF}').trim().to_owned();
        InputLine { text, arrived }
    }
}

/// Reads lines on a thread of its own, so that they are received during a search. The channel
/// closes at the end of the input; a read error is the end of the input, too.
pub fn read_ahead(mut input: impl BufRead + Send + 'static) -> Receiver<InputLine> {
    let (sender, lines) = bounded(LINES_AHEAD);
    // Without a thread there is no input, and the session ends.
    let _ = thread::Builder::new().name("input".to_owned()).spawn(move || {
        while let Ok(Some(line)) = read_line(&mut input) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Reads the next line; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST_INPUT).read_until(b'\n', &mut bytes)?;
    let arrived = Instant::now();
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 >= LONGEST_INPUT {
        input.skip_until(b'\n')?;
    }
    Ok(Some(InputLine::new(&raw_text::decode(&bytes), arrived)))
}

/// Maximum length of a line in bytes, its end included: uci2wb reads into 1024.
const LONGEST_OUTPUT: usize = 1000;

/// Writes flushed lines of limited length, and a log of both directions.
///
/// A client that stops reading has gone; the writer then returns
/// [`io::ErrorKind::BrokenPipe`], which ends the session quietly.
pub struct Writer<W> {
    output: W,
    log: Option<File>,
}

impl<W: Write> Writer<W> {
    /// Creates a writer to a client.
    pub fn new(output: W) -> Writer<W> {
        Writer { output, log: None }
    }

    /// Writes a line. Line ends inside become blanks; an overlong line is cut after a word.
    ///
    /// # Errors
    /// If the client cannot be written to. An error of the log file ends the log.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.lines([text])
    }

    /// Writes several lines at once.
    ///
    /// # Errors
    /// If the client cannot be written to. An error of the log file ends the log.
    pub fn lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        let mut all = String::new();
        for line in lines {
            let line = cut(line);
            self.record("<<", line);
            all.extend(line.chars().map(|c| if c.is_control() { ' ' } else { c }));
            all.push('\n');
        }
        self.output.write_all(all.as_bytes())?;
        self.output.flush()
    }

    /// Starts or stops logging both directions to a file.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn log_to(&mut self, path: Option<&Path>) -> io::Result<()> {
        self.log = None;
        if let Some(path) = path {
            // Opening a pipe would wait for its reader.
            if is_pipe(path) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe"));
            }
            self.log = Some(OpenOptions::new().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    /// Logs a received line.
    pub fn received(&mut self, line: &str) {
        self.record(">>", line);
    }

    fn record(&mut self, direction: &str, line: &str) {
        let Some(log) = &mut self.log else { return };
        // A full disk is no reason to lose the game.
        if writeln!(log, "{direction} {line}").is_err() {
            self.log = None;
        }
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    path.metadata().is_ok_and(|data| data.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_path: &Path) -> bool {
    false
}

/// Returns the beginning of a line that is short enough, cut after a word if possible.
fn cut(line: &str) -> &str {
    if line.len() < LONGEST_OUTPUT {
        return line;
    }
    let mut end = LONGEST_OUTPUT - 1;
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let head = line.get(..end).unwrap_or_default();
    let whole = line.get(end..).is_some_and(|tail| tail.starts_with(' '));
    match head.rfind(' ') {
        Some(blank) if !whole => head.get(..blank).unwrap_or(head),
        _ => head,
    }
}

/// Bytes waiting above which `info` lines are dropped; answers are kept.
const MAX_WAITING: usize = 1 << 20;

/// A writer that never blocks. An error of standard output is returned by the next write.
#[derive(Clone)]
pub(crate) struct QueuedOutput {
    queue: Sender<Vec<u8>>,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Progress {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutputState {
    /// Bytes not yet written.
    waiting: usize,
    error: Option<io::Error>,
}

impl QueuedOutput {
    /// Returns a writer to standard output.
    pub(crate) fn standard() -> QueuedOutput {
        QueuedOutput::new(io::stdout())
    }

    /// Creates a writer to `output` through a new thread.
    fn new(mut output: impl Write + Send + 'static) -> QueuedOutput {
        let (queue, lines) = unbounded::<Vec<u8>>();
        let progress = Arc::<Progress>::default();
        let own = Arc::clone(&progress);
        let spawned = thread::Builder::new().name("output".to_owned()).spawn(move || {
            for bytes in lines {
                let written = output.write_all(&bytes).and_then(|()| output.flush());
                let mut state = own.state.lock();
                state.waiting -= bytes.len();
                state.error = written.err();
                own.changed.notify_all();
                if state.error.is_some() {
                    break;
                }
            }
        });
        if let Err(error) = spawned {
            progress.state.lock().error = Some(error);
        }
        QueuedOutput { queue, progress }
    }

    /// Waits until everything is written, or until the reader has taken nothing for this long.
    ///
    /// # Errors
    /// That of standard output.
    pub(crate) fn finish(&self, patience: Option<Duration>) -> io::Result<()> {
        let mut state = self.progress.state.lock();
        while state.waiting > 0 && state.error.is_none() {
            let before = state.waiting;
            match patience {
                None => self.progress.changed.wait(&mut state),
                Some(patience) => {
                    let end = std::time::Instant::now() + patience;
                    let waited = self.progress.changed.wait_until(&mut state, end);
                    if waited.timed_out() && state.waiting == before {
                        return Ok(());
                    }
                }
            }
        }
        state.error.take().map_or(Ok(()), Err)
    }
}

impl Write for QueuedOutput {
    /// Takes all bytes; whole lines, since those of a search may be dropped.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.progress.state.lock();
        if let Some(error) = &state.error {
            return Err(error.kind().into());
        }
        if state.waiting < MAX_WAITING || !bytes.starts_with(b"info ") {
            state.waiting += bytes.len();
            // The thread ends only by an error.
            let _ = self.queue.send(bytes.to_vec());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut input = input;
        std::iter::from_fn(|| read_line(&mut input).ok().flatten()).map(|line| line.text).collect()
    }

    #[test]
    fn lines_end_with_or_without_carriage_return() {
        assert_eq!(lines(b"uci\r\n isready \n\nquit"), ["uci", "isready", "", "quit"]);
        assert_eq!(lines(b"\xEF\xBB\xBFucci\n"), ["ucci"], "a byte order mark");
        assert_eq!(lines(b"go\0depth\t3\n"), ["go depth 3"]);
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_read() {
        let mut input = vec![b'x'; 3 << 20];
        input.extend_from_slice(b"\nisready\n");
        let lines = lines(&input);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines.last().map(String::as_str), Some("isready"));
    }

    #[test]
    fn long_lines_are_cut_after_a_whole_move() {
        let pv = "info pv".to_owned() + &" h2e2".repeat(400);
        let mut output = Vec::new();
        Writer::new(&mut output).line(&pv).expect("a vector takes all");
        let line = String::from_utf8(output).expect("text");
        assert!(line.len() <= LONGEST_OUTPUT && line.len() > LONGEST_OUTPUT - 10, "{}", line.len());
        assert!(line.ends_with(" h2e2\n"), "{line}");
        assert_eq!(cut(&"炮".repeat(500)).len() % 3, 0);
    }

    #[test]
    fn line_ends_inside_a_text_do_not_make_a_second_line() {
        let mut output = Vec::new();
        Writer::new(&mut output).line("info string a\nbestmove h2e2").expect("a vector takes all");
        assert_eq!(output, b"info string a bestmove h2e2\n");
    }

    /// An output that takes nothing until it is unlocked.
    struct Stuck(Arc<Mutex<Vec<u8>>>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_waits_gets_all_answers_but_not_all_lines_of_a_search() {
        let received = Arc::new(Mutex::new(Vec::new()));
        let mut output = QueuedOutput::new(Stuck(Arc::clone(&received)));
        let closed = received.lock();
        let line = format!("info {}\n", "x".repeat(99));
        for _ in 0..3 * MAX_WAITING / line.len() {
            output.write_all(line.as_bytes()).expect("a queue");
        }
        output.write_all(b"bestmove h2e2\n").expect("a queue");
        assert!(output.finish(Some(Duration::from_millis(20))).is_ok(), "it gives up");
        drop(closed);
        output.finish(None).expect("a vector takes all");
        let received = received.lock();
        assert!(received.ends_with(b"\nbestmove h2e2\n"));
        assert!((MAX_WAITING..MAX_WAITING + 200).contains(&received.len()), "{}", received.len());
    }

    #[test]
    fn an_error_comes_with_a_later_write_and_at_the_end() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut output = QueuedOutput::new(Full);
        output.write_all(b"uciok\n").expect("a queue");
        while output.write_all(b"readyok\n").is_ok() {
            thread::yield_now();
        }
        let error = output.finish(None).expect_err("the error");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
