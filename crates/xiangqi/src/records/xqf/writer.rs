//! Writing XQF of version 0x0A.

use super::layout::{
    ALTERNATIVE, BLACK, CONTINUATION, FROM, GAME_TYPE, HEADER, MEN, PLAIN_VERSION, RESULT, SIDE,
    TEXTS, TO, byte,
};
use crate::board::START_FEN;
use crate::geometry::Color;
use crate::records::encoding::encode_gb18030;
use crate::records::file_order::listed;
use crate::records::result_code::result_code;
use crate::records::{Game, men};

/// The types of a game: a whole one, and an ending. Readers ignore the squares of a whole one.
const WHOLE_GAME: u8 = 0;
const ENDING: u8 = 3;

/// The byte of a man who is not on the board.
const ABSENT: u8 = 0xFF;

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

fn header(game: &Game) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..3].copy_from_slice(&[b'X', b'Q', PLAIN_VERSION]);
    let squares = men::squares(game.start().board());
    for (stored, square) in header[MEN..].iter_mut().zip(squares) {
        *stored = square.map_or(ABSENT, byte);
    }
    header[SIDE] = match game.start().side() {
        Color::Red => 0,
        Color::Black => BLACK,
    };
    header[RESULT] = result_code(game.result);
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
