//! The file format of a book. All numbers are little-endian; see `docs/formats.md`.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `CANNBOOK` |
//! | 4 | version, 1 |
//! | 4 | CRC-32 of all that follows |
//! | 4 | number of records |
//! | 4 | number of games that were counted |
//! | 4 | maximum number of plies counted in a game |
//! | 4 | length of the credit in bytes |
//! | | credit in UTF-8: whose games they are, and under which licence |
//! | 20 each | records, sorted by key and move |
//!
//! | bytes | a record |
//! |---|---|
//! | 8 | key of the position |
//! | 2 | move: square it leaves, plus 128 times the square it goes to |
//! | 2 | weight |
//! | 2 each | games won by the mover, drawn, lost, without a known result |

use xiangqi::board::Move;

use super::ContentError;
use super::record::{BookMove, Record};
use super::results::Results;

const MAGIC: &[u8; 8] = b"CANNBOOK";
const VERSION: u32 = 1;
/// Bytes before the credit.
const HEADER: usize = 32;
/// Bytes of a record.
const RECORD: usize = 20;

/// One move of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BookRecord {
    pub(super) key: u64,
    pub(super) mv: Move,
    /// Relative frequency of the move among the moves of its position.
    pub(super) weight: u16,
    /// No count exceeds 65535.
    pub(super) results: Results,
}

impl Record for BookRecord {
    type Key = u64;

    fn key(&self) -> u64 {
        self.key
    }

    fn book_move(&self) -> BookMove {
        let weight = u32::from(self.weight);
        BookMove { mv: self.mv, weight, results: Some(self.results) }
    }
}

/// Origin of the games, as in the header.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct BookOrigin {
    pub(super) games: u32,
    pub(super) plies: u32,
    pub(super) credit: String,
}

/// Records of a validated book of this program.
#[derive(Debug)]
pub(super) struct RecordFile {
    pub(super) origin: BookOrigin,
    records: Vec<BookRecord>,
}

impl RecordFile {
    /// Returns whether the bytes begin as a book of this program, of any version.
    pub(super) fn is_own(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Parses and validates all bytes of a file.
    pub(super) fn parse(bytes: &[u8]) -> Result<RecordFile, ContentError> {
        let found = bytes.len() as u64;
        let truncated = ContentError::Length { expected: HEADER as u64, found };
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(truncated)?;
        let number = |at: usize| u32::from_le_bytes(array(header, at));
        let [version, expected_sum, records, games, plies, credit] =
            [8, 12, 16, 20, 24, 28].map(number);
        if version != VERSION {
            return Err(ContentError::Version { expected: VERSION, found: version });
        }
        let expected = HEADER as u64 + u64::from(credit) + RECORD as u64 * u64::from(records);
        if expected != found {
            return Err(ContentError::Length { expected, found });
        }
        let sum = crc32fast::hash(bytes.get(16..).unwrap_or_default());
        if sum != expected_sum {
            return Err(ContentError::Checksum { expected: expected_sum, found: sum });
        }
        let (credit, rows) = body.split_at_checked(credit as usize).unwrap_or_default();
        let credit = String::from_utf8_lossy(credit).into_owned();
        let (rows, _) = rows.as_chunks::<RECORD>();
        let read = |(i, row)| BookRecord::parse(row).ok_or(ContentError::Move(i + 1));
        let records = rows.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let order = |pair: &[BookRecord]| matches!(pair, [a, b] if a.order() >= b.order());
        if let Some(i) = records.windows(2).position(order) {
            return Err(ContentError::Order(i + 2));
        }
        Ok(RecordFile { origin: BookOrigin { games, plies, credit }, records })
    }

    /// Writes the bytes of a file. The records must be sorted by key and code of the move, without
    /// duplicates.
    pub(super) fn write(origin: &BookOrigin, records: &[BookRecord]) -> Vec<u8> {
        let credit = origin.credit.as_bytes();
        let mut rest = Vec::with_capacity(HEADER + credit.len() + RECORD * records.len());
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        for number in [count(records.len()), origin.games, origin.plies, count(credit.len())] {
            rest.extend(number.to_le_bytes());
        }
        rest.extend(credit);
        for record in records {
            record.write(&mut rest);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(crc32fast::hash(&rest).to_le_bytes());
        bytes.extend(rest);
        bytes
    }

    pub(super) fn records(&self) -> &[BookRecord] {
        &self.records
    }
}

impl BookRecord {
    /// Returns the sort key of the records.
    fn order(&self) -> (u64, u16) {
        (self.key, self.mv.code())
    }

    /// Reads a record; `None` if its squares are not on the board.
    fn parse(row: &[u8; RECORD]) -> Option<BookRecord> {
        let number = |at: usize| u16::from_le_bytes(array(row, at));
        let [wins, draws, losses, unknown] = [12, 14, 16, 18].map(|at| u32::from(number(at)));
        Some(BookRecord {
            key: u64::from_le_bytes(array(row, 0)),
            mv: Move::from_code(number(8))?,
            weight: number(10),
            results: Results { wins, draws, losses, unknown },
        })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.key.to_le_bytes());
        bytes.extend(self.mv.code().to_le_bytes());
        bytes.extend(self.weight.to_le_bytes());
        let Results { wins, draws, losses, unknown } = self.results;
        for count in [wins, draws, losses, unknown] {
            bytes.extend(u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes());
        }
    }
}

/// Returns the bytes from an offset on; zeros beyond the end.
fn array<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..at + N).and_then(|part| part.try_into().ok()).unwrap_or([0; N])
}
