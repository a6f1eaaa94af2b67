//! The positions with which games begin.

use std::io;
use std::path::{Path, PathBuf};

use cannonade_tables::input_file;
use cannonade_tables::random::Random;
use thiserror::Error;
use xiangqi::board::{FenError, Position};
use xiangqi::records::{self, FileKind, Problem, RecordError, decode_text};
use xiangqi::rules::Regulations;

use super::termination::rules_text;

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
    #[error("{path}, line {line}: the game is over in this position: {reason}")]
    Over {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The end by the rules of the match.
        reason: &'static str,
    },
    /// A game of the file has a defect.
    #[error("{path}: {problem}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The defect.
        problem: Problem,
    },
    /// A game of the file is over where the opening would end.
    #[error(
        "{path}: game {game} is over after these moves: {reason}; choose fewer plies, such as plies=16"
    )]
    GameOver {
        /// The file.
        path: PathBuf,
        /// The game, from 1.
        game: usize,
        /// The end by the rules of the match.
        reason: &'static str,
    },
    /// The file has positions, of which no plies can be taken.
    #[error("{0} has positions, not games; leave out plies=")]
    Plies(PathBuf),
    /// The file has no position.
    #[error("{0} has no position; expected a FEN or EPD in each line, or games")]
    Empty(PathBuf),
}

/// The positions with which games begin, in the order of their use.
#[derive(Clone, Debug)]
pub struct OpeningBook {
    positions: Vec<Position>,
    /// The indices of the positions in the order of play.
    order: Vec<usize>,
}

impl OpeningBook {
    /// Creates a book of the starting position only.
    pub fn startpos() -> OpeningBook {
        OpeningBook::in_order(vec![Position::startpos()])
    }

    fn in_order(positions: Vec<Position>) -> OpeningBook {
        let order = (0..positions.len()).collect();
        OpeningBook { positions, order }
    }

    /// Reads a file of games, by the end of its name (`.pgn`, `.xqf` ..), or of FEN or EPD lines. A
    /// game gives the position after the first `plies` of its main line, or at its end.
    ///
    /// # Errors
    /// If the file cannot be read, has no position, has a defect, or has a position in which the
    /// game is over by the regulations; the line or the game is named.
    pub fn read(
        path: &Path,
        plies: Option<usize>,
        regulations: Regulations,
    ) -> Result<OpeningBook, OpeningError> {
        let bytes = input_file::read(path)
            .map_err(|source| OpeningError::Unreadable { path: path.to_owned(), source })?;
        // An error is of a kind that is not written.
        let are_games = !matches!(FileKind::of_path(path), Ok(None));
        if !are_games && plies.is_some() {
            return Err(OpeningError::Plies(path.to_owned()));
        }
        let positions = if are_games {
            of_games(path, &bytes, plies, regulations)?
        } else {
            of_lines(path, &bytes, regulations)?
        };
        if positions.is_empty() {
            return Err(OpeningError::Empty(path.to_owned()));
        }
        Ok(OpeningBook::in_order(positions))
    }

    /// Shuffles the openings by each of the seeds, and plays these orders one after the other;
    /// changes nothing without a seed.
    pub fn shuffle(&mut self, seeds: &[u64]) {
        let shuffled = |&seed: &u64| {
            let mut order: Vec<usize> = (0..self.positions.len()).collect();
            Random::new(seed).shuffle(&mut order);
            order
        };
        if !seeds.is_empty() {
            self.order = seeds.iter().flat_map(shuffled).collect();
        }
    }

    /// Moves this many openings to the end.
    pub fn skip(&mut self, count: usize) {
        let length = self.order.len();
        self.order.rotate_left(count % length);
    }

    /// Returns the CRC-32 of the positions, whatever their order.
    pub fn checksum(&self) -> u32 {
        let mut fens: Vec<String> = self.positions.iter().map(Position::fen).collect();
        fens.sort_unstable();
        crc32fast::hash(fens.join("\n").as_bytes())
    }

    /// Returns the number of openings.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// Returns the opening of this number; after the last one follows the first.
    pub fn opening(&self, number: usize) -> &Position {
        &self.positions[self.order[number % self.order.len()]]
    }
}

/// Reads FEN or EPD lines in any encoding of [`decode_text`]; see [`Position::epd_lines`].
fn of_lines(
    path: &Path,
    bytes: &[u8],
    regulations: Regulations,
) -> Result<Vec<Position>, OpeningError> {
    let mut positions = Vec::new();
    for (line, text) in Position::epd_lines(&decode_text(bytes).0) {
        let position = Position::from_epd(text).map_err(|source| OpeningError::Position {
            path: path.to_owned(),
            line,
            source,
        })?;
        if let Some(end) = regulations.outcome(&position) {
            let reason = rules_text(end.reason);
            return Err(OpeningError::Over { path: path.to_owned(), line, reason });
        }
        positions.push(position);
    }
    Ok(positions)
}

fn of_games(
    path: &Path,
    bytes: &[u8],
    plies: Option<usize>,
    regulations: Regulations,
) -> Result<Vec<Position>, OpeningError> {
    let collection = records::read(bytes);
    if let Some(problem) = collection.problems.into_iter().find(Problem::affects_main_line) {
        return Err(OpeningError::Game { path: path.to_owned(), problem });
    }
    let mut positions = Vec::new();
    for (number, game) in (1..).zip(&collection.games) {
        let mut position = game.start().clone();
        for &mv in game.moves().iter().take(plies.unwrap_or(usize::MAX)) {
            position.play_unchecked(mv);
        }
        if let Some(defect) = position.defect() {
            let problem = Problem::new(number, None, RecordError::Start(defect));
            return Err(OpeningError::Game { path: path.to_owned(), problem });
        }
        let position = position.without_history();
        if let Some(end) = regulations.outcome(&position) {
            let reason = rules_text(end.reason);
            return Err(OpeningError::GameOver { path: path.to_owned(), game: number, reason });
        }
        positions.push(position);
    }
    Ok(positions)
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

    fn read(path: &Path, plies: Option<usize>) -> Result<OpeningBook, OpeningError> {
        OpeningBook::read(path, plies, Regulations::default())
    }

    #[test]
    fn fen_and_epd_lines_are_read() {
        let board = START_FEN.split(' ').next().expect("a board");
        let text =
            format!("# comment\n{START_FEN}\n\n{board} b - - c0 \"a; b\"; ce 5;\n{board} w\n");
        let path = file("good.epd", &text);
        let book = read(&path, None).expect("openings");
        assert_eq!(book.count(), 3);
        assert!(book.opening(1).fen().contains(" b - - 0 1"));
        assert_eq!(book.opening(3).fen(), START_FEN);
        fs::remove_file(path).expect("our file");
    }

    #[test]
    fn games_give_the_positions_after_their_first_plies() {
        let path = file("games.pgn", "1. h2e2 h9g7 2. h0g2 *\n\n[Red \"x\"]\n1. c3c4 *\n");
        let fens = |plies| -> Vec<String> {
            let book = read(&path, plies).expect("openings");
            (0..book.count()).map(|i| book.opening(i).fen()).collect()
        };
        assert!(fens(Some(2))[0].ends_with("C2C4/9/RNBAKABNR w - - 2 2"), "{:?}", fens(Some(2)));
        assert!(fens(None)[0].ends_with(" b - - 3 2") && fens(None)[1].ends_with(" b - - 1 1"));
        assert_eq!(fens(Some(0)), [START_FEN, START_FEN]);
        fs::write(&path, "1. h2e2 a9a0 *\n").expect("our file");
        assert!(matches!(read(&path, None), Err(OpeningError::Game { .. })));
        fs::write(&path, "[FEN \"3k5/R8/9/9/9/9/9/9/9/1R2K4 w\"]\n\n1. b0b9 *\n")
            .expect("our file");
        let over = read(&path, None);
        assert!(matches!(over, Err(OpeningError::GameOver { game: 1, reason: "checkmate", .. })));
        fs::remove_file(path).expect("our file");
    }

    #[test]
    fn positions_in_which_the_game_is_over_are_refused() {
        let path = file("over.epd", "");
        let late = START_FEN.replace(" 0 1", " 40 60");
        let short = Regulations { natural_limit: 40, ..Regulations::default() };
        for (fen, regulations, expected) in [
            (late.as_str(), Regulations::default(), None),
            (&late, short, Some("natural move limit")),
            ("3k5/9/9/9/9/9/9/9/9/4K4 w", Regulations::default(), Some("dead material")),
            ("3k5/9/9/9/9/9/9/9/3r5/3rK4 w", Regulations::default(), Some("checkmate")),
        ] {
            fs::write(&path, format!("{START_FEN}\n{fen}\n")).expect("our file");
            let found = match OpeningBook::read(&path, None, regulations) {
                Ok(_) => None,
                Err(OpeningError::Over { line: 2, reason, .. }) => Some(reason),
                Err(error) => panic!("{error}"),
            };
            assert_eq!(found, expected, "{fen}");
        }
        fs::remove_file(path).expect("our file");
    }

    #[test]
    fn errors_name_file_and_line() {
        let path = file("bad.epd", &format!("{START_FEN}\nnonsense\n"));
        let error = read(&path, None).expect_err("nonsense").to_string();
        assert!(error.contains("bad.epd, line 2"), "{error}");
        let moves = START_FEN.replace(" - - 0 1", " moves h2e2");
        fs::write(&path, format!("{START_FEN}\n{moves}\n")).expect("our file");
        let error = read(&path, None).expect_err("moves");
        assert!(
            matches!(error, OpeningError::Position { line: 2, source: FenError::Moves, .. }),
            "{error}"
        );
        assert!(matches!(read(&path, Some(4)), Err(OpeningError::Plies(_))));
        fs::write(&path, "\n").expect("our file");
        assert!(matches!(read(&path, None), Err(OpeningError::Empty(_))));
        fs::remove_file(&path).expect("our file");
        assert!(matches!(read(&path, None), Err(OpeningError::Unreadable { .. })));
    }

    #[test]
    fn shuffling_keeps_every_opening_and_depends_on_the_seed_only() {
        let fens = ["3k5/9/9/9/9/9/9/9/9/R3K4 w", "3k5/9/9/9/9/9/9/9/9/1R2K4 w", START_FEN];
        let mut text = fens.join("\n");
        text.push('\n');
        let path = file("shuffle.epd", &text.repeat(20));
        let [mut one, mut two] = [0; 2].map(|_| read(&path, None).expect("openings"));
        one.shuffle(&[7]);
        two.shuffle(&[7]);
        let fens = |book: &OpeningBook| -> Vec<String> {
            (0..book.count()).map(|i| book.opening(i).fen()).collect()
        };
        assert_eq!(fens(&one), fens(&two));
        two.shuffle(&[8]);
        assert_ne!(fens(&one), fens(&two));
        let mut both = read(&path, None).expect("openings");
        both.shuffle(&[7, 8]);
        assert_eq!(both.count(), 60);
        let turns: Vec<String> = (0..120).map(|i| both.opening(i).fen()).collect();
        assert_eq!(turns, [fens(&one), fens(&two)].concat(), "one order after the other");
        assert_eq!(both.opening(120).fen(), turns[0]);
        let (mut a, mut b) = (fens(&one), fens(&two));
        a.sort();
        b.sort();
        assert_eq!(a, b);
        two.skip(61);
        assert_eq!(two.count(), 60);
        fs::remove_file(path).expect("our file");
    }
}
