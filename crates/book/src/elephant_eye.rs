//! ElephantEye's `BOOK.DAT`: records of 8 bytes, sorted by key.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | key of the position |
//! | 1, 1 | square that the move leaves, square that it goes to |
//! | 2 | weight |
//!
//! `square_byte` has the bytes of the squares. The key is a Zobrist key whose numbers come from the
//! cipher RC4. A position that is not in the book may be there as its mirror image.

use std::ops::Range;
use std::sync::LazyLock;

use xiangqi::board::{Board, Move};
use xiangqi::geometry::{Color, PieceKind};

use super::ContentError;
use super::piece_numbers::{KeyOrder, PIECES, PieceNumbers};
use super::record::{BookMove, Record, range_of};
use super::square_byte::square;

/// Bytes of a record.
const RECORD: usize = 8;

/// The conventions of the keys.
const ORDER: KeyOrder = KeyOrder {
    kinds: [
        PieceKind::King,
        PieceKind::Advisor,
        PieceKind::Bishop,
        PieceKind::Knight,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Pawn,
    ],
    first: Color::Red,
    mover: Color::Black,
};

/// One move of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EyeRecord {
    key: u32,
    mv: Move,
    weight: u16,
}

impl Record for EyeRecord {
    type Key = u32;

    fn key(&self) -> u32 {
        self.key
    }

    fn book_move(&self) -> BookMove {
        BookMove { mv: self.mv, weight: u32::from(self.weight), results: None }
    }
}

/// The records of a `BOOK.DAT`.
#[derive(Debug)]
pub(super) struct EyeFile(Vec<EyeRecord>);

impl EyeFile {
    /// Reads all bytes of a file. The format has no signature, so the file must be sorted, have
    /// squares on the board only, and hold the starting position.
    pub(super) fn parse(bytes: &[u8]) -> Result<EyeFile, ContentError> {
        let (rows, rest) = bytes.as_chunks::<RECORD>();
        let records: Option<Vec<_>> = rows.iter().map(EyeRecord::parse).collect();
        let file = EyeFile(records.filter(|_| rest.is_empty()).ok_or(ContentError::Foreign)?);
        let start = xiangqi::board::Position::startpos();
        let is_sorted = file.0.is_sorted_by_key(|record| record.key);
        if is_sorted && file.find(start.board()).is_some() {
            Ok(file)
        } else {
            Err(ContentError::Foreign)
        }
    }

    pub(super) fn records(&self) -> &[EyeRecord] {
        &self.0
    }

    /// Returns the range of the records of a position, and whether they belong to its mirror image.
    pub(super) fn find(&self, board: &Board) -> Option<(Range<usize>, bool)> {
        [false, true].into_iter().find_map(|mirrored| {
            let range = range_of(&self.0, &NUMBERS.key(&ORDER, board, mirrored));
            (!range.is_empty()).then_some((range, mirrored))
        })
    }
}

impl EyeRecord {
    fn parse(row: &[u8; RECORD]) -> Option<EyeRecord> {
        let [a, b, c, d, from, to, low, high] = *row;
        let (from, to) = (square(from)?, square(to)?);
        Some(EyeRecord {
            key: u32::from_le_bytes([a, b, c, d]),
            mv: Move::new(from, to)?,
            weight: u16::from_le_bytes([low, high]),
        })
    }
}

static NUMBERS: LazyLock<PieceNumbers<u32>> = LazyLock::new(|| {
    let mut stream = key_stream();
    // Each number of the cipher is a triple, of which the book uses the third word.
    let mut number = || {
        let mut word = || {
            let mut byte = || stream.next().unwrap_or_default();
            u32::from_le_bytes([byte(), byte(), byte(), byte()])
        };
        let [_, _, third] = [word(), word(), word()];
        third
    };
    let side = number();
    let pieces = (0..256 * PIECES).map(|_| number()).collect();
    PieceNumbers { pieces, side }
});

/// Returns the bytes of RC4 (R. Rivest, 1987) for a key of zeros.
fn key_stream() -> impl Iterator<Item = u8> {
    let mut state: Vec<u8> = (0..=255).collect();
    let at = |state: &[u8], index: u8| state.get(usize::from(index)).copied().unwrap_or_default();
    let mut j = 0_u8;
    for i in 0..=255_u8 {
        j = j.wrapping_add(at(&state, i));
        state.swap(usize::from(i), usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    std::iter::from_fn(move || {
        i = i.wrapping_add(1);
        j = j.wrapping_add(at(&state, i));
        state.swap(usize::from(i), usize::from(j));
        let sum = at(&state, i).wrapping_add(at(&state, j));
        Some(at(&state, sum))
    })
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;

    use super::*;

    #[test]
    fn the_key_stream_begins_as_that_of_rc4_with_a_zero_key() {
        let first: Vec<u8> = key_stream().take(12).collect();
        let words = [0x4189_18DE_u32, 0x3A5D_37A3, 0x671E_068A];
        assert_eq!(first, words.map(u32::to_le_bytes).concat());
    }

    /// The keys of records in the book that is distributed with ElephantEye.
    #[test]
    fn keys_are_those_of_the_distributed_book() {
        let mut position = Position::startpos();
        assert_eq!(NUMBERS.key(&ORDER, position.board(), false), 0x0526_56D5);
        assert_eq!(NUMBERS.key(&ORDER, position.board(), true), 0x0526_56D5);
        position.play_unchecked("h2e2".parse().expect("a move"));
        assert_eq!(NUMBERS.key(&ORDER, position.board(), true), 0x5396_644F);
        assert_ne!(NUMBERS.key(&ORDER, position.board(), false), 0x5396_644F);
    }
}
