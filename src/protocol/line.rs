//! Lines from a client: any bytes, ended by `\n` or `\r\n`.

use std::io::{self, BufRead, Read};
use std::time::Instant;

use crate::engine::raw_text;

/// A line longer than this is cut; a game of 200,000 moves is shorter.
const LONGEST: u64 = 1 << 20;

/// A line and the instant at which it arrived, from which a `go` counts its time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) arrived: Instant,
}

/// Reads the next line; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let read = loop {
        match input.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    let arrived = Instant::now();
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 >= LONGEST {
        input.skip_until(b'\n')?;
    }
    // Control characters separate words as blanks do; a zero byte is no reason to fail.
    let text = raw_text::decode(&bytes).replace(|c: char| c.is_control(), " ");
    let text = text.trim_start_matches('\u{FEFF}').trim().to_owned();
    Ok(Some(Line { text, arrived }))
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
