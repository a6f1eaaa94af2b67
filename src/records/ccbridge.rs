//! The files of CCBridge (象棋桥): CBR records, CBL libraries of records, and CBF in XML.
//!
//! Texts are UTF-16LE and end with a NUL. Squares count from a9, row by row from the top. A CBR
//! record has its header of 2214 bytes, then one record per move: flags, 0, from, to, and a comment.
//! Flag 1 ends a line, 2 announces an alternative to the move, 4 a comment. After the end of a line
//! the next record is the alternative to the last move that announced one.

use encoding_rs::UTF_16LE;

use crate::board::{Board, Move, Position};
use crate::geometry::{Color, Piece, PieceKind, Square};

use super::game::{GameBuilder, TreePlace};
use super::reading::Reading;
use super::{Game, GameResult, RecordError};

pub(super) const RECORD_MAGIC: &[u8] = b"CCBridge Record\0";
pub(super) const LIBRARY_MAGIC: &[u8] = b"CCBridgeLibrary\0";

/// The layout described above, at byte 19.
const VERSION: u8 = 2;

const BOARD: usize = 2120;
const MOVES: usize = 2214;

/// Texts of a record: offset, size, tag.
const TEXTS: [(usize, usize, &str); 11] = [
    (180, 128, "Title"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (884, 64, "Date"),
    (948, 64, "Site"),
    (1012, 64, "TimeControl"),
    (1076, 64, "Red"),
    (1140, 64, "RedTeam"),
    (1300, 64, "Black"),
    (1364, 64, "BlackTeam"),
    (1652, 64, "Annotator"),
];

/// The library's index: where it begins, bytes per slot, and the step between records.
const INDEX: usize = 66_624;
const SLOT: usize = 276;
const STEP: usize = 4096;

/// The text before the first NUL.
fn text(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).take_while(|unit| *unit != [0, 0]).count();
    let text = bytes.get(..2 * units).unwrap_or_default();
    UTF_16LE.decode_without_bom_handling(text).0.trim().to_owned()
}

fn result(code: u8) -> GameResult {
    match code {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 | 4 => GameResult::Draw,
        _ => GameResult::Unknown,
    }
}

/// The square with this index from a9, row by row.
fn square(index: usize) -> Option<Square> {
    let files = usize::from(Square::FILES);
    let row = u8::try_from(index / files).ok()?;
    Square::new((index % files) as u8, (Square::RANKS - 1).checked_sub(row)?)
}

/// Reads a CBR file.
pub(super) fn read_record(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    add_record(&mut reading, bytes, 1);
    reading
}

/// Reads a CBL file: all records on its steps, a long one going on over the next ones.
pub(super) fn read_library(bytes: &[u8]) -> Reading {
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
        reading.add(1, Err((None, error)), Vec::new());
    }
    reading
}

fn add_record(reading: &mut Reading, bytes: &[u8], number: usize) {
    let mut defects = Vec::new();
    let game = read_game(bytes, &mut defects).map_err(|error| (None, error));
    reading.add(number, game, defects.into_iter().map(|error| (None, error)).collect());
}

fn read_game(bytes: &[u8], defects: &mut Vec<RecordError>) -> Result<Game, RecordError> {
    let (header, moves) =
        bytes.split_first_chunk::<MOVES>().ok_or(RecordError::Truncated("the header"))?;
    if header[19] != VERSION {
        return Err(RecordError::Version("this CCBridge record"));
    }
    let mut board = Board::empty();
    for (index, &code) in header[BOARD..BOARD + Square::COUNT].iter().enumerate() {
        if let (Some(piece), Some(sq)) = (piece(code), square(index)) {
            board.put(piece, sq);
        }
    }
    let side = if header[2112] == 2 { Color::Black } else { Color::Red };
    board.set_side(side);
    let mut builder = GameBuilder::new(Position::from_board(board, 0)?);
    for (offset, size, tag) in TEXTS {
        builder.game.set_tag(tag, text(header.get(offset..offset + size).unwrap_or_default()));
    }
    builder.game.result = result(header[2076]);
    if let Err(error) = read_moves(moves, &mut builder, defects) {
        defects.push(error);
    }
    Ok(builder.game)
}

fn piece(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = match code & 15 {
        1 => PieceKind::Rook,
        2 => PieceKind::Knight,
        3 => PieceKind::Bishop,
        4 => PieceKind::Advisor,
        5 => PieceKind::King,
        6 => PieceKind::Cannon,
        7 => PieceKind::Pawn,
        _ => return None,
    };
    Some(Piece::new(color, kind))
}

fn read_moves(
    mut bytes: &[u8],
    builder: &mut GameBuilder,
    defects: &mut Vec<RecordError>,
) -> Result<(), RecordError> {
    // Where each alternative leaves the lines before it; `None` behind a defect.
    let mut waiting: Vec<Option<TreePlace>> = Vec::new();
    let mut here = Some(builder.place());
    let mut is_start = true;
    loop {
        let (&[flags, _, from, to], rest) =
            bytes.split_first_chunk::<4>().ok_or(RecordError::Truncated("a move"))?;
        bytes = rest;
        let mut comment = String::new();
        if flags & 4 != 0 {
            let part = RecordError::Truncated("a comment");
            let (length, rest) = bytes.split_first_chunk::<4>().ok_or(part.clone())?;
            let length = u32::from_le_bytes(*length) as usize;
            let (stored, rest) = rest.split_at_checked(length).ok_or(part)?;
            comment = text(stored);
            bytes = rest;
        }
        if flags & 2 != 0 {
            waiting.push(here);
        }
        if let Some(place) = here.filter(|_| !is_start) {
            builder.go_to(place);
            here = play(builder, from.into(), to.into(), defects);
        }
        if here.is_some() {
            builder.game.add_comment(builder.node(), &comment);
        }
        is_start = false;
        if flags & 1 != 0 {
            match waiting.pop() {
                Some(place) => here = place,
                None => return Ok(()),
            }
        }
    }
}

/// Makes a move of two indices; `None` with a defect if it is not legal.
fn play(
    builder: &mut GameBuilder,
    from: usize,
    to: usize,
    defects: &mut Vec<RecordError>,
) -> Option<TreePlace> {
    let played = match square(from).zip(square(to)).filter(|(from, to)| from != to) {
        Some((from, to)) => builder.play_squares(Move::new(from, to)),
        None => Err(RecordError::OffBoard {
            number: builder.position().move_number(),
            text: format!("{from} {to}"),
        }),
    };
    match played {
        Ok(()) => Some(builder.place()),
        Err(error) => {
            defects.push(error);
            None
        }
    }
}

/// Reads a CBF file. Its form for variations and comments is not known; only the main line is read.
pub(super) fn read_xml(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut defects = Vec::new();
    let game = read_xml_game(text, &mut defects).map_err(|error| (None, error));
    reading.add(1, game, defects.into_iter().map(|error| (None, error)).collect());
    reading
}

fn read_xml_game(text: &str, defects: &mut Vec<RecordError>) -> Result<Game, RecordError> {
    let text = text.trim_start_matches('\u{feff}');
    let document = roxmltree::Document::parse(text);
    let document = document.map_err(|error| RecordError::Xml(error.to_string()))?;
    let value = |name: &str| {
        let node = document.descendants().find(|node| node.has_tag_name(name));
        node.and_then(|node| node.text()).map(str::trim).filter(|text| !text.is_empty())
    };
    let start = match value("FEN") {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::startpos(),
    };
    let mut builder = GameBuilder::new(start);
    for (name, tag) in [
        ("Name", "Title"),
        ("Event", "Event"),
        ("Round", "Round"),
        ("Date", "Date"),
        ("TreePlace", "Site"),
        ("Red", "Red"),
        ("RedTeam", "RedTeam"),
        ("Black", "Black"),
        ("BlackTeam", "BlackTeam"),
        ("Author", "Author"),
    ] {
        builder.game.set_tag(tag, value(name).unwrap_or(""));
    }
    builder.game.result =
        result(value("RecordResult").and_then(|code| code.parse().ok()).unwrap_or(0));
    let moves = document.descendants().filter(|node| node.has_tag_name("Move"));
    let values = moves.filter_map(|node| node.attribute("value"));
    for text in values.filter(|&value| value != "00-00") {
        let digits: Vec<usize> = text.bytes().map(|b| usize::from(b.wrapping_sub(b'0'))).collect();
        let indices = match digits[..] {
            [x1 @ 0..9, y1 @ 0..10, _, x2 @ 0..9, y2 @ 0..10] => Some((9 * y1 + x1, 9 * y2 + x2)),
            _ => None,
        };
        let Some((from, to)) = indices else {
            let number = builder.position().move_number();
            defects.push(RecordError::OffBoard { number, text: text.chars().take(20).collect() });
            break;
        };
        if play(&mut builder, from, to, defects).is_none() {
            break;
        }
    }
    Ok(builder.game)
}
