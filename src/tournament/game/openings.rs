//! The positions with which games begin.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use xiangqi::board::{FenError, Position};
use xiangqi::records::decode_text;

use crate::input_file;
use crate::random::Random;

/// The reason why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// The file cannot be read.
    #[error("cannot read the openings {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line is not a position.
    #[error("{path}, line {line}")]
    Position {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The defect of the line.
        source: FenError,
    },
    /// A game cannot begin in this position.
    #[error("{path}, line {line}: the side to move has no legal move")]
    Over {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The file has no position.
    #[error("{0} has no position; expected a FEN or EPD in each line")]
    Empty(PathBuf),
}

/// The positions with which games begin, in the order of their use.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    positions: Vec<Position>,
}

impl OpeningBook {
    /// Creates a book of the starting position only.
    pub fn startpos() -> OpeningBook {
        OpeningBook { positions: vec![Position::startpos()] }
    }

    /// Reads a file of FEN or EPD lines in any encoding of [`decode_text`]. Empty lines, those that
    /// begin with `#`, and EPD operations are skipped.
    ///
    /// # Errors
    /// If the file cannot be read, has no position, or a line is not a valid FEN; the line is named.
    pub fn read(path: &Path) -> Result<OpeningBook, OpeningError> {
        let bytes = input_file::read(path)
            .map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
        let mut positions = Vec::new();
        for (number, text) in (1..).zip(decode_text(&bytes).0.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let position = Position::from_epd(text).map_err(|source| OpeningError::Position {
                path: path.to_owned(),
                line: number,
                source,
            })?;
            if !position.has_legal_move() {
                return Err(OpeningError::Over { path: path.to_owned(), line: number });
            }
            positions.push(position);
        }
        if positions.is_empty() {
            return Err(OpeningError::Empty(path.to_owned()));
        }
        Ok(OpeningBook { positions })
    }

    /// Shuffles the openings; the order depends on the seed only.
    pub fn shuffle(&mut self, seed: u64) {
        Random::new(seed).shuffle(&mut self.positions);
    }

    /// Moves this many openings to the end.
    pub fn skip(&mut self, count: usize) {
        let length = self.positions.len();
        self.positions.rotate_left(count % length);
    }

    /// The CRC-32 of the positions, whatever their order.
    pub fn checksum(&self) -> u32 {
        let mut fens: Vec<String> = self.positions.iter().map(Position::fen).collect();
        fens.sort_unstable();
        crc32fast::hash(fens.join("\n").as_bytes())
    }

    /// The number of openings.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// The opening of this number; after the last one follows the first.
    pub fn opening(&self, number: usize) -> &Position {
        &self.positions[number % self.positions.len()]
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use xiangqi::board::START_FEN;

    use super::*;

    fn file(name: &str, text: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("cannonade-{}-{name}", std::process::id()));
        fs::write(&path, text).expect("a writable folder");
        path
    }

    #[test]
    fn fen_and_epd_lines_are_read() {
        let board = START_FEN.split(' ').next().expect("a board");
        let text =
            format!("# comment\n{START_FEN}\n\n{board} b - - c0 \"a; b\"; ce 5;\n{board} w\n");
        let path = file("good.epd", &text);
        let book = OpeningBook::read(&path).expect("openings");
        assert_eq!(book.count(), 3);
        assert!(book.opening(1).fen().contains(" b - - 0 1"));
        assert_eq!(book.opening(3).fen(), START_FEN);
        fs::remove_file(path).expect("our file");
    }

    #[test]
    fn errors_name_file_and_line() {
        let path = file("bad.epd", &format!("{START_FEN}\nnonsense\n"));
        let error = OpeningBook::read(&path).expect_err("nonsense").to_string();
        assert!(error.contains("bad.epd, line 2"), "{error}");
        fs::write(&path, "\n").expect("our file");
        assert!(matches!(OpeningBook::read(&path), Err(OpeningError::Empty(_))));
        fs::remove_file(&path).expect("our file");
        assert!(matches!(OpeningBook::read(&path), Err(OpeningError::Unreadable { .. })));
    }

    #[test]
    fn shuffling_keeps_every_opening_and_depends_on_the_seed_only() {
        let fens = ["3k5/9/9/9/9/9/9/9/9/R3K4 w", "3k5/9/9/9/9/9/9/9/9/1R2K4 w", START_FEN];
        let mut text = fens.join("\n");
        text.push('\n');
        let path = file("shuffle.epd", &text.repeat(20));
        let [mut one, mut two] = [0; 2].map(|_| OpeningBook::read(&path).expect("openings"));
        one.shuffle(7);
        two.shuffle(7);
        let fens = |book: &OpeningBook| -> Vec<String> {
            (0..book.count()).map(|i| book.opening(i).fen()).collect()
        };
        assert_eq!(fens(&one), fens(&two));
        two.shuffle(8);
        assert_ne!(fens(&one), fens(&two));
        let (mut a, mut b) = (fens(&one), fens(&two));
        a.sort();
        b.sort();
        assert_eq!(a, b);
        two.skip(61);
        assert_eq!(two.count(), 60);
        fs::remove_file(path).expect("our file");
    }
}
