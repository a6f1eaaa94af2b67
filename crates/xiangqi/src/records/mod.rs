//! Game files: reading the kinds that xiangqi programs exchange, and writing most of them.
//!
//! | kind | by whom | read | written | keeps |
//! |---|---|---|---|---|
//! | PGN, moves in any notation | most programs | yes | yes | all |
//! | DhtmlXQ (UBB) | dpxq.com and web boards | yes | yes | tags, comments, variations |
//! | XQF | Xiangqi Wizard, XQStudio | yes | yes | tags cut to their fields, comments, variations |
//! | CBR | CCBridge: a record | yes | yes | the same |
//! | CBL | CCBridge: a library | yes | no | |
//! | CBF | CCBridge: a record in XML | yes | yes | tags, the main line |
//! | WXF: `FORMAT WXF`, `START{` moves `}END` | PlayOK, XieXie | yes | no | |
//! | a list: result and moves, a game per line | databases, scripts | yes | yes | result, the main line |
//! | the command `position`, a game per line | logs of engines | yes | yes | start, the main line |
//! | FEN or EPD, a position per line | collections, problems | yes | yes | the last position |
//!
//! XQF, CBR and DhtmlXQ have no place for the counters of a start: moves are counted from 1 again.
//!
//! [`read`] recognises kind and encoding by the content. A defect ends the line of moves where it
//! is and is reported with its place; everything else is read.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod builder;
mod ccbridge;
mod cursor;
mod dhtmlxq;
mod encoding;
mod error;
mod fen_list;
mod file_kind;
mod file_order;
mod game;
mod game_list;
mod men;
mod move_lines;
mod one_line;
mod pgn;
mod position_line;
mod reading;
mod result_code;
mod writing;
mod wxf_file;
mod xqf;

pub use cursor::Cursor;
pub use encoding::{ParseEncodingError, TextEncoding, decode_text};
pub use error::{Problem, RecordError, WriteError};
pub use file_kind::{FileKind, ParseFileKindError};
pub use game::{Game, NodeId};
pub use pgn::{GLYPH_SIGNS, RawGame, TagError, assessment_signs, move_sign, raw_games, write_pgn};
pub use writing::write;

use encoding::DecodedText;
use reading::Reading;

/// The games of a file and its defects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Collection {
    /// The kind that the content showed.
    pub kind: FileKind,
    /// The encoding of the text, or of the texts in a binary file.
    pub encoding: TextEncoding,
    /// The games in order. A game with a defect has its moves up to there; one whose start is not
    /// a position is left out.
    pub games: Vec<Game>,
    /// The number of each game in the file, from 1; a game that is left out has one, too.
    pub numbers: Vec<usize>,
    /// The defects in order.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// Returns what was read of a file of this kind and encoding.
    fn collection(self, kind: FileKind, encoding: TextEncoding) -> Collection {
        let Reading { games, numbers, problems, .. } = self;
        Collection { kind, encoding, games, numbers, problems }
    }
}

/// Reads a list with one game per line, also if the results are missing.
pub fn read_list(text: &str) -> Collection {
    game_list::read(text).collection(FileKind::List, TextEncoding::Utf8)
}

/// Reads a game file of any kind.
///
/// ```
/// use xiangqi::records::{self, FileKind, TextEncoding};
/// use xiangqi::{GameResult, Notation};
///
/// let collection = records::read(b"[Result \"1-0\"]\n\n1. C2=5 h7 2. Zz9 1-0\n");
/// assert_eq!(collection.kind, FileKind::Pgn);
/// assert_eq!(collection.games[0].result, GameResult::RedWins);
/// assert!(!collection.problems.is_empty()); // there is no move `Zz9`
/// let xqf = records::write(&collection.games, FileKind::Xqf, Notation::Wxf, TextEncoding::Utf8)?;
/// assert_eq!(records::read(&xqf).games[0].moves(), collection.games[0].moves());
/// # Ok::<(), xiangqi::records::WriteError>(())
/// ```
pub fn read(bytes: &[u8]) -> Collection {
    let binary = if xqf::is_xqf(bytes) {
        Some((FileKind::Xqf, TextEncoding::Gb18030, xqf::read(bytes)))
    } else if bytes.starts_with(ccbridge::RECORD_MAGIC) {
        Some((FileKind::Cbr, TextEncoding::Utf16Le, ccbridge::read_record(bytes)))
    } else if bytes.starts_with(ccbridge::LIBRARY_MAGIC) {
        Some((FileKind::Cbl, TextEncoding::Utf16Le, ccbridge::read_library(bytes)))
    } else {
        None
    };
    if let Some((kind, encoding, reading)) = binary {
        return reading.collection(kind, encoding);
    }
    let DecodedText { text, encoding, has_wrong_bytes } = encoding::decode(bytes);
    let kind = text_kind(&text);
    // Tags and the marks of the other kinds show a game file, whatever its comments hold.
    if kind == FileKind::Pgn && pgn::first_tag(&text).is_none() && is_binary(&text) {
        return Reading::default().collection(kind, encoding);
    }
    let mut reading = match kind {
        FileKind::Cbf => ccbridge::read_xml(&text),
        FileKind::DhtmlXq => dhtmlxq::read(&text),
        FileKind::Wxf => wxf_file::read(&text),
        FileKind::List => game_list::read(&text),
        FileKind::Position => position_line::read(&text),
        FileKind::Fen => fen_list::read(&text),
        _ => pgn::read(&text),
    };
    if has_wrong_bytes {
        reading.add_wrong_bytes(&text, encoding);
    }
    reading.collection(kind, encoding)
}

/// Returns true if more than a tenth of the characters are control characters or were wrong bytes.
fn is_binary(text: &str) -> bool {
    let is_wrong = |c: char| c == '\u{fffd}' || c.is_control() && !c.is_whitespace();
    let wrong = text.chars().filter(|&c| is_wrong(c)).count();
    10 * wrong > text.chars().count()
}

/// Returns the kind of a text. The mark that comes first decides, since a comment may quote another
/// format.
fn text_kind(text: &str) -> FileKind {
    let marks = [
        (FileKind::Cbf, text.find("<ChineseChessRecord")),
        (FileKind::DhtmlXq, text.find("[DhtmlXQ")),
        (FileKind::Wxf, wxf_file::mark(text)),
    ];
    let found = marks.into_iter().filter_map(|(kind, at)| Some((at?, kind)));
    match found.min_by_key(|(at, _)| *at) {
        Some((at, kind)) if pgn::first_tag(text).is_none_or(|tag| at < tag) => kind,
        Some(_) => FileKind::Pgn,
        None if game_list::is_list(text) => FileKind::List,
        None if position_line::is_position(text) => FileKind::Position,
        None if pgn::first_tag(text).is_none() && fen_list::is_list(text) => FileKind::Fen,
        None => FileKind::Pgn,
    }
}
