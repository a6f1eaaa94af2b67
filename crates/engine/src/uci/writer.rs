//! Output to the client, as flushed lines of limited length, and the log.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Maximum length of a line in bytes, its end included: uci2wb reads into 1024.
const LONGEST: usize = 1000;

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
    if line.len() < LONGEST {
        return line;
    }
    let mut end = LONGEST - 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_after_a_whole_move() {
        let pv = "info pv".to_owned() + &" h2e2".repeat(400);
        let mut output = Vec::new();
        Writer::new(&mut output).line(&pv).expect("a vector takes all");
        let line = String::from_utf8(output).expect("text");
        assert!(line.len() <= LONGEST && line.len() > LONGEST - 10, "{}", line.len());
        assert!(line.ends_with(" h2e2\n"), "{line}");
        assert_eq!(cut(&"炮".repeat(500)).len() % 3, 0);
    }

    #[test]
    fn line_ends_inside_a_text_do_not_make_a_second_line() {
        let mut output = Vec::new();
        Writer::new(&mut output).line("info string a\nbestmove h2e2").expect("a vector takes all");
        assert_eq!(output, b"info string a bestmove h2e2\n");
    }
}
