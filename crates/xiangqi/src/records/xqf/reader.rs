//! Reading XQF.

use crate::board::Move;
use crate::geometry::{Color, Square};

use super::layout::{
    ALTERNATIVE, BLACK, CONTINUATION, FROM, HEADER, MEN, PLAIN_VERSION, RESULT, SIDE, TEXTS, TO,
    square,
};
use crate::records::builder::GameBuilder;
use crate::records::encoding::decode_gb18030;
use crate::records::file_order::{ListedMove, add_listed};
use crate::records::reading::Reading;
use crate::records::result_code::result;
use crate::records::{Game, RecordError, men};

/// The last version whose men are in order.
const ORDERED_VERSION: u8 = 0x0B;

/// The text from which the stream of keys is made.
const STREAM: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// Returns whether a file begins as XQF does. A text may have `XQ` and a line end there, but no
/// zero bytes.
pub(in crate::records) fn is_xqf(bytes: &[u8]) -> bool {
    let header = bytes.get(..HEADER).unwrap_or(bytes);
    match header {
        [b'X', b'Q', b'\t' | b'\n' | b'\r', rest @ ..] => rest.contains(&0),
        [b'X', b'Q', version, ..] => *version < 0x20,
        _ => false,
    }
}

/// The keys of the scrambling, from the header.
struct Keys {
    version: u8,
    /// Subtracted from the squares of the men, of a move's origin, of its target.
    men: u8,
    from: u8,
    to: u8,
    /// Subtracted from the lengths of comments.
    comment: u32,
    stream: [u8; 32],
}

impl Keys {
    fn of(header: &[u8; HEADER]) -> Keys {
        let version = header[2];
        if version <= PLAIN_VERSION {
            return Keys { version, men: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };
        }
        let [k0, k1, k2, k3] = [header[12], header[13], header[14], header[15]];
        let square = |k: u8| k.wrapping_mul(k).wrapping_mul(54).wrapping_add(221);
        let men = square(k1).wrapping_mul(k1);
        let from = square(k2).wrapping_mul(men);
        let to = square(k3).wrapping_mul(from);
        let comment = (256 * u32::from(k0) + u32::from(k1)) % 32_000 + 767;
        let mask = header[3];
        let ors = [header[8], header[9], header[10], header[11]];
        let mut stream = *STREAM;
        for (byte, (or, key)) in stream.iter_mut().zip(ors.iter().zip([k0, k1, k2, k3]).cycle()) {
            *byte &= or | (key & mask);
        }
        Keys { version, men, from, to, comment, stream }
    }

    /// Returns the number that is subtracted from the byte at this offset of the file.
    fn at(&self, offset: usize) -> u8 {
        self.stream.get(offset % self.stream.len()).copied().unwrap_or(0)
    }

    fn squares(&self, header: &[u8; HEADER]) -> [Option<Square>; men::COUNT] {
        let mut squares = [None; men::COUNT];
        for (i, &raw) in header[MEN..MEN + men::COUNT].iter().enumerate() {
            let slot = match self.version {
                0..=ORDERED_VERSION => i,
                _ => (i + 1 + usize::from(self.men)) % men::COUNT,
            };
            if let Some(place) = squares.get_mut(slot) {
                *place = square(raw.wrapping_sub(self.men));
            }
        }
        squares
    }
}

/// One record after the header.
struct Record {
    from: Option<Square>,
    to: Option<Square>,
    has_continuation: bool,
    has_alternative: bool,
    comment: String,
}

impl From<Record> for ListedMove {
    fn from(record: Record) -> ListedMove {
        let mv = record.from.zip(record.to).and_then(|(from, to)| Move::new(from, to));
        ListedMove {
            mv: mv.ok_or_else(|| "of an XQF record".to_owned()),
            comment: record.comment,
            has_continuation: record.has_continuation,
            has_alternative: record.has_alternative,
        }
    }
}

/// The bytes after the header, unscrambled as they are read.
struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: Keys,
}

impl Records<'_> {
    fn take<const N: usize>(&mut self, part: &'static str) -> Result<[u8; N], RecordError> {
        let mut taken = [0; N];
        let stored = self.bytes.get(self.at..self.at + N);
        let stored = stored.ok_or(RecordError::Truncated(part))?;
        for (i, (byte, &stored)) in taken.iter_mut().zip(stored).enumerate() {
            *byte = stored.wrapping_sub(self.keys.at(self.at + i));
        }
        self.at += N;
        Ok(taken)
    }

    fn next(&mut self) -> Result<Record, RecordError> {
        let [from, to, flags, _] = self.take::<4>("a move")?;
        let is_plain = self.keys.version <= PLAIN_VERSION;
        let (has_continuation, has_alternative, has_comment) = if is_plain {
            (flags & CONTINUATION != 0, flags & ALTERNATIVE != 0, true)
        } else {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        };
        let mut comment = String::new();
        if has_comment {
            let stored = u32::from_le_bytes(self.take::<4>("the length of a comment")?);
            let length = stored.wrapping_sub(self.keys.comment) as usize;
            let stored = self.bytes.get(self.at..).and_then(|rest| rest.get(..length));
            let stored = stored.ok_or(RecordError::Truncated("a comment"))?;
            let text: Vec<u8> = (self.at..)
                .zip(stored)
                .map(|(at, byte)| byte.wrapping_sub(self.keys.at(at)))
                .collect();
            comment = decode_gb18030(&text);
            self.at += length;
        }
        Ok(Record {
            from: square(from.wrapping_sub(FROM).wrapping_sub(self.keys.from)),
            to: square(to.wrapping_sub(TO).wrapping_sub(self.keys.to)),
            has_continuation,
            has_alternative,
            comment: comment.trim().to_owned(),
        })
    }
}

/// Reads the game of a file.
pub(in crate::records) fn read(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let mut defects = Vec::new();
    let game = read_game(bytes, &mut defects);
    reading.add(1, None, game, defects.into_iter().map(|error| (None, error)).collect());
    reading
}

fn read_game(bytes: &[u8], defects: &mut Vec<RecordError>) -> Result<Game, RecordError> {
    let header = bytes.first_chunk::<HEADER>().ok_or(RecordError::Truncated("the header"))?;
    let keys = Keys::of(header);
    let squares = keys.squares(header);
    let mut records = Records { bytes, at: HEADER, keys };
    let introduction = match bytes.len() {
        HEADER => None,
        // The header of a file that was cut off has the start and the tags.
        _ => records.next().map_err(|defect| defects.push(defect)).ok(),
    };
    // The side of the header is often 0; the first move shows it.
    let first = match &introduction {
        Some(record) if record.has_continuation => {
            let at = records.at;
            let first = records.next();
            records.at = at;
            first.ok().and_then(|record| record.from)
        }
        _ => None,
    };
    let by_header = if header[SIDE] == BLACK { Color::Black } else { Color::Red };
    let side = men::side_of_first_move(&squares, first).unwrap_or(by_header);
    let mut builder =
        GameBuilder::new(men::start(&squares, side, first.is_none()).map_err(RecordError::Start)?);
    for (offset, size, tag) in TEXTS {
        let Some((&length, text)) = header.get(offset..offset + size).and_then(<[u8]>::split_first)
        else {
            continue;
        };
        let text = decode_gb18030(text.get(..usize::from(length)).unwrap_or(text));
        builder.game.put_tag(tag, text.trim_end_matches('\0').trim().to_owned());
    }
    builder.game.result = result(header[RESULT]);
    if let Some(record) = introduction {
        let root = builder.node();
        builder.game.add_comment(root, &record.comment);
        if record.has_continuation {
            add_listed(&mut builder, defects, || Ok(records.next()?.into()));
        }
    }
    Ok(builder.game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_as_a_header_is_no_xqf() {
        for text in ["XQ\n[Event \"x\"]\n\n1. h2e2 *\n", "XQ\tgames\n", "XQ\r\n", "XQ", "XQ2"] {
            assert!(!is_xqf(text.as_bytes()), "{text}");
        }
        for version in 0..0x20 {
            let mut header = [0; HEADER];
            header[..3].copy_from_slice(&[b'X', b'Q', version]);
            assert!(is_xqf(&header), "{version}");
        }
    }
}
