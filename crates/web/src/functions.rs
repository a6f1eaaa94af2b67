//! The functions of the page, the same for the server and for a worker of the page. None of them has
//! a memory of its page: what a function needs comes with the call. `docs/web-requests.md` lists
//! them.

use std::sync::Arc;

use cannonade_tables::{Tables, Value};
use crossbeam_channel::Sender;
use serde::Serialize;
use serde_json::json;
use xiangqi::board::{Move, Position};
use xiangqi::notation::{Notation, write};
use xiangqi::rules::{RuleSet, Wdl};

use super::assessing::{annotated, assessment, report};
use super::books::{Books, book_moves};
use super::judging::judged;
use super::keeping::GamesFolder;
use super::pictures::picture;
use super::problems::WebProblem;
use super::reading::{read, written};
use super::request_error::RequestError;
use super::requests::{
    AnalyseRequest, AssessRequest, JudgeRequest, KeepRequest, KeyRequest, PageRequest,
    PictureRequest, PositionRequest, SearchRequest, WriteRequest, WrittenKind, elo_bounds, value,
};
use super::streams::{EventStream, stream};
use super::trees::Tree;
use super::turns::{EngineMessage, Task, Work};

/// A call of a function.
pub(super) struct Call<'a> {
    /// Names and values as in the query of an address.
    pub(super) query: &'a str,
    pub(super) body: &'a [u8],
}

impl Call<'_> {
    /// Returns the value of a parameter, as it was sent.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    }
}

/// What a function returns.
pub(super) enum Answer {
    /// Nothing but that it is done.
    Done,
    Json(serde_json::Value),
    /// A file with its media type and its name.
    File {
        media_type: &'static str,
        name: String,
        bytes: Vec<u8>,
    },
    /// Events of a search.
    Stream(EventStream),
}

impl Answer {
    fn json(value: &impl Serialize) -> Answer {
        // Maps with keys that are not text are the only values that cannot be written.
        Answer::Json(serde_json::to_value(value).unwrap_or_default())
    }
}

/// The input of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    Nothing,
    /// An object.
    Json,
    /// A file.
    Bytes,
}

type Run = fn(&Call<'_>, &Services) -> Result<Answer, RequestError>;

/// A function of the page.
pub(super) struct Function {
    name: &'static str,
    pub(super) input: Input,
    pub(super) run: Run,
}

impl Function {
    pub(super) fn find(name: &str) -> Option<&'static Function> {
        FUNCTIONS.iter().find(|function| function.name == name)
    }
}

const FUNCTIONS: [Function; 20] = [
    Function { name: "about", input: Input::Nothing, run: about },
    Function { name: "check", input: Input::Json, run: check },
    Function { name: "judge", input: Input::Json, run: judge },
    Function { name: "read", input: Input::Bytes, run: read_file },
    Function { name: "write", input: Input::Json, run: write_file },
    Function { name: "picture", input: Input::Json, run: draw },
    Function { name: "books", input: Input::Nothing, run: list_books },
    Function { name: "open-book", input: Input::Bytes, run: open_book },
    Function { name: "book", input: Input::Json, run: book },
    Function { name: "table", input: Input::Json, run: table },
    Function { name: "search", input: Input::Json, run: search },
    Function { name: "analyse", input: Input::Json, run: analyse },
    Function { name: "now", input: Input::Json, run: move_now },
    Function { name: "stop", input: Input::Json, run: stop },
    Function { name: "assess", input: Input::Json, run: assess },
    Function { name: "games", input: Input::Nothing, run: list_games },
    Function { name: "keep", input: Input::Json, run: keep_game },
    Function { name: "kept", input: Input::Json, run: kept_game },
    Function { name: "remove", input: Input::Json, run: remove_game },
    Function { name: "restore", input: Input::Json, run: restore_game },
];

/// What the functions use.
pub(super) struct Services {
    pub(super) about: About,
    pub(super) books: Books,
    pub(super) tables: Arc<Tables>,
    pub(super) engine: Sender<EngineMessage>,
    pub(super) games: Option<GamesFolder>,
}

/// Information of the program about itself.
#[derive(Clone, Serialize)]
pub(super) struct About {
    name: &'static str,
    threads: usize,
    hash: usize,
    rules: Vec<&'static str>,
    notations: Vec<&'static str>,
    elo: Option<[u32; 2]>,
    /// The folder of kept games.
    games: Option<String>,
}

impl About {
    pub(super) fn new(threads: usize, hash: usize, games: Option<&GamesFolder>) -> About {
        About {
            name: cannonade_engine::uci::NAME,
            threads,
            hash,
            rules: RuleSet::ALL.map(RuleSet::name).to_vec(),
            notations: Notation::ALL.map(Notation::name).to_vec(),
            elo: elo_bounds(),
            games: games.map(GamesFolder::name),
        }
    }
}

fn about(_: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    Ok(Answer::json(&services.about))
}

/// Checks whether a FEN, with moves from there on, is a position; a text that is none is no error.
fn check(call: &Call<'_>, _: &Services) -> Result<Answer, RequestError> {
    let wanted: JudgeRequest = value(call.body)?;
    Ok(Answer::Json(match wanted.line() {
        Ok(line) => json!({ "fen": line.position.fen(), "error": null, "problem": null }),
        Err(error) => {
            let problem = WebProblem::of(&error);
            let message = match error {
                RequestError::Fen(error) => error.to_string(),
                other => other.to_string(),
            };
            json!({ "fen": null, "error": message, "problem": problem })
        }
    }))
}

fn judge(call: &Call<'_>, _: &Services) -> Result<Answer, RequestError> {
    let wanted: JudgeRequest = value(call.body)?;
    Ok(Answer::json(&judged(&wanted.line()?, wanted.rules, wanted.notation, wanted.explain)))
}

fn read_file(call: &Call<'_>, _: &Services) -> Result<Answer, RequestError> {
    let game = match call.parameter("game") {
        None => None,
        Some(text) => match text.parse::<usize>() {
            Ok(number) => Some(number),
            Err(_) => return Err(RequestError::choice("game", text, "a number from 1")),
        },
    };
    let notation = call.parameter("notation").map_or(Ok(Notation::default()), str::parse)?;
    Ok(Answer::json(&read(call.body, game, notation)?))
}

fn write_file(call: &Call<'_>, _: &Services) -> Result<Answer, RequestError> {
    let wanted: WriteRequest = value(call.body)?;
    let (game, _) = wanted.tree.game()?;
    let kind = match wanted.kind {
        WrittenKind::Tree => return Ok(Answer::json(&Tree::of(&game, wanted.notation))),
        WrittenKind::Report => {
            let page = report(&wanted)?;
            let (media_type, name) = ("text/html; charset=utf-8", "report.html".to_owned());
            return Ok(Answer::File { media_type, name, bytes: page.into_bytes() });
        }
        WrittenKind::File(kind) => kind,
    };
    let game = if wanted.analysis { annotated(&wanted)? } else { game };
    let game = if wanted.plain { game.plain() } else { game };
    let bytes = written(&game, kind, wanted.notation)?;
    let media_type =
        if kind.is_text() { "text/plain; charset=utf-8" } else { "application/octet-stream" };
    Ok(Answer::File { media_type, name: format!("game.{}", kind.extension()), bytes })
}

fn draw(call: &Call<'_>, _: &Services) -> Result<Answer, RequestError> {
    let wanted: PictureRequest = value(call.body)?;
    picture(&wanted)
}

fn list_books(_: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    Ok(Answer::json(&services.books.list()))
}

fn open_book(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let name = call.parameter("name").unwrap_or("?");
    let opened = services.books.open(name, call.body).map_err(RequestError::Book)?;
    Ok(Answer::json(&opened))
}

fn book(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: PositionRequest = value(call.body)?;
    let book = services.books.find(wanted.book).ok_or(RequestError::NoBook)?;
    Ok(Answer::json(&book_moves(&book, &wanted.position()?, wanted.notation)))
}

/// The result of a position in the endgame tables for the side to move.
#[derive(Serialize)]
struct TableValue {
    /// `win`, `draw` or `loss`.
    result: &'static str,
    /// Plies to the end of a game that is decided.
    plies: Option<u8>,
    /// False for a draw that a side may hold only by a perpetual check, which rules may forbid.
    exact: bool,
}

impl From<Value> for TableValue {
    fn from(value: Value) -> TableValue {
        let result = match value.wdl() {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        TableValue { result, plies: value.plies(), exact: value.is_exact() }
    }
}

/// A move with its result for the side that makes it.
#[derive(Serialize)]
struct TableMove {
    #[serde(rename = "move")]
    mv: String,
    text: String,
    #[serde(flatten)]
    value: Option<TableValue>,
}

/// Answers `null` for a position that no table holds. A move has no result if it leads to one.
fn table(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: PositionRequest = value(call.body)?;
    let position = wanted.position()?;
    let Some(value) = services.tables.value(position.board()) else {
        return Ok(Answer::Json(serde_json::Value::Null));
    };
    let mut moves: Vec<(Move, Option<Value>)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| (mv, services.tables.value(position.after([mv]).board()).map(Value::before)))
        .collect();
    moves.sort_by_key(|(_, value)| std::cmp::Reverse(value.map(Value::rank)));
    let moves: Vec<TableMove> = moves
        .into_iter()
        .map(|(mv, value)| TableMove {
            mv: mv.to_string(),
            text: write(&position, mv, wanted.notation),
            value: value.map(TableValue::from),
        })
        .collect();
    let value = position.has_legal_move().then(|| TableValue::from(value));
    Ok(Answer::Json(json!({ "value": value, "moves": moves })))
}

/// Returns the position if the side to move passes; none in check, which no side may leave as it
/// is.
fn passed(position: &Position) -> Option<Position> {
    let mut board = position.board().clone();
    board.set_side(!position.side());
    Position::from_board(board, position.halfmove_clock()).ok()
}

fn search(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: SearchRequest = value(call.body)?;
    let position = wanted.line()?.position;
    let position = if wanted.threat { passed(&position) } else { Some(position) };
    let position = position.filter(Position::has_legal_move);
    let position = position.ok_or(RequestError::NothingToSearch)?;
    let book = match wanted.book {
        Some(number) => Some(services.books.find(number).ok_or(RequestError::NoBook)?),
        None => None,
    };
    let (limits, elo) = (wanted.limits()?, wanted.elo()?);
    let (events, stream) = stream();
    let SearchRequest { page, rules, notation, .. } = wanted;
    let work = Work::Search { position: Box::new(position), notation, book, found: Vec::new() };
    let task = Task { page, rules, elo, limits, is_started: false, work, events };
    services.send(EngineMessage::Start(Box::new(task)));
    Ok(Answer::Stream(stream))
}

fn analyse(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: AnalyseRequest = value(call.body)?;
    let line = wanted.line()?;
    let limits = wanted.limits()?;
    let most = wanted.from.unwrap_or(line.moves.len()).min(line.moves.len());
    let at = |ply: usize| line.start.after(line.moves.iter().copied().take(ply));
    let positions = (0..=most).map(|ply| (ply, at(ply))).collect();
    let (events, stream) = stream();
    let AnalyseRequest { page, rules, .. } = wanted;
    let task = Task {
        page,
        rules,
        elo: None,
        limits,
        is_started: false,
        work: Work::Line { positions },
        events,
    };
    services.send(EngineMessage::Start(Box::new(task)));
    Ok(Answer::Stream(stream))
}

fn move_now(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: PageRequest = value(call.body)?;
    services.send(EngineMessage::MoveNow(wanted.page));
    Ok(Answer::Done)
}

fn stop(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: PageRequest = value(call.body)?;
    services.send(EngineMessage::Stop(wanted.page));
    Ok(Answer::Done)
}

fn assess(call: &Call<'_>, _: &Services) -> Result<Answer, RequestError> {
    let wanted: AssessRequest = value(call.body)?;
    Ok(Answer::Json(assessment(&wanted)?))
}

fn list_games(_: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let games = services.games.as_ref().map_or(Ok(Vec::new()), GamesFolder::list);
    Ok(Answer::json(&games.map_err(RequestError::GamesFolder)?))
}

fn keep_game(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: KeepRequest = value(call.body)?;
    services.folder()?.write(&wanted)?;
    Ok(Answer::Done)
}

fn kept_game(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: KeyRequest = value(call.body)?;
    Ok(Answer::Json(services.folder()?.read(&wanted.key)?))
}

fn remove_game(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: KeyRequest = value(call.body)?;
    services.folder()?.remove(&wanted.key)?;
    Ok(Answer::Done)
}

fn restore_game(call: &Call<'_>, services: &Services) -> Result<Answer, RequestError> {
    let wanted: KeyRequest = value(call.body)?;
    services.folder()?.restore(&wanted.key)?;
    Ok(Answer::Done)
}

impl Services {
    fn folder(&self) -> Result<&GamesFolder, RequestError> {
        self.games.as_ref().ok_or(RequestError::NoKeptGame)
    }

    /// Sends a message, which is lost if the server has ended.
    pub(super) fn send(&self, message: EngineMessage) {
        let _ = self.engine.send(message);
    }
}
