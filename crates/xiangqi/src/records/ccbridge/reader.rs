//! Reading CBR records and CBL libraries.

use encoding_rs::UTF_16LE;

use crate::board::{Board, Move, Position};
use crate::geometry::{Color, Square};

use super::layout::{
    BLACK_FIRST, BOARD, FIRST_MOVER, HAS_ALTERNATIVE, HAS_COMMENT, LINE_ENDS, MOVES, RECORD_MAGIC,
    RESULT, TEXTS, VERSION, VERSION_AT, piece, result, square,
};
use crate::records::builder::{GameBuilder, TreePlace};
use crate::records::reading::Reading;
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
    let starts = (first..bytes.len()).step_by(STEP);
    let slots_with_rest = starts.filter_map(|at| bytes.get(at..));
    let records = slots_with_rest.filter(|rest| rest.starts_with(RECORD_MAGIC));
    for (index, record) in records.enumerate() {
        add_record(&mut reading, record, index + 1);
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
    let mut builder = GameBuilder::new(Position::from_recorded_board(board, 0)?);
    for (offset, size, tag) in TEXTS {
        builder.game.set_tag(tag, text(header.get(offset..offset + size).unwrap_or_default()));
    }
    builder.game.result = result(header[RESULT]);
    let mut line = Line { here: Some(builder.place()), is_variation: false };
    if let Err(defect) = read_moves(moves, &mut builder, &mut line, defects) {
        defects.push(defect.of_line(line.is_variation));
    }
    Ok(builder.game)
}

/// The line of moves that is read: the main line comes first.
struct Line {
    /// The place of its last move; `None` after a defect.
    here: Option<TreePlace>,
    is_variation: bool,
}

fn read_moves(
    mut bytes: &[u8],
    builder: &mut GameBuilder,
    line: &mut Line,
    defects: &mut Vec<RecordError>,
) -> Result<(), RecordError> {
    // The places where alternatives leave the lines before them; `None` after a defect.
    let mut waiting: Vec<Option<TreePlace>> = Vec::new();
    let mut is_start = true;
    loop {
        let (&[flags, _, from, to], rest) =
            bytes.split_first_chunk::<4>().ok_or(RecordError::Truncated("a move"))?;
        bytes = rest;
        let mut comment = String::new();
        if flags & HAS_COMMENT != 0 {
            let part = RecordError::Truncated("a comment");
            let (length, rest) = bytes.split_first_chunk::<4>().ok_or(part.clone())?;
            let length = u32::from_le_bytes(*length) as usize;
            let (stored, rest) = rest.split_at_checked(length).ok_or(part)?;
            comment = text(stored);
            bytes = rest;
        }
        if flags & HAS_ALTERNATIVE != 0 {
            waiting.push(line.here);
        }
        if let Some(place) = line.here.filter(|_| !is_start) {
            builder.go_to(place);
            line.here = match play(builder, from.into(), to.into()) {
                Ok(()) => Some(builder.place()),
                Err(defect) => {
                    defects.push(defect.of_line(line.is_variation));
                    None
                }
            };
        }
        if line.here.is_some() {
            builder.game.add_comment(builder.node(), &comment);
        }
        is_start = false;
        if flags & LINE_ENDS != 0 {
            let Some(place) = waiting.pop() else { return Ok(()) };
            *line = Line { here: place, is_variation: true };
        }
    }
}

/// Makes a move of two indices.
///
/// # Errors
///
/// If it is not legal.
pub(super) fn play(builder: &mut GameBuilder, from: usize, to: usize) -> Result<(), RecordError> {
    match square(from).zip(square(to)).and_then(|(from, to)| Move::new(from, to)) {
        Some(mv) => builder.play_squares(mv),
        None => Err(RecordError::OffBoard {
            number: builder.position().move_number(),
            text: format!("{from} {to}"),
        }),
    }
}
