//! Reading CBR records and CBL libraries.

use encoding_rs::UTF_16LE;

use crate::board::{Board, Move, Position};
use crate::geometry::{Color, Square};

use super::layout::{
    BLACK_FIRST, BOARD, FIRST_MOVER, HAS_ALTERNATIVE, HAS_COMMENT, LINE_ENDS, MOVES, RECORD_MAGIC,
    RESULT, TEXTS, VERSION, VERSION_AT, piece, square,
};
use crate::records::builder::GameBuilder;
use crate::records::file_order::{ListedMove, add_listed};
use crate::records::reading::Reading;
use crate::records::result_code::result;
use crate::records::{Game, RecordError};

/// The library's index: where it begins, bytes per slot, and the step between records.
const INDEX: usize = 66_624;
const SLOT: usize = 276;
const STEP: usize = 4096;

/// Returns the text before the first NUL.
fn text(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).take_while(|unit| *unit != [0, 0]).count();
    let text = bytes.get(..2 * units).unwrap_or_default();
    UTF_16LE.decode_without_bom_handling(text).0.trim().to_owned()
}

/// Reads a CBR file.
pub(in crate::records) fn read_record(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    add_record(&mut reading, bytes, 1);
    reading
}

/// Reads a CBL file: all records on its steps, a long one going on over the next ones.
pub(in crate::records) fn read_library(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let slots =
        bytes.get(60..64).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes);
    let first = (slots as usize).saturating_mul(SLOT).saturating_add(INDEX);
    let begins = |at: &usize| bytes.get(*at..).is_some_and(|rest| rest.starts_with(RECORD_MAGIC));
    let starts: Vec<usize> = (first..bytes.len()).step_by(STEP).filter(begins).collect();
    // A record ends where the next one begins, whatever its moves say.
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    for (index, (&start, end)) in starts.iter().zip(ends).enumerate() {
        add_record(&mut reading, bytes.get(start..end).unwrap_or_default(), index + 1);
    }
    if reading.games.is_empty() && reading.problems.is_empty() && slots > 0 && first > bytes.len() {
        let error = RecordError::Truncated("the index of the library");
        reading.add(1, None, Err(error), Vec::new());
    }
    reading
}

fn add_record(reading: &mut Reading, bytes: &[u8], number: usize) {
    let mut defects = Vec::new();
    let game = read_game(bytes, &mut defects);
    reading.add(number, None, game, defects.into_iter().map(|error| (None, error)).collect());
}

fn read_game(bytes: &[u8], defects: &mut Vec<RecordError>) -> Result<Game, RecordError> {
    let (header, moves) =
        bytes.split_first_chunk::<MOVES>().ok_or(RecordError::Truncated("the header"))?;
    if header[VERSION_AT] != VERSION {
        return Err(RecordError::Version("this CCBridge record"));
    }
    let mut board = Board::empty();
    for (index, &code) in header[BOARD..BOARD + Square::COUNT].iter().enumerate() {
        if let (Some(piece), Some(sq)) = (piece(code), square(index)) {
            board.put(piece, sq);
        }
    }
    let side = if header[FIRST_MOVER] == BLACK_FIRST { Color::Black } else { Color::Red };
    board.set_side(side);
    let start = Position::from_recorded_board(board, 0).map_err(RecordError::Start)?;
    let mut builder = GameBuilder::new(start);
    for (offset, size, tag) in TEXTS {
        builder.game.put_tag(tag, text(header.get(offset..offset + size).unwrap_or_default()));
    }
    builder.game.result = result(header[RESULT]);
    let mut rest = moves;
    match take_record(&mut rest) {
        Ok(start) => {
            builder.game.add_comment(builder.node(), &start.comment);
            if start.has_continuation {
                add_listed(&mut builder, defects, || take_record(&mut rest));
            }
        }
        Err(defect) => defects.push(defect),
    }
    Ok(builder.game)
}

/// Takes a record off the bytes.
fn take_record(bytes: &mut &[u8]) -> Result<ListedMove, RecordError> {
    let all: &[u8] = bytes;
    let (&[flags, _, from, to], mut rest) =
        all.split_first_chunk::<4>().ok_or(RecordError::Truncated("a move"))?;
    let mut comment = String::new();
    if flags & HAS_COMMENT != 0 {
        let part = RecordError::Truncated("a comment");
        let (length, behind) = rest.split_first_chunk::<4>().ok_or(part.clone())?;
        let length = u32::from_le_bytes(*length) as usize;
        let (stored, behind) = behind.split_at_checked(length).ok_or(part)?;
        comment = text(stored);
        rest = behind;
    }
    *bytes = rest;
    Ok(ListedMove {
        mv: move_between(from.into(), to.into()),
        comment,
        has_continuation: flags & LINE_ENDS == 0,
        has_alternative: flags & HAS_ALTERNATIVE != 0,
    })
}

/// Returns the move between the squares of two indices, or their text if there is none.
pub(super) fn move_between(from: usize, to: usize) -> Result<Move, String> {
    let mv = square(from).zip(square(to)).and_then(|(from, to)| Move::new(from, to));
    mv.ok_or_else(|| format!("{from} {to}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::ccbridge::{LIBRARY_MAGIC, write_record};

    #[test]
    fn a_record_of_a_library_ends_where_the_next_one_begins() {
        let mut record = write_record(&Game::new(Position::startpos()));
        // The start announces a comment that would reach into the next record.
        record[MOVES] = HAS_COMMENT;
        record.extend((2 * STEP as u32).to_le_bytes());
        record.resize(STEP, 0);
        let mut library = LIBRARY_MAGIC.to_vec();
        library.resize(INDEX, 0);
        library.extend(record.repeat(3));
        let reading = read_library(&library);
        assert_eq!(reading.games.len(), 3);
        let defects: Vec<_> = reading.problems.iter().map(|problem| &problem.defect).collect();
        assert_eq!(defects, [&RecordError::Truncated("a comment"); 3]);
    }
}
