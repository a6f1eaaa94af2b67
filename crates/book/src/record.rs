//! Records of a book in memory: moves with their weights, sorted by the key of the position.

use std::ops::Range;

use xiangqi::board::Move;

use super::results::Results;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// Legal move in the position.
    pub mv: Move,
    /// Relative frequency of the move among the moves of its position; 0 is never.
    pub weight: u32,
    /// The games that it is based on, if the format has them.
    pub results: Option<Results>,
}

/// One move of one position.
pub(super) trait Record {
    /// The key of a position.
    type Key: Ord;

    /// Returns the key of the position.
    fn key(&self) -> Self::Key;

    /// Returns the move as it is stored.
    fn book_move(&self) -> BookMove;
}

/// Returns the range of the records with a key.
pub(super) fn range_of<R: Record>(records: &[R], key: &R::Key) -> Range<usize> {
    let start = records.partition_point(|record| record.key() < *key);
    let rest = records.get(start..).unwrap_or_default();
    start..start + rest.partition_point(|record| record.key() == *key)
}

/// Returns the number of different keys.
pub(super) fn count_keys<R: Record>(records: &[R]) -> usize {
    records.chunk_by(|a, b| a.key() == b.key()).count()
}

/// Returns the moves of a range.
pub(super) fn moves_in<R: Record>(records: &[R], range: Range<usize>) -> Vec<BookMove> {
    records.get(range).unwrap_or_default().iter().map(Record::book_move).collect()
}
