//! The bodies of requests, and their errors.

use std::time::Duration;

use cannonade_engine::OptionRow;
use cannonade_game::ClockControl;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use xiangqi::board::{Position, START_FEN};
use xiangqi::geometry::Color;
use xiangqi::notation::read_moves;
use xiangqi::records::{Game, NodeId};

use super::books::Books;
use super::contest::{Contest, Pace, Player};
use super::http::Request;
use super::request_error::RequestError;
use super::search_request::{MoveSearch, ThinkingTime};
use super::state::{MAX_MOVES, SessionState, StateError};

/// The maximum time of a move.
const MAX_MOVE_TIME: Duration = Duration::from_secs(600);

/// The maximum time of a clock.
const MAX_CLOCK: Duration = Duration::from_secs(24 * 3600);

/// The maximum number of lines of an analysis.
const MAX_LINES: usize = 10;

/// The maximum number of characters of a comment.
const MAX_COMMENT: u64 = 10_000;

/// The maximum number of annotation glyphs of a move.
const MAX_GLYPHS: u64 = 8;

/// Returns the value of the body.
///
/// # Errors
/// If the body is not JSON of this form, or not called JSON.
pub(super) fn body<T: DeserializeOwned>(request: &Request) -> Result<T, RequestError> {
    // Other sites can send forms and plain text without permission, but not this type.
    if request.content_type.as_deref() != Some("application/json") {
        return Err(RequestError::MediaType("application/json"));
    }
    // A list would be read as the fields of an object in their order.
    if !request.body.trim_ascii_start().starts_with(b"{") {
        return Err(RequestError::Json("an object is expected".to_owned()));
    }
    serde_json::from_slice(&request.body).map_err(|error| RequestError::Json(error.to_string()))
}

/// Returns the body as a file.
///
/// # Errors
///
/// If it has another media type; other sites cannot send this type without permission.
pub(super) fn octets(request: &Request) -> Result<&[u8], RequestError> {
    const OCTETS: &str = "application/octet-stream";
    if request.content_type.as_deref() != Some(OCTETS) {
        return Err(RequestError::MediaType(OCTETS));
    }
    Ok(&request.body)
}

/// A position as FEN and moves.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PositionRequest {
    /// The starting position if left out.
    fen: Option<String>,
    /// Moves in any notation, separated by blanks.
    moves: String,
}

impl PositionRequest {
    /// Returns the game with these moves, and its last node.
    pub(super) fn game(&self) -> Result<(Game, NodeId), RequestError> {
        let fen = self.fen.as_deref().unwrap_or(START_FEN);
        let start = Position::from_fen(fen).map_err(RequestError::Fen)?;
        let words: Vec<&str> = self.moves.split_whitespace().collect();
        if words.len() > MAX_MOVES {
            return Err(RequestError::TooManyMoves(words.len()));
        }
        let moves = read_moves(&start, &words)?;
        let mut game = Game::new(start);
        let last = game.add_line(NodeId::ROOT, moves)?;
        Ok((game, last))
    }
}

/// A new board: its position and its settings.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BoardRequest {
    fen: Option<String>,
    moves: String,
    settings: SettingsRequest,
}

impl BoardRequest {
    pub(super) fn into_parts(self) -> (PositionRequest, SettingsRequest) {
        let BoardRequest { fen, moves, settings } = self;
        (PositionRequest { fen, moves }, settings)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// A move in any notation.
    #[serde(rename = "move")]
    pub(super) mv: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NodeRequest {
    /// The number of a move in the view.
    pub(super) node: usize,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "'to' is neither the number of a move nor one of back, forward, start and end"
)]
pub(super) enum Target {
    Node(usize),
    Step(GoToStep),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GoToStep {
    Back,
    Forward,
    Start,
    End,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GoToRequest {
    pub(super) to: Target,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SettingsRequest {
    pub(super) rules: Option<String>,
    pub(super) notation: Option<String>,
    pub(super) red: Option<String>,
    pub(super) black: Option<String>,
    pub(super) event: Option<String>,
    pub(super) date: Option<String>,
    /// The side at the bottom of the board.
    pub(super) bottom: Option<Color>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnnotationRequest {
    /// The number of a move in the view; 0 is the start, which has no glyphs.
    node: usize,
    /// Replaces the comment; it stays if left out.
    comment: Option<String>,
    /// Replaces the numeric annotation glyphs of PGN; they stay if left out.
    glyphs: Option<Vec<u8>>,
}

impl AnnotationRequest {
    pub(super) fn apply(&self, state: &mut SessionState) -> Result<(), RequestError> {
        let id = state.game().node_id(self.node).ok_or(StateError::NoNode)?;
        let length = self.comment.as_ref().map_or(0, |text| text.chars().count());
        in_range("the length of the comment", length as u64, 0, MAX_COMMENT)?;
        let count = self.glyphs.as_ref().map_or(0, Vec::len);
        in_range("the number of glyphs", count as u64, 0, MAX_GLYPHS)?;
        // A control character would end the comment or the line of a game file.
        let is_kept = |c: &char| *c == '\n' || !c.is_control();
        let clean = |text: &String| text.trim().chars().filter(is_kept).collect::<String>();
        let comment = self.comment.as_ref().map(clean);
        let glyphs = self.glyphs.clone().filter(|_| id != NodeId::ROOT);
        state.annotate(id, comment.as_deref(), glyphs);
        Ok(())
    }
}

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayerRequest {
    engine: bool,
    #[serde(default)]
    elo: Option<u32>,
}

impl PlayerRequest {
    fn player(self) -> Result<Player, RequestError> {
        if !self.engine {
            return Ok(Player::Human);
        }
        Ok(Player::Engine { elo: checked_elo(self.elo)? })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayRequest {
    red: PlayerRequest,
    black: PlayerRequest,
    time: TimeRequest,
    /// The number of the opening book that the engine plays from; none if left out.
    #[serde(default)]
    book: Option<u64>,
}

/// All in milliseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
enum TimeRequest {
    Move(u64),
    Clock { base: u64, increment: u64 },
}

impl PlayRequest {
    pub(super) fn contest(&self, books: &Books) -> Result<Contest, RequestError> {
        let pace = match self.time {
            TimeRequest::Move(time) => Pace::PerMove(move_time(time)?),
            TimeRequest::Clock { base, increment } => Pace::Clock(ClockControl {
                moves: None,
                time: milliseconds("base", base, 1000, MAX_CLOCK)?,
                increment: milliseconds("increment", increment, 0, MAX_MOVE_TIME)?,
            }),
        };
        let contest = Contest::new([self.red.player()?, self.black.player()?], pace);
        let Some(number) = self.book else { return Ok(contest) };
        Ok(contest.with_book(number, books.find(number).ok_or(RequestError::NoBook)?))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EngineMoveRequest {
    #[serde(default)]
    elo: Option<u32>,
    /// Milliseconds.
    time: u64,
}

impl EngineMoveRequest {
    pub(super) fn search(&self) -> Result<MoveSearch, RequestError> {
        let time = ThinkingTime::Fixed(move_time(self.time)?);
        Ok(MoveSearch { elo: checked_elo(self.elo)?, time })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalysisRequest {
    lines: Option<usize>,
}

impl AnalysisRequest {
    /// Returns the number of lines; `None` ends the analysis.
    pub(super) fn lines(&self) -> Result<Option<usize>, RequestError> {
        let Some(lines) = self.lines else { return Ok(None) };
        in_range("lines", lines as u64, 1, MAX_LINES as u64)?;
        Ok(Some(lines))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThreatRequest {
    #[serde(rename = "show")]
    pub(super) is_shown: bool,
}

/// A kept game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptRequest {
    pub(super) key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SweepRequest {
    /// Milliseconds for each position; nothing ends it.
    time: Option<u64>,
}

impl SweepRequest {
    pub(super) fn time(&self) -> Result<Option<Duration>, RequestError> {
        self.time.map(move_time).transpose()
    }
}

/// Returns the bounds of `UCI_Elo`, if the engine can play below its strength.
pub(super) fn elo_bounds() -> Option<[u32; 2]> {
    let (min, max) = OptionRow::find("UCI_Elo")?.bounds()?;
    Some([u32::try_from(min).ok()?, u32::try_from(max).ok()?])
}

fn checked_elo(elo: Option<u32>) -> Result<Option<u32>, RequestError> {
    let Some(elo) = elo else { return Ok(None) };
    let [min, max] = elo_bounds().ok_or(RequestError::NoLevels)?;
    in_range("elo", elo.into(), min.into(), max.into())?;
    Ok(Some(elo))
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
