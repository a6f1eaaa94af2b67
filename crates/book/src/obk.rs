//! Opening books in SQLite, `.obk`, as programs for Chinese players share them: a table `bhobk`
//! with a row for each move of a position.
//!
//! | column | what |
//! |---|---|
//! | `vkey` | Zobrist key of the position, 64 bits; beyond 63 bits as the bits of a floating-point number, in a column of text written with 15 digits |
//! | `vmove` | 256 times the square that the move leaves, plus the square it goes to |
//! | `vscore` | preference of the move; below 0 it is never played |
//! | `vwin`, `vdraw`, `vlost` | games |
//! | `vvalid` | 0: the move is switched off |
//!
//! Only `vkey` and `vmove` have to be there. A position and its mirror image may both have moves.
//!
//! A square is `16 * row + column`, with a9 at row 3, column 3. The numbers of the keys are those
//! of `rand()` in Microsoft's C library after `srand(0)`, five calls for each, which a comparison
//! with published keys showed: 256 numbers for each of 14 pieces, then one for the side to move.
//! Programs differ in the order of the pieces and in the side whose turn has that number, so the
//! starting position, which every book has, decides.

use std::ops::Range;
use std::sync::LazyLock;

use xiangqi::board::{Board, Move, Position};
use xiangqi::geometry::{Color, PieceKind};

use super::ContentError;
use super::piece_numbers::{KeyOrder, PIECES, PieceNumbers};
use super::record::{BookMove, Record, range_of};
use super::results::Results;
use super::sql_value::SqlValue;
use super::sqlite::SqliteFile;
use super::square_byte::square;

use PieceKind::{Advisor, Bishop, Cannon, King, Knight, Pawn, Rook};

/// The columns that are read; the first ones must be there.
const COLUMNS: [&str; 7] = ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid"];

/// The number of columns without which a row says nothing.
const NEEDED: usize = 2;

/// The orders of the pieces that are known: that of ElephantEye with Red first, and another one
/// with Black first.
const ORDERS: [([PieceKind; 7], Color); 2] = [
    ([King, Advisor, Bishop, Knight, Rook, Cannon, Pawn], Color::Red),
    ([King, Rook, Cannon, Knight, Bishop, Advisor, Pawn], Color::Black),
];

/// One move of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ObkRecord {
    key: u64,
    mv: Move,
    weight: u32,
    results: Results,
}

impl Record for ObkRecord {
    type Key = u64;

    fn key(&self) -> u64 {
        self.key
    }

    fn book_move(&self) -> BookMove {
        BookMove { mv: self.mv, weight: self.weight, results: Some(self.results) }
    }
}

/// The records of an `.obk` file, sorted by key.
#[derive(Debug)]
pub(super) struct ObkFile {
    records: Vec<ObkRecord>,
    order: KeyOrder,
    /// True if keys beyond 63 bits are rounded.
    is_rounded: bool,
}

/// A key as a file has it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum StoredKey {
    Integer(i64),
    Real(u64),
    /// A floating-point number as text, rounded.
    Rounded(u64),
    /// A text beyond 63 bits.
    Large(u64),
}

impl ObkFile {
    /// Returns whether the bytes begin as a SQLite file.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        SqliteFile::is_one(bytes)
    }

    /// Reads all bytes of a file. Rows without a move on the board are left out.
    pub(super) fn parse(bytes: &[u8]) -> Result<ObkFile, ContentError> {
        let mut rows = Vec::new();
        let file = SqliteFile::open(bytes).map_err(ContentError::Sqlite)?;
        file.rows("bhobk", &COLUMNS, NEEDED, |values| rows.extend(ObkRecord::of(values)))
            .map_err(ContentError::Sqlite)?;
        if rows.is_empty() {
            return Err(ContentError::Sqlite("no row has a key and a move as numbers".into()));
        }
        // SQLite keeps 53 bits of a whole number in a column of floating-point numbers.
        let is_positive = |bits: u64| f64::from_bits(bits).is_sign_positive();
        if rows.iter().any(|(key, _)| matches!(key, StoredKey::Real(bits) if is_positive(*bits))) {
            return Err(ContentError::Sqlite("its keys are rounded".into()));
        }
        let is_rounded = rows.iter().any(|(key, _)| matches!(key, StoredKey::Rounded(_)));
        let has_reals = rows.iter().any(|(key, _)| matches!(key, StoredKey::Real(_)));
        let complete =
            |(key, record)| ObkRecord { key: StoredKey::value(key, has_reals), ..record };
        let mut records: Vec<ObkRecord> = rows.into_iter().map(complete).collect();
        records.sort_by_key(|record| record.key);
        for moves in records.chunk_by_mut(|a, b| a.key == b.key) {
            // Without preferences the games decide.
            if moves.iter().all(|record| record.weight <= 1) {
                for record in moves.iter_mut().filter(|record| record.weight > 0) {
                    record.weight = record.results.games().max(1);
                }
            }
        }
        let start = Position::startpos();
        let mut orders = ORDERS
            .into_iter()
            .flat_map(|(kinds, first)| Color::ALL.map(|mover| KeyOrder { kinds, first, mover }));
        let order = orders.find(|order| {
            let key = stored(NUMBERS.key(order, start.board(), false), is_rounded);
            let found = records.get(range_of(&records, &key)).unwrap_or_default();
            found.iter().any(|record| start.check_move(record.mv).is_ok())
        });
        order.map(|order| ObkFile { records, order, is_rounded }).ok_or(ContentError::UnknownKeys)
    }

    pub(super) fn records(&self) -> &[ObkRecord] {
        &self.records
    }

    /// Returns the ranges of the records of a position and of its mirror image, with whether it is
    /// that.
    pub(super) fn find(&self, board: &Board) -> impl Iterator<Item = (Range<usize>, bool)> {
        let [own, mirrored] = [false, true]
            .map(|mirrored| stored(NUMBERS.key(&self.order, board, mirrored), self.is_rounded));
        let keys = [Some((own, false)), (mirrored != own).then_some((mirrored, true))];
        let ranges = keys
            .into_iter()
            .flatten()
            .map(|(key, is_mirrored)| (range_of(&self.records, &key), is_mirrored));
        ranges.filter(|(range, _)| !range.is_empty())
    }
}

/// Returns a key as it is looked up.
fn stored(key: u64, is_rounded: bool) -> u64 {
    if is_rounded && key > i64::MAX.cast_unsigned() { rounded(f64::from_bits(key)) } else { key }
}

/// Returns the bits of a number with 15 digits, which SQLite writes.
fn rounded(number: f64) -> u64 {
    format!("{number:.14e}").parse::<f64>().map_or(number.to_bits(), f64::to_bits)
}

impl StoredKey {
    /// Reads the value of a column.
    fn of(value: &SqlValue) -> Option<StoredKey> {
        match value {
            SqlValue::Integer(key) => Some(StoredKey::Integer(*key)),
            SqlValue::Real(bits) => Some(StoredKey::Real(*bits)),
            SqlValue::Bytes(_) => {
                let text = value.text()?;
                let text = text.trim();
                let large = || text.parse().ok().map(StoredKey::Large);
                let is_large = |number: &f64| number.is_finite() && number.is_sign_negative();
                let real = || {
                    let number = text.parse().ok().filter(is_large)?;
                    Some(StoredKey::Rounded(rounded(number)))
                };
                text.parse().ok().map(StoredKey::Integer).or_else(large).or_else(real)
            }
            SqlValue::Null => None,
        }
    }

    /// Returns the key. SQLite stores a floating-point number without a fraction as an integer.
    fn value(self, has_reals: bool) -> u64 {
        match self {
            StoredKey::Integer(key) if key < 0 && has_reals => (key as f64).to_bits(),
            StoredKey::Integer(key) => key.cast_unsigned(),
            StoredKey::Real(bits) | StoredKey::Rounded(bits) | StoredKey::Large(bits) => bits,
        }
    }
}

impl ObkRecord {
    /// Reads a row, with a key that is not complete; `None` if its squares are not on the board.
    fn of(values: &[&SqlValue]) -> Option<(StoredKey, ObkRecord)> {
        let [key, mv, score, wins, draws, losses, valid] = values else { return None };
        let key = StoredKey::of(key)?;
        let squares = u16::try_from(mv.integer()).ok()?;
        let [from, to] = squares.to_be_bytes().map(square);
        let (from, to) = (from?, to?);
        let count = |value: &SqlValue| u32::try_from(value.integer().max(0)).unwrap_or(u32::MAX);
        // A column that the table lacks switches nothing off.
        let is_on = **valid == SqlValue::Null || valid.integer() != 0;
        let weight = match score.integer() {
            ..0 => 0,
            score => u32::try_from(score).unwrap_or(u32::MAX).max(1),
        };
        let record = ObkRecord {
            key: 0,
            mv: Move::new(from, to)?,
            weight: if is_on { weight } else { 0 },
            results: Results {
                wins: count(wins),
                draws: count(draws),
                losses: count(losses),
                unknown: 0,
            },
        };
        Some((key, record))
    }
}

static NUMBERS: LazyLock<PieceNumbers<u64>> = LazyLock::new(|| {
    let mut state = 0_u32;
    let mut number = || {
        [0, 15, 30, 45, 60].into_iter().fold(0, |value, shift| {
            state = state.wrapping_mul(214_013).wrapping_add(2_531_011);
            value ^ (u64::from(state >> 16 & 0x7FFF) << shift)
        })
    };
    let pieces = (0..256 * PIECES).map(|_| number()).collect();
    PieceNumbers { pieces, side: number() }
});

#[cfg(test)]
mod tests {
    use super::*;

    /// The first number of the published list, and the one for the side to move.
    #[test]
    fn the_numbers_are_the_published_ones() {
        assert_eq!(NUMBERS.pieces.first(), Some(&0x7130_B4BD_8F13_8026));
        assert_eq!(NUMBERS.side, 0xA0CE_2AF9_0C45_2F58);
    }
}
