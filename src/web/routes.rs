//! What the server answers: the page, and requests for a session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::json;

use super::assets::asset;
use super::http::{Request, Response, Status};
use super::judging::judged_loops;
use super::reporting::report;
use super::requests::{
    AnalysisRequest, Direction, EngineMoveRequest, GoToRequest, MoveRequest, NodeRequest,
    PlayRequest, PositionRequest, RequestError, SettingsRequest, SweepRequest, Target, body,
    elo_bounds,
};
use super::session::Session;
use super::sessions::Sessions;
use super::state::SessionState;
use crate::board::Position;
use crate::notation::{Notation, read};
use crate::records::{self, FileKind, Game, NodeId, write_dhtmlxq, write_pgn};
use crate::rules::RuleSet;

/// The most games of a file whose names are listed, and the most defects.
const LISTED: (usize, usize) = (2000, 20);

/// The answer to a request.
pub(super) enum Reply {
    Whole(Response),
    /// A stream of the changes of this session.
    Events(Arc<Session>),
}

impl From<Response> for Reply {
    fn from(response: Response) -> Reply {
        Reply::Whole(response)
    }
}

type ReplyOrError = Result<Response, RequestError>;

/// What the server tells about itself.
#[derive(Clone, Serialize)]
pub(super) struct About {
    pub(super) name: &'static str,
    pub(super) threads: usize,
    pub(super) hash: usize,
    pub(super) rules: Vec<&'static str>,
    pub(super) notations: Vec<&'static str>,
    pub(super) elo: Option<[u32; 2]>,
}

impl About {
    pub(super) fn new(threads: usize, hash: usize) -> About {
        About {
            name: crate::protocol::NAME,
            threads,
            hash,
            rules: RuleSet::ALL.map(RuleSet::name).to_vec(),
            notations: Notation::ALL.map(Notation::name).to_vec(),
            elo: elo_bounds(),
        }
    }
}

/// Answers a request for a path behind the token.
pub(super) fn reply(request: &Request, path: &str, sessions: &Sessions, about: &About) -> Reply {
    let segments: Vec<&str> = path.split('/').collect();
    match segments[..] {
        ["api", "about"] => of_method(request, "GET", || Response::json(about)).into(),
        ["api", "fen"] => of_method(request, "POST", || answer(check_fen(request))).into(),
        ["api", "sessions"] => of_method(request, "POST", || open(request, sessions)).into(),
        ["api", "sessions", id] => of_session(request, id, "", sessions),
        ["api", "sessions", id, action] => of_session(request, id, action, sessions),
        [name] => match asset(name) {
            Some(response) => of_method(request, "GET", || response).into(),
            None => not_found().into(),
        },
        _ => not_found().into(),
    }
}

fn not_found() -> Response {
    Response::error(Status::NotFound, "there is nothing at this address")
}

fn wrong_method(allowed: &'static str) -> Response {
    let response = Response::error(Status::MethodNotAllowed, format!("use {allowed}"));
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

/// Whether the text is a position, and why not.
fn check_fen(request: &Request) -> ReplyOrError {
    #[derive(serde::Deserialize)]
    struct FenRequest {
        fen: String,
    }
    let FenRequest { fen } = body(request)?;
    Ok(Response::json(&match Position::from_fen(&fen) {
        Ok(position) => json!({ "fen": position.fen(), "error": null }),
        Err(error) => json!({ "fen": null, "error": error.to_string() }),
    }))
}

fn open(request: &Request, sessions: &Sessions) -> Response {
    let wanted =
        if request.body.is_empty() { Ok(PositionRequest::default()) } else { body(request) };
    let game = wanted.and_then(|wanted: PositionRequest| wanted.game());
    let (game, last) = match game {
        Ok(found) => found,
        Err(error) => return error.into(),
    };
    let mut state = SessionState::new(game);
    state.go_to(last, Instant::now());
    match sessions.open(state) {
        Some((id, session)) => Response::json(&json!({ "id": id, "view": session.view() })),
        None => Response::error(Status::Unavailable, "too many boards are open; close a tab"),
    }
}

fn of_session(request: &Request, id: &str, action: &str, sessions: &Sessions) -> Reply {
    let is_number = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { id.parse().ok() } else { None };
    let Some((number, session)) = number.and_then(|id| Some((id, sessions.find(id)?))) else {
        return Response::error(Status::NotFound, "there is no such board").into();
    };
    match (request.method.as_str(), action) {
        ("DELETE", "") => {
            sessions.close(number);
            Response::empty().into()
        }
        ("GET", "") => Response::json(&session.view()).into(),
        ("GET", "events") => Reply::Events(session),
        ("GET", "judge") => judge(&session).into(),
        ("GET", "report") => answer(report_file(request, &session)).into(),
        ("GET", "save") => answer(save(request, &session)).into(),
        ("POST", _) => match change(request, action, &session) {
            Some(result) => answer(result).into(),
            None if is_action(action) => wrong_method("GET").into(),
            None => not_found().into(),
        },
        _ if is_action(action) => wrong_method("GET").into(),
        _ if change_names().contains(&action) => wrong_method("POST").into(),
        _ => not_found().into(),
    }
}

fn is_action(action: &str) -> bool {
    matches!(action, "" | "events" | "judge" | "report" | "save")
}

fn change_names() -> [&'static str; 17] {
    [
        "position", "load", "move", "goto", "remove", "promote", "settings", "play", "pause",
        "resume", "takeback", "resign", "flag", "now", "go", "analyse", "sweep",
    ]
}

/// Changes a session; `None` if there is no such change.
fn change(request: &Request, action: &str, session: &Session) -> Option<ReplyOrError> {
    let now = Instant::now();
    let update = |change: &mut dyn FnMut(&mut SessionState) -> Result<(), RequestError>| {
        session.update(|state| change(state)).map(|view| Response::json(&view))
    };
    Some(match action {
        "load" => load(request, session),
        "now" => {
            session.move_now();
            Ok(Response::json(&session.view()))
        }
        "pause" => update(&mut |state| {
            state.stop(now);
            Ok(())
        }),
        "resume" => update(&mut |state| Ok(state.resume(now)?)),
        "takeback" => update(&mut |state| Ok(state.take_back(now)?)),
        "resign" => update(&mut |state| Ok(state.resign()?)),
        "flag" => update(&mut |state| {
            state.check_time(now);
            Ok(())
        }),
        "position" | "move" | "goto" | "remove" | "promote" | "settings" | "play" | "go"
        | "analyse" | "sweep" => change_with_body(request, action, session),
        _ => return None,
    })
}

fn change_with_body(request: &Request, action: &str, session: &Session) -> ReplyOrError {
    let now = Instant::now();
    let view = session.update(|state| {
        match action {
            "position" => {
                let (game, last) = body::<PositionRequest>(request)?.game()?;
                state.set_game(game)?;
                state.go_to(last, now);
            }
            "move" => {
                let mv = read(state.position(), &body::<MoveRequest>(request)?.mv)?;
                state.play(mv, now)?;
            }
            "goto" => {
                let target = match body::<GoToRequest>(request)?.to {
                    Target::Node(index) => state.node_id(index)?,
                    Target::Step(Direction::Back) => state.game.parent(state.node()),
                    Target::Step(Direction::Forward) => state.next(),
                    Target::Step(Direction::Start) => NodeId::ROOT,
                    Target::Step(Direction::End) => state.last(),
                };
                state.go_to(target, now);
            }
            "remove" => {
                let id = state.node_id(body::<NodeRequest>(request)?.node)?;
                state.remove(id, now);
            }
            "promote" => {
                let id = state.node_id(body::<NodeRequest>(request)?.node)?;
                state.promote(id);
            }
            "settings" => set(state, &body(request)?)?,
            "play" => state.begin(body::<PlayRequest>(request)?.contest()?, now)?,
            "go" => state.ask_for_move(body::<EngineMoveRequest>(request)?.purpose()?, now),
            "analyse" => state.analyse(body::<AnalysisRequest>(request)?.lines()?, now),
            "sweep" => match body::<SweepRequest>(request)?.time()? {
                Some(time) => state.start_sweep(time, now),
                None => state.stop_sweep(),
            },
            _ => {}
        }
        Ok::<(), RequestError>(())
    })?;
    Ok(Response::json(&view))
}

fn set(state: &mut SessionState, wanted: &SettingsRequest) -> Result<(), RequestError> {
    // All texts are read before any of them is used.
    let rules = wanted.rules.as_deref().map(str::parse).transpose()?;
    let notation = wanted.notation.as_deref().map(str::parse).transpose()?;
    if let Some(rules) = rules {
        state.set_rules(rules);
    }
    if let Some(notation) = notation {
        state.notation = notation;
    }
    for (name, value) in [
        ("Red", &wanted.red),
        ("Black", &wanted.black),
        ("Event", &wanted.event),
        ("Date", &wanted.date),
    ] {
        if let Some(value) = value {
            state.game.set_tag(name, value.chars().take(200).collect::<String>());
        }
    }
    Ok(())
}

/// Reads a game file and shows one of its games.
fn load(request: &Request, session: &Session) -> ReplyOrError {
    if request.content_type.as_deref() != Some("application/octet-stream") {
        return Err(RequestError::MediaType("application/octet-stream"));
    }
    let number: usize = match request.parameter("game") {
        None => 1,
        Some(text) => text.parse().map_err(|_| RequestError::Choice {
            name: "game",
            value: text.chars().take(20).collect(),
            expected: "a number from 1",
        })?,
    };
    let collection = records::read(&request.body);
    let reason = |number| {
        let mut problems = collection.problems.iter();
        problems.find(|problem| problem.game == number).map(ToString::to_string)
    };
    let is_empty = |game: &Game| game.is_empty() && game.tags().is_empty();
    let count = collection.games.len();
    if collection.games.iter().all(is_empty) {
        return Err(match collection.problems.first() {
            Some(problem) if !request.body.is_empty() => {
                RequestError::BadGame { number: problem.game, reason: problem.source.to_string() }
            }
            _ => RequestError::NoGame,
        });
    }
    let game = number.checked_sub(1).and_then(|index| collection.games.get(index));
    let Some(game) = game.cloned() else {
        return Err(match reason(number) {
            Some(reason) => RequestError::BadGame { number, reason },
            None => RequestError::NoSuchGame { number, count },
        });
    };
    let view = session.update(|state| state.set_game(game))?;
    let problems: Vec<String> =
        collection.problems.iter().take(LISTED.1).map(ToString::to_string).collect();
    Ok(Response::json(&json!({
        "view": view,
        "kind": kind_name(collection.kind),
        "encoding": collection.encoding,
        "count": count,
        "games": collection.games.iter().take(LISTED.0).map(title).collect::<Vec<_>>(),
        "problems": problems,
    })))
}

fn kind_name(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Pgn => "PGN",
        FileKind::DhtmlXq => "DhtmlXQ",
        FileKind::Xqf => "XQF",
        FileKind::Cbr => "CBR",
        FileKind::Cbl => "CBL",
        FileKind::Cbf => "CBF",
        FileKind::List => "list",
    }
}

/// A game of a collection in a line.
fn title(game: &Game) -> String {
    use crate::geometry::Color::{Black, Red};
    let parts = [game.player(Red), game.player(Black), game.tag("Event"), game.tag("Date")];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let title = format!("{} {}", parts.join(" - "), game.result);
    title.trim().chars().take(120).collect()
}

/// The game as a file.
fn save(request: &Request, session: &Session) -> ReplyOrError {
    let kind = request.parameter("kind").unwrap_or("pgn");
    let notation: Option<Notation> = request.parameter("notation").map(str::parse).transpose()?;
    let with_variations = request.parameter("variations") != Some("0");
    let (game, shown) = session.look(|state| {
        let game = if with_variations { state.game.clone() } else { state.game.plain() };
        (game, state.notation)
    });
    let (text, name) = match kind {
        "pgn" => (write_pgn(&game, notation.unwrap_or(shown)), "game.pgn"),
        "dhtmlxq" => (write_dhtmlxq(&game), "game.txt"),
        other => {
            return Err(RequestError::Choice {
                name: "kind",
                value: other.chars().take(20).collect(),
                expected: "pgn or dhtmlxq",
            });
        }
    };
    let response = Response::new("text/plain; charset=utf-8", text.into_bytes());
    Ok(response.with_header("Content-Disposition", &format!("attachment; filename=\"{name}\"")))
}

/// The report of the game as a file.
fn report_file(request: &Request, session: &Session) -> ReplyOrError {
    let language = request.parameter("language").map(str::parse).transpose()?;
    let page = session.look(|state| report(state, language.unwrap_or_default()));
    let response = Response::new("text/html; charset=utf-8", page.into_bytes());
    Ok(response.with_header("Content-Disposition", "attachment; filename=\"report.html\""))
}

/// The judge's word on the repetitions of the shown line.
fn judge(session: &Session) -> Response {
    let (position, rules, notation) =
        session.look(|state| (state.position_at(state.last()), state.rules(), state.notation));
    Response::json(&judged_loops(&position, rules, notation))
}

/// How long a stream waits at least between two changes.
pub(super) const EVENT_PAUSE: Duration = Duration::from_millis(60);
