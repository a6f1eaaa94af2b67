//! Answers of the server: the page, and requests for a session.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;
use web_time::{Duration, Instant};
use xiangqi::notation::Notation;
use xiangqi::rules::RuleSet;

use super::books::{Books, book_moves};
use super::changes::{Change, ReadChange, Settings, find_change};
use super::game_files::{assessment, load, report, save};
use super::http::{Request, Response, StatusCode};
use super::judging::judged_loops;
use super::keeping::GamesFolder;
use super::kept_games;
use super::pictures::picture;
use super::problems::WebProblem;
use super::request_error::RequestError;
use super::requests::{BoardRequest, PositionRequest, body, elo_bounds, octets};
use super::session::BoardSession;
use super::sessions::Sessions;
use super::state::SessionState;

/// The answer to a request.
pub(super) enum Reply {
    Whole(Response),
    /// A stream of the changes of this session.
    Events(Arc<BoardSession>),
}

impl From<Response> for Reply {
    fn from(response: Response) -> Reply {
        Reply::Whole(response)
    }
}

type ReplyOrError = Result<Response, RequestError>;

/// Information of the server about itself.
#[derive(Clone, Serialize)]
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) threads: usize,
    pub(super) hash: usize,
    pub(super) rules: Vec<&'static str>,
    pub(super) notations: Vec<&'static str>,
    pub(super) elo: Option<[u32; 2]>,
    /// The folder of kept games.
    pub(super) games: Option<String>,
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
            games: games.map(|folder| folder.name().to_owned()),
        }
    }
}

/// The services that answer requests.
pub(super) struct Services {
    /// The parts of the page by their names.
    pub(super) page: fn(&str, &Request) -> Option<Response>,
    pub(super) about: About,
    pub(super) sessions: Sessions,
    pub(super) books: Books,
    pub(super) games: Option<GamesFolder>,
}

/// Answers a request for a path after the token.
pub(super) fn reply(request: &Request, path: &str, services: &Services) -> Reply {
    let Services { page, about, sessions, books, games } = services;
    let games = games.as_ref();
    let segments: Vec<&str> = path.split('/').collect();
    match segments[..] {
        ["api", "about"] => of_method(request, "GET", || Response::json(about)).into(),
        ["api", "fen"] => of_method(request, "POST", || answer(check_fen(request))).into(),
        ["api", "books"] => match request.method.as_str() {
            "POST" => answer(open_book(request, books)).into(),
            _ => of_method(request, "GET", || Response::json(&books.list())).into(),
        },
        ["api", "games"] => of_method(request, "GET", || answer(kept_games::list(games))).into(),
        ["api", "games", key] => {
            of_method(request, "DELETE", || answer(kept_games::remove(games, key))).into()
        }
        ["api", "games", key, "restore"] => {
            of_method(request, "POST", || answer(kept_games::restore(games, key))).into()
        }
        ["api", "sessions"] => {
            of_method(request, "POST", || answer(open(request, sessions))).into()
        }
        ["api", "sessions", id] => of_session(request, id, "", services),
        ["api", "sessions", id, name] => of_session(request, id, name, services),
        [name] => match page(name, request) {
            Some(response) => of_method(request, "GET", || response).into(),
            None => not_found().into(),
        },
        _ => not_found().into(),
    }
}

fn not_found() -> Response {
    Response::error(StatusCode::NotFound, "there is nothing at this address")
}

fn wrong_method(allowed: &'static str) -> Response {
    let response = Response::error(StatusCode::MethodNotAllowed, format!("use {allowed}"));
    response.with_header("Allow", allowed)
}

fn of_method(
    request: &Request,
    method: &'static str,
    response: impl FnOnce() -> Response,
) -> Response {
    let is_head = method == "GET" && request.method == "HEAD";
    if request.method == method || is_head { response() } else { wrong_method(method) }
}

fn answer(result: ReplyOrError) -> Response {
    result.unwrap_or_else(Response::from)
}

/// Checks whether the text, with moves from there on, is a position, and reports the reason if not.
fn check_fen(request: &Request) -> ReplyOrError {
    let wanted: PositionRequest = body(request)?;
    Ok(Response::json(&match wanted.game() {
        Ok((game, _)) => {
            json!({ "fen": game.last_position().fen(), "error": null, "problem": null })
        }
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

/// Reads a file with an opening book.
fn open_book(request: &Request, books: &Books) -> ReplyOrError {
    let bytes = octets(request)?;
    let opened = books.open(request.parameter("name").unwrap_or("?"), bytes);
    Ok(Response::json(&opened.map_err(RequestError::Book)?))
}

fn open(request: &Request, sessions: &Sessions) -> ReplyOrError {
    let wanted = if request.body.is_empty() { BoardRequest::default() } else { body(request)? };
    let (position, settings) = wanted.into_parts();
    let (game, last) = position.game()?;
    let mut state = SessionState::new(game);
    state.go_to(last, Instant::now());
    Settings::read(settings)?.apply(&mut state);
    Ok(match sessions.open(state) {
        Some((id, session)) => Response::json(&json!({ "id": id, "view": session.view() })),
        None => Response::error(StatusCode::Unavailable, "too many boards are open; close a tab"),
    })
}

/// The action at a path of a session.
enum Route {
    /// Shows something.
    Read(fn(&Request, &BoardSession) -> ReplyOrError),
    /// Shows something of a book.
    ReadBook(fn(&Request, &BoardSession, &Books) -> ReplyOrError),
    /// The stream of changes.
    Events,
    /// Changes the session; the answer is its view.
    Change(ReadChange),
    /// Does something else.
    Do(fn(&Request, &BoardSession) -> ReplyOrError),
    /// Opens a kept game.
    OpenKept,
}

impl Route {
    /// Returns the route with this name after the number of the session.
    fn find(name: &str) -> Option<Route> {
        Some(match name {
            "" => Route::Read(|_, session| Ok(Response::json(&session.view()))),
            "events" => Route::Events,
            "changes" => Route::Read(changes),
            "book" => Route::ReadBook(book),
            "judge" => Route::Read(|_, session| Ok(judge(session))),
            "assessment" => Route::Read(assessment),
            "open" => Route::OpenKept,
            "picture" => Route::Read(picture),
            "report" => Route::Read(report),
            "save" => Route::Read(save),
            "load" => Route::Do(load),
            "now" => Route::Do(|_, session| {
                session.move_now();
                Ok(Response::json(&session.view()))
            }),
            "leave" => Route::Do(|_, session| {
                session.leave();
                Ok(Response::empty())
            }),
            _ => Route::Change(find_change(name)?),
        })
    }
}

fn of_session(request: &Request, id: &str, name: &str, services: &Services) -> Reply {
    let Services { sessions, books, games, .. } = services;
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { id.parse().ok() } else { None };
    let Some((number, session)) = number.and_then(|id| Some((id, sessions.find(id)?))) else {
        return Response::error(StatusCode::NotFound, "there is no such board").into();
    };
    let Some(route) = Route::find(name) else { return not_found().into() };
    match (request.method.as_str(), route) {
        ("DELETE", _) if name.is_empty() => {
            sessions.close(number);
            Response::empty().into()
        }
        ("GET", Route::Events) => Reply::Events(session),
        ("GET" | "HEAD", Route::Read(read)) => answer(read(request, &session)).into(),
        ("GET" | "HEAD", Route::ReadBook(read)) => answer(read(request, &session, books)).into(),
        ("POST", Route::Change(read)) => {
            let change = read(request, books);
            answer(change.and_then(|change| apply(change, &session))).into()
        }
        ("POST", Route::Do(act)) => answer(act(request, &session)).into(),
        ("POST", Route::OpenKept) => {
            answer(kept_games::open(request, &session, games.as_ref(), books)).into()
        }
        (_, Route::Events | Route::Read(_) | Route::ReadBook(_)) => wrong_method("GET").into(),
        (_, Route::Change(_) | Route::Do(_) | Route::OpenKept) => wrong_method("POST").into(),
    }
}

/// Makes a change.
fn apply(change: Change, session: &BoardSession) -> ReplyOrError {
    let now = Instant::now();
    let view = session.update(|state| change.apply(state, now))?;
    Ok(Response::json(&view))
}

/// Returns the changes since the versions that the request names.
fn changes(request: &Request, session: &BoardSession) -> ReplyOrError {
    let version = |name| {
        let text = request.parameter(name).unwrap_or("0");
        let error = || RequestError::choice(name, text, "a version");
        text.parse::<u64>().map_err(|_| error())
    };
    Ok(Response::json(&session.changes_since(version("view")?, version("lines")?)))
}

/// Returns the moves of a book in the shown position.
fn book(request: &Request, session: &BoardSession, books: &Books) -> ReplyOrError {
    let number = request.parameter("book").map_or(Some(0), |text| text.parse().ok());
    let book = number.and_then(|number| books.find(number)).ok_or(RequestError::NoBook)?;
    let (position, notation) = session.look(|state| (state.position().clone(), state.notation));
    Ok(Response::json(&book_moves(&book, &position, notation)))
}

/// Returns the rulings on the repetitions of the shown line.
fn judge(session: &BoardSession) -> Response {
    let (position, rules, notation) = session.look(|state| {
        let game = state.game();
        (game.position_at(game.last()), state.regulations().rules, state.notation)
    });
    Response::json(&judged_loops(&position, rules, notation))
}

/// The minimum pause of a stream between two changes.
pub(super) const EVENT_PAUSE: Duration = Duration::from_millis(60);
