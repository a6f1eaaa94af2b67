//! What a reader of one kind of file returns.

use super::game::Game;
use super::{Problem, RecordError};

/// The games of a file and its defects.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) games: Vec<Game>,
    pub(super) problems: Vec<Problem>,
}

impl Reading {
    /// Adds a game, or why there is none, with its further defects and their lines.
    pub(super) fn add(
        &mut self,
        number: usize,
        game: Result<Game, (Option<usize>, RecordError)>,
        mut defects: Vec<(Option<usize>, RecordError)>,
    ) {
        match game {
            Ok(game) => self.games.push(game),
            Err(defect) => defects.push(defect),
        }
        let problem = |(line, source)| Problem { game: number, line, source };
        self.problems.extend(defects.into_iter().map(problem));
    }
}
