//! Game files: reading every kind that xiangqi programs exchange, writing two of them.
//!
//! | kind | by whom | read | written |
//! |---|---|---|---|
//! | PGN, moves in any notation | most programs | yes | yes |
//! | DhtmlXQ (UBB) | dpxq.com and web boards | yes | yes |
//! | XQF | Xiangqi Wizard, XQStudio | yes | no |
//! | CBR, CBL, CBF | CCBridge | yes | no |
//! | a list: result and moves, a game per line | databases, scripts | yes | no |
//!
//! [`read`] recognises kind and encoding by the content. A defect ends the line of moves where it
//! is and is reported with its place; everything else is read.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod ccbridge;
mod dhtmlxq;
mod encoding;
mod error;
mod game;
mod game_list;
mod men;
mod pgn;
mod reading;
mod xqf;

pub use dhtmlxq::write_dhtmlxq;
pub use encoding::{TextEncoding, UnknownEncoding};
pub use error::{Problem, RecordError};
pub use game::{Game, GameResult, NodeId};
pub use pgn::{RawGame, raw_games, write_pgn};

use reading::Reading;

/// The kinds of game files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Portable Game Notation.
    Pgn,
    /// The text format of dpxq.com.
    DhtmlXq,
    /// Xiangqi Wizard's binary format.
    Xqf,
    /// A CCBridge record.
    Cbr,
    /// A CCBridge library.
    Cbl,
    /// A CCBridge record in XML.
    Cbf,
    /// A game per line: result and moves.
    List,
}

/// The games of a file and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Collection {
    /// The kind that the content showed.
    pub kind: FileKind,
    /// The encoding of the text.
    pub encoding: &'static str,
    /// The games in order. A game with a defect has its moves up to there; one whose start is not
    /// a position is left out.
    pub games: Vec<Game>,
    /// The defects in order.
    pub problems: Vec<Problem>,
}

/// Reads a list with one game per line, also if the results are missing.
pub fn read_list(text: &str) -> Collection {
    let Reading { games, problems } = game_list::read(text);
    Collection { kind: FileKind::List, encoding: "UTF-8", games, problems }
}

/// Reads a game file of any kind.
pub fn read(bytes: &[u8]) -> Collection {
    let binary = if xqf::is_xqf(bytes) {
        Some((FileKind::Xqf, "GB18030", xqf::read(bytes)))
    } else if bytes.starts_with(ccbridge::RECORD_MAGIC) {
        Some((FileKind::Cbr, "UTF-16LE", ccbridge::read_record(bytes)))
    } else if bytes.starts_with(ccbridge::LIBRARY_MAGIC) {
        Some((FileKind::Cbl, "UTF-16LE", ccbridge::read_library(bytes)))
    } else {
        None
    };
    if let Some((kind, encoding, Reading { games, problems })) = binary {
        return Collection { kind, encoding, games, problems };
    }
    let (text, encoding) = encoding::decode(bytes);
    let kind = text_kind(&text);
    let reading = match kind {
        FileKind::Cbf => ccbridge::read_xml(&text),
        FileKind::DhtmlXq => dhtmlxq::read(&text),
        FileKind::List => game_list::read(&text),
        _ => pgn::read(&text),
    };
    Collection { kind, encoding, games: reading.games, problems: reading.problems }
}

/// The kind of a text. The mark that comes first decides, since a comment may quote another format.
fn text_kind(text: &str) -> FileKind {
    let marks = [(FileKind::Cbf, "<ChineseChessRecord"), (FileKind::DhtmlXq, "[DhtmlXQ")];
    let found = marks.into_iter().filter_map(|(kind, mark)| Some((text.find(mark)?, kind)));
    match found.min_by_key(|(at, _)| *at) {
        Some((at, kind)) if pgn::first_tag(text).is_none_or(|tag| at < tag) => kind,
        Some(_) => FileKind::Pgn,
        None if game_list::is_list(text) => FileKind::List,
        None => FileKind::Pgn,
    }
}
