//! Playing all lines of a book.

use std::collections::HashSet;

use xiangqi::board::Position;

use super::Book;
use super::key::PositionKey;

/// Maximum number of examples of illegal moves that a [`Verification`] lists.
const EXAMPLES: usize = 10;

/// Result of playing all lines of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verification {
    /// Positions of the book that were reached; mirror images count once.
    pub positions: usize,
    /// Moves of the book in these positions.
    pub moves: usize,
    /// Moves among them that are not legal.
    pub illegal: usize,
    /// Moves of the book in positions that were not reached.
    pub unreached: usize,
    /// The first moves that are not legal, each with its position.
    pub examples: Vec<String>,
}

/// Plays all lines of a book from these positions and checks that each move is legal.
pub fn verify(book: &Book, starts: &[Position]) -> Verification {
    let mut found = Verification::default();
    let mut reached = vec![false; book.len()];
    let mut seen = HashSet::new();
    let mut open = starts.to_vec();
    while let Some(position) = open.pop() {
        if !seen.insert(PositionKey::of(&position).value) {
            continue;
        }
        let places = book.search(&position);
        for place in &places {
            if let Some(marks) = reached.get_mut(place.range.clone()) {
                marks.fill(true);
            }
        }
        found.positions += usize::from(!places.is_empty());
        for book_move in places.iter().flat_map(|place| book.moves_at(place)) {
            found.moves += 1;
            match position.check_move(book_move.mv) {
                Ok(mv) => {
                    let next = position.after([mv]);
                    open.push(next);
                }
                Err(error) => {
                    found.illegal += 1;
                    if found.examples.len() < EXAMPLES {
                        found.examples.push(format!("{}: {error}", position.fen()));
                    }
                }
            }
        }
    }
    found.unreached = reached.iter().filter(|&&reached| !reached).count();
    found
}
