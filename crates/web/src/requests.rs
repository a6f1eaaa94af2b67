//! What functions are asked: their values, read from JSON and checked.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use cannonade_engine::OptionRow;
use cannonade_engine::search::{Clock, Limits};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::notation::{Notation, read_moves};
use xiangqi::records::FileKind;
use xiangqi::rules::RuleSet;
use xiangqi::rules::explanation::Language;

use super::keeping::GameSummary;
use super::request_error::RequestError;
use super::trees::{MAX_MOVES, Tree};

/// The maximum time of a move.
const MAX_MOVE_TIME: Duration = Duration::from_secs(600);

/// The maximum time of a clock.
const MAX_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// The maximum number of lines of an analysis.
const MAX_LINES: usize = 10;

/// The maximum number of nodes for each position of a game.
const MAX_NODES: u64 = 1_000_000_000;

/// The maximum number of characters of the name of a page.
const MAX_PAGE: u64 = 64;

/// Returns the value of the body.
///
/// # Errors
/// If the body is not JSON of this form.
pub(super) fn value<T: DeserializeOwned>(body: &[u8]) -> Result<T, RequestError> {
    // A list would be read as the fields of an object in their order.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(RequestError::Json("an object is expected".to_owned()));
    }
    serde_json::from_slice(body).map_err(|error| RequestError::Json(error.to_string()))
}

/// Reads a value from its name.
fn named<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: Display,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

/// A position with the moves that lead to it.
pub(super) struct Line {
    pub(super) start: Position,
    pub(super) moves: Vec<Move>,
    /// The position at the end, with its history.
    pub(super) position: Position,
}

impl Line {
    /// Reads a line: a FEN, the starting position if left out, and moves in any notation, separated
    /// by blanks.
    fn read(fen: Option<&str>, moves: &str) -> Result<Line, RequestError> {
        let start = Position::from_fen(fen.unwrap_or(START_FEN)).map_err(RequestError::Fen)?;
        let words: Vec<&str> = moves.split_whitespace().collect();
        if words.len() > MAX_MOVES {
            return Err(RequestError::TooManyMoves(words.len()));
        }
        let moves = read_moves(&start, &words)?;
        let position = start.after(moves.iter().copied());
        Ok(Line { start, moves, position })
    }
}

/// A line to be judged.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct JudgeRequest {
    fen: Option<String>,
    moves: String,
    #[serde(deserialize_with = "named")]
    pub(super) rules: RuleSet,
    #[serde(deserialize_with = "named")]
    pub(super) notation: Notation,
    /// True to explain all repetitions of the line.
    pub(super) explain: bool,
}

impl JudgeRequest {
    pub(super) fn line(&self) -> Result<Line, RequestError> {
        Line::read(self.fen.as_deref(), &self.moves)
    }
}

/// A game to be written as a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WriteRequest {
    pub(super) tree: Tree,
    #[serde(deserialize_with = "named")]
    pub(super) kind: WrittenKind,
    #[serde(default, deserialize_with = "named")]
    pub(super) notation: Notation,
    #[serde(default, deserialize_with = "named")]
    pub(super) rules: RuleSet,
    #[serde(default, deserialize_with = "named")]
    pub(super) language: Language,
    /// True to leave the variations out.
    #[serde(default)]
    pub(super) plain: bool,
    /// True to add scores, marks and better lines.
    #[serde(default)]
    pub(super) analysis: bool,
}

/// What a game is written as.
pub(super) enum WrittenKind {
    /// JSON, with the moves in the notation.
    Tree,
    /// The report as a page.
    Report,
    File(FileKind),
}

impl FromStr for WrittenKind {
    type Err = xiangqi::records::ParseFileKindError;

    fn from_str(text: &str) -> Result<WrittenKind, Self::Err> {
        match text {
            "tree" => Ok(WrittenKind::Tree),
            "report" => Ok(WrittenKind::Report),
            kind => kind.parse().map(WrittenKind::File),
        }
    }
}

/// A game whose moves are to be compared with what the engine has found.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssessRequest {
    /// Its main line is compared.
    pub(super) tree: Tree,
    #[serde(default, deserialize_with = "named")]
    pub(super) rules: RuleSet,
    #[serde(default, deserialize_with = "named")]
    pub(super) notation: Notation,
}

/// A position for which moves of a book or of the endgame tables are asked.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PositionRequest {
    fen: Option<String>,
    #[serde(deserialize_with = "named")]
    pub(super) notation: Notation,
    /// The number of the book.
    pub(super) book: u64,
}

impl PositionRequest {
    pub(super) fn position(&self) -> Result<Position, RequestError> {
        Ok(Line::read(self.fen.as_deref(), "")?.position)
    }
}

/// A position to be drawn.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PictureRequest {
    fen: Option<String>,
    pub(super) last: Option<Move>,
    pub(super) flipped: bool,
    pub(super) pieces: Option<String>,
    pub(super) coordinates: Option<String>,
    pub(super) theme: Option<String>,
    /// Such as `h2e2` or `h7e7:other`.
    pub(super) arrows: Vec<String>,
    /// `svg` or `png`.
    pub(super) kind: Option<String>,
}

impl PictureRequest {
    pub(super) fn position(&self) -> Result<Position, RequestError> {
        Ok(Line::read(self.fen.as_deref(), "")?.position)
    }
}

/// A search, which replaces the one before of the same page.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SearchRequest {
    /// A name that the page has chosen for itself.
    pub(super) page: String,
    fen: Option<String>,
    moves: String,
    #[serde(deserialize_with = "named")]
    pub(super) rules: RuleSet,
    #[serde(deserialize_with = "named")]
    pub(super) notation: Notation,
    lines: Option<usize>,
    /// Milliseconds for the move; without it and without clocks the search has no end.
    time: Option<u64>,
    clock: Option<ClockRequest>,
    /// The strength as `UCI_Elo`; full strength if left out.
    elo: Option<u32>,
    /// The number of the opening book from which a move is drawn, if it has one.
    pub(super) book: Option<u64>,
    /// True to search for the side that is not to move.
    pub(super) threat: bool,
}

/// The mover's clock in milliseconds.
#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct ClockRequest {
    left: u64,
    increment: u64,
}

impl SearchRequest {
    pub(super) fn line(&self) -> Result<Line, RequestError> {
        check_page(&self.page)?;
        Line::read(self.fen.as_deref(), &self.moves)
    }

    pub(super) fn limits(&self) -> Result<Limits, RequestError> {
        let lines = self.lines.unwrap_or(1);
        in_range("lines", lines as u64, 1, MAX_LINES as u64)?;
        let clock = |clock: ClockRequest| {
            Ok::<Clock, RequestError>(Clock {
                left: milliseconds("left", clock.left, 0, MAX_CLOCK)?,
                increment: milliseconds("increment", clock.increment, 0, MAX_MOVE_TIME)?,
                moves_to_go: None,
            })
        };
        Ok(Limits {
            move_time: self.time.map(move_time).transpose()?,
            clock: self.clock.map(clock).transpose()?,
            infinite: self.time.is_none() && self.clock.is_none(),
            multi_pv: lines,
            ..Limits::default()
        })
    }

    pub(super) fn elo(&self) -> Result<Option<u32>, RequestError> {
        let Some(elo) = self.elo else { return Ok(None) };
        let [min, max] = elo_bounds().ok_or(RequestError::NoLevels)?;
        in_range("elo", elo.into(), min.into(), max.into())?;
        Ok(Some(elo))
    }
}

/// The analysis of a line, which replaces the search before of the same page.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct AnalyseRequest {
    /// A name that the page has chosen for itself.
    pub(super) page: String,
    fen: Option<String>,
    moves: String,
    #[serde(deserialize_with = "named")]
    pub(super) rules: RuleSet,
    /// Milliseconds for each position.
    time: Option<u64>,
    /// Nodes for each position in place of a time: two runs with one thread find the same.
    nodes: Option<u64>,
    /// The last position that is wanted, by the half-moves before it; the whole line if left out.
    pub(super) from: Option<usize>,
}

impl AnalyseRequest {
    pub(super) fn line(&self) -> Result<Line, RequestError> {
        check_page(&self.page)?;
        Line::read(self.fen.as_deref(), &self.moves)
    }

    pub(super) fn limits(&self) -> Result<Limits, RequestError> {
        if let Some(nodes) = self.nodes {
            in_range("nodes", nodes, 1000, MAX_NODES)?;
            return Ok(Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() });
        }
        let time = move_time(self.time.unwrap_or(400))?;
        Ok(Limits { move_time: Some(time), multi_pv: 1, ..Limits::default() })
    }
}

/// The page whose search is meant.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageRequest {
    pub(super) page: String,
}

/// A game for the folder of kept games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeepRequest {
    /// 32 hexadecimal digits.
    pub(super) key: String,
    /// One more than the number of the last write; 1 for a new game.
    pub(super) revision: u64,
    pub(super) summary: GameSummary,
    /// The state of the game as the page reads it again.
    pub(super) game: serde_json::Value,
}

/// A kept game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeyRequest {
    pub(super) key: String,
}

/// Returns the bounds of `UCI_Elo`, if the engine can play below its strength.
pub(super) fn elo_bounds() -> Option<[u32; 2]> {
    let (min, max) = OptionRow::find("UCI_Elo")?.bounds()?;
    Some([u32::try_from(min).ok()?, u32::try_from(max).ok()?])
}

fn check_page(name: &str) -> Result<(), RequestError> {
    in_range("the length of 'page'", name.len() as u64, 1, MAX_PAGE)
}

fn move_time(value: u64) -> Result<Duration, RequestError> {
    milliseconds("time", value, 10, MAX_MOVE_TIME)
}

fn milliseconds(
    name: &'static str,
    value: u64,
    min: u64,
    max: Duration,
) -> Result<Duration, RequestError> {
    in_range(name, value, min, u64::try_from(max.as_millis()).unwrap_or(u64::MAX))?;
    Ok(Duration::from_millis(value))
}

fn in_range(name: &'static str, value: u64, min: u64, max: u64) -> Result<(), RequestError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(RequestError::OutOfRange { name, value, min, max })
}
