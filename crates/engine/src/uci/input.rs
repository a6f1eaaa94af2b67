//! Lines from a client: any bytes, ended by `\n` or `\r\n`.

use std::io::{self, BufRead, Read};
use std::thread;

use crossbeam_channel::{Receiver, bounded};
use web_time::Instant;

use crate::raw_text;

/// Maximum number of lines read ahead.
const LINES_AHEAD: usize = 1024;

/// Maximum length of a line, after which it is cut; a game of 200,000 moves is shorter.
const LONGEST: u64 = 1 << 20;

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
    let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
    let arrived = Instant::now();
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 >= LONGEST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(InputLine::new(&raw_text::decode(&bytes), arrived)))
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
}
