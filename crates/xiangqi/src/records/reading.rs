//! The result of reading one kind of file.

use crate::board::{Move, Position};
use crate::notation::{MoveListError, read_moves};

use super::game::Game;
use super::{Problem, RecordError, TextEncoding};

/// The games of a file and its defects.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) games: Vec<Game>,
    /// The number of each game; those that are left out have one, too.
    pub(super) numbers: Vec<usize>,
    pub(super) problems: Vec<Problem>,
    /// The number of each game of a text and the line where it begins.
    first_lines: Vec<(usize, usize)>,
}

impl Reading {
    /// Adds a game that begins in a line of a text, or the reason why there is none, with its
    /// further defects and their lines.
    pub(super) fn add(
        &mut self,
        number: usize,
        first_line: Option<usize>,
        game: Result<Game, RecordError>,
        mut defects: Vec<(Option<usize>, RecordError)>,
    ) {
        self.first_lines.extend(first_line.map(|line| (number, line)));
        match game {
            Ok(game) => {
                let defect = game.start().defect();
                defects.splice(0..0, defect.map(|defect| (first_line, RecordError::Start(defect))));
                self.games.push(game);
                self.numbers.push(number);
            }
            Err(defect) => defects.push((first_line, defect)),
        }
        let problem = |(line, defect)| Problem::new(number, line, defect);
        self.problems.extend(defects.into_iter().map(problem));
    }

    /// Reports the bytes of the text that do not belong to its encoding, if anything else was found
    /// in it.
    pub(super) fn add_wrong_bytes(&mut self, text: &str, encoding: TextEncoding) {
        let Some(first) = text.find('\u{fffd}') else { return };
        if self.games.is_empty() && self.problems.is_empty() {
            return;
        }
        let line = text[..first].matches('\n').count() + 1;
        let before = self.first_lines.iter().rfind(|(_, first)| *first <= line);
        let game = before.map_or(1, |(number, _)| *number);
        let defect = RecordError::Encoding { encoding, count: text.matches('\u{fffd}').count() };
        let later = |other: &Problem| (other.game, other.line) > (game, Some(line));
        let place = self.problems.iter().position(later).unwrap_or(self.problems.len());
        self.problems.insert(place, Problem::new(game, Some(line), defect));
    }
}

/// Reads the moves of a line, up to the first wrong one, which is the defect.
pub(super) fn read_line(start: &Position, words: &[&str]) -> (Vec<Move>, Option<RecordError>) {
    match read_moves(start, words) {
        Ok(moves) => (moves, None),
        Err(MoveListError { moves, number, side, reason }) => {
            (moves, Some(RecordError::Move { number, side, reason }))
        }
    }
}
