//! Writing XQF of version 0x0A.

use super::{HEADER, PLAIN_VERSION, TEXTS};
use crate::board::START_FEN;
use crate::geometry::{Color, Square};
use crate::records::encoding::encode_gb18030;
use crate::records::file_order::listed;
use crate::records::{Game, men};
use crate::rules::GameResult;

/// Offsets in the header.
const MEN: usize = 16;
const SIDE: usize = 50;
const RESULT: usize = 51;
const GAME_TYPE: usize = 64;

/// The types of a game: a whole one, and an ending. Readers ignore the squares of a whole one.
const WHOLE_GAME: u8 = 0;
const ENDING: u8 = 3;

/// The byte of a man who is not on the board.
const ABSENT: u8 = 0xFF;

/// Added to the squares of a move.
const FROM: u8 = 24;
const TO: u8 = 32;

/// The flags of a record.
const CONTINUATION: u8 = 0xF0;
const ALTERNATIVE: u8 = 0x0F;

/// The last byte of the first record.
const START_MARK: u8 = 0xFF;

/// Returns the file of a game. Annotations have no place in it, and texts of the header are cut to
/// their fields.
pub(in crate::records) fn write(game: &Game) -> Vec<u8> {
    let mut bytes = header(game).to_vec();
    for node in listed(game) {
        let mut flags = 0;
        if node.has_continuation {
            flags |= CONTINUATION;
        }
        if node.has_alternative {
            flags |= ALTERNATIVE;
        }
        match game.mv(node.id) {
            Some(mv) => bytes.extend([FROM + byte(mv.from()), TO + byte(mv.to()), flags, 0]),
            None => bytes.extend([FROM, TO, flags, START_MARK]),
        }
        let comment = game.comment(node.id).replace('\n', "\r\n");
        let comment = encode_gb18030(&comment, u32::MAX as usize);
        bytes.extend((comment.len() as u32).to_le_bytes());
        bytes.extend(comment);
    }
    bytes
}

/// Returns the byte of a square: 10 times the file plus the rank.
fn byte(square: Square) -> u8 {
    10 * square.file() + square.rank()
}

fn header(game: &Game) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..3].copy_from_slice(&[b'X', b'Q', PLAIN_VERSION]);
    let squares = men::squares(game.start().board());
    for (stored, square) in header[MEN..].iter_mut().zip(squares) {
        *stored = square.map_or(ABSENT, byte);
    }
    header[SIDE] = match game.start().side() {
        Color::Red => 0,
        Color::Black => 1,
    };
    header[RESULT] = match game.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    let is_usual = game.start().fen() == START_FEN;
    header[GAME_TYPE] = if is_usual { WHOLE_GAME } else { ENDING };
    for (offset, size, tag) in TEXTS {
        let text = encode_gb18030(game.field(tag).unwrap_or_default(), size - 1);
        // The length is less than the size, which is at most 64.
        let stored = std::iter::once(text.len() as u8).chain(text);
        for (place, byte) in header.iter_mut().skip(offset).zip(stored) {
            *place = byte;
        }
    }
    header
}
