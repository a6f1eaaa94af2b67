//! Writing CBR records.

use super::layout::{
    BLACK_FIRST, BOARD, FIRST_MOVER, FIRST_NUMBER, HAS_ALTERNATIVE, HAS_COMMENT, LINE_ENDS, MOVES,
    RECORD_MAGIC, RED_FIRST, RESULT, TEXTS, VERSION, VERSION_AT, index, piece_code, square,
};
use crate::geometry::{Color, Square};
use crate::records::Game;
use crate::records::encoding::encode_prefix;
use crate::records::file_order::listed;
use crate::records::result_code::result_code;

/// The bytes between the pieces of the start and the first record.
const BEFORE_MOVES: [u8; 4] = [0xFF; 4];

/// Returns the file of a game. Annotations have no place in it, and texts of the header are cut to
/// their fields.
pub(in crate::records) fn write_record(game: &Game) -> Vec<u8> {
    let mut bytes = header(game);
    for node in listed(game) {
        let comment = game.comment(node.id);
        let flags = [
            (!node.has_continuation, LINE_ENDS),
            (node.has_alternative, HAS_ALTERNATIVE),
            (!comment.is_empty(), HAS_COMMENT),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum();
        let (from, to) = game.mv(node.id).map_or((0, 0), |mv| (index(mv.from()), index(mv.to())));
        bytes.extend([flags, 0, from, to]);
        if !comment.is_empty() {
            // Readers look for the NUL.
            let stored: Vec<u8> = utf16(comment).chain(std::iter::once([0, 0])).flatten().collect();
            bytes.extend((stored.len() as u32).to_le_bytes());
            bytes.extend(stored);
        }
    }
    bytes
}

/// Returns the units of a text, each as two bytes. A NUL would end it.
fn utf16(text: &str) -> impl Iterator<Item = [u8; 2]> + '_ {
    text.encode_utf16().filter(|&unit| unit != 0).map(u16::to_le_bytes)
}

fn header(game: &Game) -> Vec<u8> {
    let mut header = vec![0; MOVES];
    put(&mut header, 0, RECORD_MAGIC);
    put(&mut header, VERSION_AT, &[VERSION]);
    for (offset, size, tag) in TEXTS {
        let text = game.field(tag).unwrap_or_default();
        let text = encode_prefix(text, size - 2, |one| utf16(one).flatten().collect());
        put(&mut header, offset, &text);
    }
    put(&mut header, RESULT, &[result_code(game.result)]);
    let first = match game.start().side() {
        Color::Red => RED_FIRST,
        Color::Black => BLACK_FIRST,
    };
    put(&mut header, FIRST_MOVER, &[first]);
    put(&mut header, FIRST_NUMBER, &[1]);
    let pieces: Vec<u8> = (0..Square::COUNT)
        .map(|at| piece_code(square(at).and_then(|sq| game.start().piece_on(sq))))
        .collect();
    put(&mut header, BOARD, &pieces);
    put(&mut header, BOARD + Square::COUNT, &BEFORE_MOVES);
    header
}

/// Puts bytes into a header, which is long enough for all of its fields.
fn put(header: &mut [u8], offset: usize, bytes: &[u8]) {
    for (place, &byte) in header.iter_mut().skip(offset).zip(bytes) {
        *place = byte;
    }
}
