//! The games of several files, with the numbers that they have there.

use std::ops::{Range, RangeInclusive};

use xiangqi::records::{Collection, Game};

/// The games of all files. One that could not be read is left out but counted.
#[derive(Default)]
pub(super) struct FileGames {
    pub(super) games: Vec<Game>,
    /// The number of each game in the files, from 1.
    pub(super) numbers: Vec<usize>,
    /// The games of the files, with those left out.
    pub(super) count: usize,
}

impl FileGames {
    /// Adds the games of one more file.
    pub(super) fn add(&mut self, file: Collection) {
        let before = self.count;
        let left_out = file.problems.iter().map(|problem| problem.game);
        let last = left_out.chain(file.numbers.last().copied()).max();
        self.count += last.unwrap_or(0);
        self.numbers.extend(file.numbers.into_iter().map(|number| before + number));
        self.games.extend(file.games);
    }

    /// Returns the indices of the games with these numbers.
    pub(super) fn indices(&self, numbers: &RangeInclusive<usize>) -> Range<usize> {
        let before = |number: usize| self.numbers.partition_point(|&other| other < number);
        before(*numbers.start())..before(numbers.end().saturating_add(1))
    }
}
