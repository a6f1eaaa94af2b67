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

/// Where the library says that some slots are deleted, and the state of such a slot, with which its
/// entry in the index begins. The records of deleted slots are still in the file.
const HAS_DELETED: usize = 56;
const DELETED: u32 = 5;

/// Returns the number in four bytes; 0 if they are not there.
fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    four.map_or(0, |four| u32::from_le_bytes(*four))
}

/// Returns the text before the first NUL.
fn text(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).take_while(|unit| *unit != [0, 0]).count();
    let text = bytes.get(..2 * units).unwrap_or_default();
    UTF_16LE.decode_without_bom_handling(text).0.trim().to_owned()
}

/// Reads a CBR file.
pub(in crate::records) fn read_record(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    add_record(&mut reading, bytes, 1, "");
    reading
}

/// Reads a CBL file: all records on its steps, a long one going on over the next ones. Deleted
/// records are skipped. A record without pieces is a chapter, whose title the games after it have as
/// their tag `Chapter`.
pub(in crate::records) fn read_library(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let slots = number(bytes, 60);
    let first = (slots as usize).saturating_mul(SLOT).saturating_add(INDEX);
    let begins = |at: &usize| bytes.get(*at..).is_some_and(|rest| rest.starts_with(RECORD_MAGIC));
    let starts: Vec<usize> = (first..bytes.len()).step_by(STEP).filter(begins).collect();
    let has_deleted = number(bytes, HAS_DELETED) != 0;
    let is_deleted = |start: usize| {
        let slot = (start - first) / STEP;
        has_deleted && number(bytes, INDEX + slot * SLOT) == DELETED
    };
    // A record ends where the next one begins, whatever its moves say.
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    let mut chapter = String::new();
    let live = starts.iter().zip(ends).filter(|(start, _)| !is_deleted(**start));
    for (index, (&start, end)) in live.enumerate() {
        let record = bytes.get(start..end).unwrap_or_default();
        match chapter_title(record) {
            Some(title) => chapter = title,
            None => add_record(&mut reading, record, index + 1, &chapter),
        }
    }
    if reading.games.is_empty() && reading.problems.is_empty() && slots > 0 && first > bytes.len() {
        let error = RecordError::Truncated("the index of the library");
        reading.add(1, None, Err(error), Vec::new());
    }
    reading
}

/// Returns the title of a record that is a chapter: it has no piece.
fn chapter_title(record: &[u8]) -> Option<String> {
    let header = record.first_chunk::<MOVES>()?;
    let is_known = header[VERSION_AT] == VERSION;
    let is_empty = header[BOARD..BOARD + Square::COUNT].iter().all(|&code| piece(code).is_none());
    let (offset, size, _) = TEXTS[0];
    let title = header.get(offset..offset + size).unwrap_or_default();
    (is_known && is_empty).then(|| text(title))
}

fn add_record(reading: &mut Reading, bytes: &[u8], number: usize, chapter: &str) {
    let mut defects = Vec::new();
    let mut game = read_game(bytes, &mut defects);
    if let Ok(game) = &mut game {
        game.put_tag("Chapter", chapter.to_owned());
    }
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

    #[test]
    fn deleted_records_are_skipped_and_chapters_are_headings() {
        let padded = |mut record: Vec<u8>| {
            record.resize(STEP, 0);
            record
        };
        let game = |title: &str| {
            let mut game = Game::new(Position::startpos());
            game.put_tag("Title", title.to_owned());
            game
        };
        let mut page = write_record(&game("第一章"));
        page[BOARD..BOARD + Square::COUNT].fill(0);
        let records = [page, write_record(&game("deleted")), write_record(&game("live"))];
        let mut library = LIBRARY_MAGIC.to_vec();
        library.resize(INDEX, 0);
        library[HAS_DELETED] = 1;
        library[60] = 3;
        for state in [7_u32, DELETED, 7] {
            let entry = library.len();
            library.extend(state.to_le_bytes());
            library.resize(entry + SLOT, 0);
        }
        library.extend(records.into_iter().flat_map(padded));
        let titles = |library: &[u8]| {
            let reading = read_library(library);
            assert!(reading.problems.is_empty(), "{:?}", reading.problems);
            let tags = |game: &Game| {
                [game.tag("Title"), game.tag("Chapter")].map(|tag| tag.unwrap_or("").to_owned())
            };
            reading.games.iter().map(tags).collect::<Vec<_>>()
        };
        assert_eq!(titles(&library), [["live", "第一章"]]);
        library[HAS_DELETED] = 0;
        assert_eq!(titles(&library), [["deleted", "第一章"], ["live", "第一章"]]);
    }
}
