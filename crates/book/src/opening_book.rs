//! A book of any format, and the moves it holds for a position.

use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use cannonade_tables::input_file;
use xiangqi::board::Position;

use super::elephant_eye::EyeFile;
use super::file::RecordFile;
use super::key::PositionKey;
use super::obk::ObkFile;
use super::record::{BookMove, count_keys, moves_in, range_of};
use super::{BookError, ContentError};

/// Maximum size of a book in bytes: it is read as a whole.
const MAX_SIZE: u64 = 1 << 30;

/// The kinds of books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// Made by `cannonade book build`.
    Cannonade,
    /// ElephantEye's `BOOK.DAT`.
    ElephantEye,
    /// A SQLite file with a table `bhobk`, as programs for Chinese players share them.
    Obk,
}

impl BookFormat {
    /// Returns the name for people and programs.
    pub const fn name(self) -> &'static str {
        match self {
            BookFormat::Cannonade => "cannonade",
            BookFormat::ElephantEye => "elephanteye",
            BookFormat::Obk => "obk",
        }
    }
}

impl fmt::Display for BookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A book in memory.
#[derive(Debug)]
pub struct Book {
    content: Content,
    size: usize,
}

#[derive(Debug)]
enum Content {
    Cannonade(RecordFile),
    ElephantEye(EyeFile),
    Obk(ObkFile),
}

/// Range of the moves of a position in a book.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    orientation: Orientation,
}

#[derive(Clone, Copy, Debug)]
enum Orientation {
    Key(PositionKey),
    Mirrored(bool),
}

impl Book {
    /// Returns the book of master games that is part of the program, parsed once for the whole
    /// program.
    pub fn built_in() -> Arc<Book> {
        static SHARED: LazyLock<Arc<Book>> = LazyLock::new(|| {
            let book = Book::from_bytes(cannonade_books::MASTERS);
            Arc::new(book.unwrap_or_else(|error| unreachable!("the built-in book: {error}")))
        });
        Arc::clone(&SHARED)
    }

    /// Reads the bytes of a book of any format.
    ///
    /// # Errors
    /// If they are none, or not sound in every record.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, ContentError> {
        let content = if RecordFile::is_own(bytes) {
            Content::Cannonade(RecordFile::parse(bytes)?)
        } else if ObkFile::is_one(bytes) {
            Content::Obk(ObkFile::parse(bytes)?)
        } else {
            Content::ElephantEye(EyeFile::parse(bytes)?)
        };
        Ok(Book { content, size: bytes.len() })
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a sound book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let io = |error| BookError::Io { path: path.to_owned(), error };
        let bytes = input_file::read_regular(path, MAX_SIZE).map_err(io)?;
        let content = |reason| BookError::Content { path: path.to_owned(), reason };
        if ObkFile::is_one(&bytes) {
            check_log(path).map_err(content)?;
        }
        Book::from_bytes(&bytes).map_err(content)
    }

    /// Reads a file as [`Book::open`]. A relative path is searched in the working directory and its
    /// folder `books`, then beside the executable and in the folder `books` there.
    ///
    /// # Errors
    /// If it cannot be read or is not a sound book.
    pub fn find(path: &Path) -> Result<Book, BookError> {
        let books = Path::new("books").join(path);
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let here = [Some(path.to_owned()), Some(books.clone())];
        let there = [path, &books].map(|path| beside.map(|folder| folder.join(path)));
        let places: Vec<PathBuf> = here.into_iter().chain(there).flatten().collect();
        let found = places.iter().find(|place| place.is_file());
        Book::open(found.map_or(path, |place| place))
    }

    /// Returns the kind of the file.
    pub fn format(&self) -> BookFormat {
        match self.content {
            Content::Cannonade(_) => BookFormat::Cannonade,
            Content::ElephantEye(_) => BookFormat::ElephantEye,
            Content::Obk(_) => BookFormat::Obk,
        }
    }

    /// Returns the bytes of the file.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the number of moves of all positions; a position and its mirror image count once.
    pub fn len(&self) -> usize {
        match &self.content {
            Content::Cannonade(file) => file.records().len(),
            Content::ElephantEye(file) => file.records().len(),
            Content::Obk(file) => file.records().len(),
        }
    }

    /// Returns whether the book has no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of positions; a position and its mirror image count once.
    pub fn positions(&self) -> usize {
        match &self.content {
            Content::Cannonade(file) => count_keys(file.records()),
            Content::ElephantEye(file) => count_keys(file.records()),
            Content::Obk(file) => count_keys(file.records()),
        }
    }

    /// Returns the number of games counted and the maximum number of plies of each, if the format
    /// has them.
    pub fn games_and_plies(&self) -> Option<(u32, u32)> {
        match &self.content {
            Content::Cannonade(file) => Some((file.origin.games, file.origin.plies)),
            Content::ElephantEye(_) | Content::Obk(_) => None,
        }
    }

    /// Returns the origin and licence of the games; empty if unknown.
    pub fn credit(&self) -> &str {
        match &self.content {
            Content::Cannonade(file) => &file.origin.credit,
            Content::ElephantEye(_) | Content::Obk(_) => "",
        }
    }

    /// Returns the legal moves that the book has for a position, the heaviest first.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let places = self.search(position);
        let mut moves: Vec<BookMove> =
            places.iter().flat_map(|place| self.moves_at(place)).collect();
        // Another position may have the same key.
        moves.retain(|book_move| position.check_move(book_move.mv).is_ok());
        moves.sort_by_key(|book_move| std::cmp::Reverse(book_move.weight));
        // A position and its mirror image may both have a move; the heavier one counts.
        let mut seen = Vec::new();
        moves.retain(|book_move| {
            let is_new = !seen.contains(&book_move.mv);
            seen.push(book_move.mv);
            is_new
        });
        moves
    }

    /// Finds the moves of a position: nowhere, at one place, or, in an `.obk` file, at two.
    pub(super) fn search(&self, position: &Position) -> Vec<Found> {
        let mirrored =
            |(range, mirrored)| Found { range, orientation: Orientation::Mirrored(mirrored) };
        let mut places: Vec<Found> = match &self.content {
            Content::Cannonade(file) => {
                let key = PositionKey::of(position);
                let range = range_of(file.records(), &key.value);
                vec![Found { range, orientation: Orientation::Key(key) }]
            }
            Content::ElephantEye(file) => {
                file.find(position.board()).map(mirrored).into_iter().collect()
            }
            Content::Obk(file) => file.find(position.board()).map(mirrored).collect(),
        };
        places.retain(|place| !place.range.is_empty());
        places
    }

    /// Returns the moves at a place, which need not be legal.
    pub(super) fn moves_at(&self, found: &Found) -> Vec<BookMove> {
        let range = found.range.clone();
        let mut moves: Vec<BookMove> = match &self.content {
            Content::Cannonade(file) => moves_in(file.records(), range),
            Content::ElephantEye(file) => moves_in(file.records(), range),
            Content::Obk(file) => moves_in(file.records(), range),
        };
        for book_move in &mut moves {
            book_move.mv = match found.orientation {
                Orientation::Key(key) => key.played(book_move.mv),
                Orientation::Mirrored(true) => book_move.mv.mirror(),
                Orientation::Mirrored(false) => book_move.mv,
            };
        }
        moves
    }
}

/// Refuses a SQLite file whose last changes are still in its write-ahead log (sqlite.org/wal.html).
fn check_log(path: &Path) -> Result<(), ContentError> {
    let mut log = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).into_os_string();
    log.push("-wal");
    if fs::metadata(&log).is_ok_and(|data| data.len() > 0) {
        let name = Path::new(&log).file_name().unwrap_or_default().display();
        let reason =
            format!("its last changes are still in {name}; close the program that writes it");
        return Err(ContentError::Sqlite(reason.into()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a book of ElephantEye with these records: key, bytes of the squares, weight.
    fn eye_book(records: &[(u32, [u8; 2], u16)]) -> Vec<u8> {
        let row = |&(key, squares, weight): &(u32, [u8; 2], u16)| {
            [&key.to_le_bytes()[..], &squares, &weight.to_le_bytes()].concat()
        };
        records.iter().flat_map(row).collect()
    }

    #[test]
    fn a_book_of_elephant_eye_is_read_with_mirror_images() {
        // h2e2 and b2e2 from the start; the reply is stored for b2e2, as b9c7.
        let bytes = eye_book(&[
            (0x0526_56D5, [0xAA, 0xA7], 1473),
            (0x0526_56D5, [0xA4, 0xA7], 20),
            (0x5396_644F, [0x34, 0x55], 7),
        ]);
        let book = Book::from_bytes(&bytes).expect("a book");
        assert_eq!((book.format(), book.len()), (BookFormat::ElephantEye, 3));
        let mut position = Position::startpos();
        let texts = |position: &Position| {
            let moves = book.moves(position).into_iter();
            moves.map(|one| (one.mv.to_string(), one.weight)).collect::<Vec<_>>()
        };
        assert_eq!(texts(&position), [("h2e2".into(), 1473), ("b2e2".into(), 20)]);
        position.play_unchecked("h2e2".parse().expect("a move"));
        assert_eq!(texts(&position), [("h9g7".into(), 7)]);
    }

    #[test]
    fn files_that_only_look_like_a_book_of_elephant_eye_are_foreign() {
        let start = (0x0526_56D5, [0xAA, 0xA7], 1473);
        for records in [
            &[(7, [0xAA, 0xA7], 1)][..],
            &[(0xFFFF_FFFF, [0xAA, 0xA7], 1), start],
            &[(7, [0x00, 0xA7], 1), start],
            &[(7, [0xA7, 0xA7], 1), start],
        ] {
            let found = Book::from_bytes(&eye_book(records)).map(|book| book.len());
            assert_eq!(found, Err(ContentError::Foreign), "{records:?}");
        }
        let mut longer = eye_book(&[start]);
        longer.push(0);
        assert!(Book::from_bytes(&longer).is_err());
        assert!(Book::from_bytes(&[]).is_err());
    }
}
