//! Compression of a long row of small numbers with random access.
//!
//! Pairs of symbols that are often side by side become new symbols, again and again, until there
//! are 4096 symbols (byte pair encoding; see P. Gage, "A new algorithm for data compression",
//! 1994, and N. Larsson and A. Moffat, "Offline dictionary-based compression", 2000, whose
//! Re-Pair the chess tables of Syzygy use). The row is cut into blocks of equal length; each block
//! is written as symbols of equal width, so a reader adds up the lengths of a few dozen symbols.
//! Numbers that are never read (`None`) take the value that compresses best.

mod dictionary;
mod encoder;
mod reader;

pub(super) use encoder::{Encoded, encode};
pub use reader::StreamError;
pub(super) use reader::{Source, Stream};

/// Maximum number of symbols in a dictionary.
const MAX_SYMBOLS: usize = 1 << 12;
/// Maximum length of the expansion of a symbol, and of a block.
const MAX_LENGTH: usize = 1 << 13;

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs, noise and holes, as tables have them.
    fn row(len: usize, seed: u64) -> Vec<Option<u8>> {
        let mut state = seed | 1;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut row = Vec::new();
        while row.len() < len {
            let value = (next() % 7) as u8 * 3;
            match next() % 4 {
                0 => row.extend((0..next() % 900).map(|_| Some(value))),
                1 => row.extend((0..next() % 20).map(|_| None)),
                _ => row.extend((0..next() % 50).map(|_| Some((next() % 5) as u8))),
            }
        }
        row.truncate(len);
        row
    }

    const HOLE: u8 = 200;

    fn bytes_of(row: &[Option<u8>]) -> Vec<u8> {
        row.iter().map(|number| number.unwrap_or(HOLE)).collect()
    }

    fn survives(row: &[Option<u8>]) {
        let encoded = encode(&bytes_of(row), |byte| (byte < HOLE).then_some(byte));
        let mut bytes = Vec::new();
        encoded.write(&mut bytes);
        let (stream, rest) = Stream::parse(&bytes[..], 0, row.len()).unwrap();
        assert_eq!(rest, bytes.len());
        for (i, &value) in row.iter().enumerate() {
            let read = stream.value(&bytes[..], i);
            assert!(read.is_some());
            assert!(value.is_none() || read == value, "{i}: {value:?} {read:?}");
        }
        let values = stream.values(&bytes[..]).unwrap();
        assert!((0..row.len()).all(|i| stream.value(&bytes[..], i) == Some(values[i])));
    }

    #[test]
    fn every_value_is_read_back() {
        for (len, seed) in [(1, 1), (2, 2), (100, 3), (70_000, 4)] {
            survives(&row(len, seed));
        }
        survives(&vec![None; 5000]);
        survives(&vec![Some(7); 100_000]);
    }

    #[test]
    fn symbols_for_more_or_fewer_numbers_than_the_row_has_are_an_error() {
        let mut bytes = Vec::new();
        encode(&vec![7; 9 * MAX_LENGTH], Some).write(&mut bytes);
        for missing in [1, MAX_LENGTH - 1] {
            let len = 9 * MAX_LENGTH - missing;
            let (stream, _) = Stream::parse(&bytes[..], 0, len).unwrap();
            assert_eq!(stream.values(&bytes[..]), Err(StreamError::Damaged));
        }
        let (stream, end) = Stream::parse(&bytes[..], 0, 9 * MAX_LENGTH).unwrap();
        assert_eq!(stream.values(&bytes[..end - 5]), Err(StreamError::Damaged));
    }

    #[test]
    fn damaged_bytes_give_an_error_or_a_value_but_never_a_panic() {
        let row = row(20_000, 9);
        let mut bytes = Vec::new();
        encode(&bytes_of(&row), |byte| (byte < HOLE).then_some(byte)).write(&mut bytes);
        for at in (0..bytes.len()).step_by(37) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xFF;
            if let Ok((stream, _)) = Stream::parse(&damaged[..], 0, row.len()) {
                for i in (0..row.len()).step_by(501) {
                    let _ = stream.value(&damaged[..], i);
                }
            }
            assert!(Stream::parse(&bytes[..at], 0, row.len()).is_err());
        }
    }
}
