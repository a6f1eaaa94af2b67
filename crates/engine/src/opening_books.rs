//! Selection of opening books by the options, and of their moves.

use std::path::{Path, PathBuf};

use cannonade_book::{Book, BookError, BookMove, draw};
use cannonade_tables::random::{Random, fresh_seed};
use xiangqi::board::{Move, Position};
use xiangqi::rules::repeats;

use super::Options;
use crate::search::Limits;

/// Opening books in use.
pub(crate) struct OpeningBooks {
    /// `None` is the built-in book, which is read when first needed.
    books: Option<Vec<Book>>,
    random: Random,
}

/// A move from a book.
pub(crate) struct BookChoice {
    pub(crate) mv: Move,
    /// The heaviest answer in the book.
    pub(crate) ponder: Option<Move>,
    /// Book statistics of the move, for people.
    pub(crate) message: String,
}

impl OpeningBooks {
    /// Creates the built-in book, with random choices that differ in each process.
    pub(crate) fn new() -> OpeningBooks {
        OpeningBooks { books: None, random: Random::new(fresh_seed()) }
    }

    /// Opens the books of a list of paths separated by `;`, as UCCI writes it, or the built-in one
    /// without a path. Files that are not sound are skipped and their errors returned; if no file
    /// is sound, the old books stay. Returns whether the books are now those of the list.
    pub(crate) fn open(&mut self, list: Option<&Path>) -> (bool, Vec<BookError>) {
        let (mut books, mut errors) = (Vec::new(), Vec::new());
        for path in list.map(paths).unwrap_or_default() {
            match Book::find(&path) {
                Ok(book) => books.push(book),
                Err(error) => errors.push(error),
            }
        }
        let is_used = !books.is_empty() || errors.is_empty();
        if is_used {
            self.books = (!books.is_empty()).then_some(books);
        }
        (is_used, errors)
    }

    /// Chooses a book move instead of a search. Returns `None` if the options disable books, if the
    /// client wants an analysis, or if no book has a move for the position that the client allows
    /// and that does not repeat a position of the game: repetitions are left to the search, which
    /// knows the rules.
    pub(crate) fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
        options: &Options,
    ) -> Option<BookChoice> {
        if !options.own_book || position.move_number() > options.book_depth || is_analysis(limits) {
            return None;
        }
        let is_allowed = |one: &BookMove| limits.allows(one.mv) && !repeats(position, one.mv);
        let candidates = (self.lists(position).into_iter())
            .map(|moves| moves.into_iter().filter(is_allowed).collect::<Vec<_>>())
            .find(|moves| moves.iter().any(|one| one.weight > 0))?;
        let chosen = draw(&candidates, options.book_variety, &mut self.random)?;
        let next = position.after([chosen.mv]);
        let heaviest = |moves: Vec<BookMove>| moves.into_iter().find(|answer| answer.weight > 0);
        Some(BookChoice {
            mv: chosen.mv,
            ponder: self.lists(&next).into_iter().find_map(heaviest).map(|answer| answer.mv),
            message: message(&chosen, &candidates),
        })
    }

    /// Returns the moves of each book for a position.
    fn lists(&self, position: &Position) -> Vec<Vec<BookMove>> {
        match &self.books {
            Some(books) => books.iter().map(|book| book.moves(position)).collect(),
            None => vec![Book::built_in().moves(position)],
        }
    }
}

/// Splits a list of paths separated by `;`.
fn paths(list: &Path) -> Vec<PathBuf> {
    match list.to_str() {
        Some(text) => {
            let parts = text.split(';').map(str::trim);
            parts.filter(|part| !part.is_empty()).map(PathBuf::from).collect()
        }
        // The bytes of another encoding cannot be split safely.
        None => vec![list.to_owned()],
    }
}

/// Returns whether the client wants an analysis rather than a move.
fn is_analysis(limits: &Limits) -> bool {
    let is_limited = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.soft_nodes.is_some()
        || limits.move_time.is_some()
        || limits.clock.is_some();
    limits.infinite || limits.ponder || limits.mate.is_some() || !is_limited
}

fn message(chosen: &BookMove, candidates: &[BookMove]) -> String {
    let all: f64 = candidates.iter().map(|one| f64::from(one.weight)).sum();
    let share = 100.0 * f64::from(chosen.weight) / all.max(1.0);
    let mut text = format!("book move, {share:.0} % of the weight of {} moves", candidates.len());
    if let Some(results) = chosen.results {
        text += &format!(", {} games", results.games());
        if let Some(score) = results.score() {
            text += &format!(", score {:.0} %", 100.0 * score);
        }
    }
    text
}
