//! The opening books of the page: the built-in one, and opened files.

use std::sync::Arc;

use cannonade_book::{
    Book, BookMove, ContentError, DEFAULT_LAST_MOVE, DEFAULT_VARIETY, draw, shares,
};
use cannonade_tables::random::Random;
use parking_lot::Mutex;
use serde::Serialize;
use xiangqi::board::{Move, Position};
use xiangqi::notation::{Notation, write};
use xiangqi::rules::repeats;

/// The number of the built-in book.
pub(super) const BUILT_IN: u64 = 0;

/// The maximum number of kept files; the oldest one makes room.
const MAX_FILES: usize = 8;

/// The maximum number of characters of a name.
const MAX_NAME: usize = 300;

/// The books of the server, which all tabs share.
#[derive(Default)]
pub(super) struct Books {
    files: Mutex<OpenedBooks>,
}

#[derive(Default)]
struct OpenedBooks {
    last: u64,
    opened: Vec<OpenedBook>,
}

struct OpenedBook {
    number: u64,
    name: String,
    book: Arc<Book>,
}

/// A book as JSON.
#[derive(Serialize)]
pub(super) struct BookView {
    id: u64,
    /// As it was sent, percent-encoded; empty for the built-in book.
    name: String,
    moves: usize,
    positions: usize,
    credit: String,
}

/// A move of a book as JSON.
#[derive(Serialize)]
pub(super) struct BookMoveView {
    #[serde(rename = "move")]
    mv: String,
    text: String,
    /// Of the weight of all moves, 0 to 1.
    share: f64,
    weight: u32,
    /// The games with the move, if the book knows them.
    games: Option<u32>,
    /// The mover's share of the points in these games, 0 to 1.
    score: Option<f64>,
}

impl Books {
    /// Returns all books, the built-in one first.
    pub(super) fn list(&self) -> Vec<BookView> {
        let files = self.files.lock();
        let opened = files.opened.iter().map(|file| view(file.number, &file.name, &file.book));
        std::iter::once(view(BUILT_IN, "", &Book::built_in())).chain(opened).collect()
    }

    /// Adds a file.
    ///
    /// # Errors
    /// If it is not a sound book.
    pub(super) fn open(&self, name: &str, bytes: &[u8]) -> Result<BookView, ContentError> {
        let book = Arc::new(Book::from_bytes(bytes)?);
        let name: String = name.chars().take(MAX_NAME).collect();
        let mut files = self.files.lock();
        if files.opened.len() >= MAX_FILES {
            files.opened.remove(0);
        }
        files.last += 1;
        let number = files.last;
        let shown = view(number, &name, &book);
        files.opened.push(OpenedBook { number, name, book });
        Ok(shown)
    }

    /// Returns the book with this number.
    pub(super) fn find(&self, number: u64) -> Option<Arc<Book>> {
        if number == BUILT_IN {
            return Some(Book::built_in());
        }
        let files = self.files.lock();
        let found = files.opened.iter().find(|file| file.number == number);
        found.map(|file| Arc::clone(&file.book))
    }
}

fn view(id: u64, name: &str, book: &Book) -> BookView {
    BookView {
        id,
        name: name.to_owned(),
        moves: book.len(),
        positions: book.positions(),
        credit: book.credit().to_owned(),
    }
}

/// Returns the moves of a book in a position, the heaviest first.
pub(super) fn book_moves(
    book: &Book,
    position: &Position,
    notation: Notation,
) -> Vec<BookMoveView> {
    let moves = book.moves(position);
    let shares = shares(&moves, 100);
    let views = moves.iter().zip(shares).map(|(one, share)| BookMoveView {
        mv: one.mv.to_string(),
        text: write(position, one.mv, notation),
        share,
        weight: one.weight,
        games: one.results.map(|results| results.games()),
        score: one.results.and_then(|results| results.score()),
    });
    views.collect()
}

/// Returns the move that the engine plays from a book, drawn by the weights. Returns `None` if the
/// book has no move for the position that does not repeat a position of the game: repetitions are
/// left to the search, which applies the rules.
pub(super) fn drawn_move(book: &Book, position: &Position, random: &mut Random) -> Option<Move> {
    if position.move_number() > DEFAULT_LAST_MOVE {
        return None;
    }
    let is_new = |one: &BookMove| !repeats(position, one.mv);
    let moves: Vec<BookMove> = book.moves(position).into_iter().filter(is_new).collect();
    draw(&moves, DEFAULT_VARIETY, random).map(|chosen| chosen.mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_file_makes_room_for_a_new_one() {
        let books = Books::default();
        let bytes = cannonade_books::MASTERS;
        for number in 0..=MAX_FILES {
            books.open(&format!("{number}.cnb"), bytes).expect("a book");
        }
        let names: Vec<_> = books.list().into_iter().map(|book| book.name).collect();
        assert_eq!(names.len(), 1 + MAX_FILES);
        assert_eq!((names[0].as_str(), names[1].as_str()), ("", "1.cnb"));
        assert!(books.find(1).is_none() && books.find(2).is_some() && books.find(0).is_some());
        assert!(books.open("x", b"no book").is_err());
    }
}
