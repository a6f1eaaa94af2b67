//! Games and reports as files: opened, saved, listed.

use serde_json::json;
use web_time::Instant;
use xiangqi::board::START_FEN;
use xiangqi::geometry::Color::{Black, Red};
use xiangqi::notation::Notation;
use xiangqi::records::{self, FileKind, Game, NodeId, TextEncoding};
use xiangqi::rules::explanation::Language;

use super::http::{Request, Response};
use super::problems::WebProblem;
use super::reporting::ReportSource;
use super::request_error::RequestError;
use super::requests::octets;
use super::session::BoardSession;

/// The maximum number of games of a file whose names are listed.
const MAX_TITLES: usize = 2000;

/// The maximum number of listed defects of a file.
const MAX_PROBLEMS: usize = 20;

/// The maximum number of characters of a game's title.
const TITLE_LENGTH: usize = 120;

/// Reads a game file and shows one of its games.
///
/// # Errors
/// If the body holds no such game.
pub(super) fn load(request: &Request, session: &BoardSession) -> Result<Response, RequestError> {
    let bytes = octets(request)?;
    let number: usize = match request.parameter("game") {
        None => 1,
        Some(text) => {
            text.parse().map_err(|_| RequestError::choice("game", text, "a number from 1"))?
        }
    };
    let collection = records::read(bytes);
    let is_empty =
        |game: &Game| game.is_empty() && game.tags().is_empty() && game.start().fen() == START_FEN;
    let count = collection.games.len();
    if collection.games.iter().all(is_empty) {
        return Err(match collection.problems.first() {
            Some(problem) if !bytes.is_empty() => RequestError::BadGame(problem.clone()),
            _ => RequestError::NoGame,
        });
    }
    let game = number.checked_sub(1).and_then(|index| collection.games.get(index));
    let Some(game) = game.cloned() else {
        let mut problems = collection.problems.iter();
        return Err(match problems.find(|problem| problem.game == number) {
            Some(problem) => RequestError::BadGame(problem.clone()),
            None => RequestError::NoSuchGame { number, count },
        });
    };
    let view = session.update(|state| state.set_game(game, NodeId::ROOT, Instant::now()))?;
    let problems = collection.problems.iter().take(MAX_PROBLEMS).map(ToString::to_string);
    Ok(Response::json(&json!({
        "view": view,
        "kind": kind_name(collection.kind),
        "encoding": collection.encoding.name(),
        "count": count,
        "games": collection.games.iter().take(MAX_TITLES).map(title).collect::<Vec<_>>(),
        "problems": problems.collect::<Vec<_>>(),
        "problem": collection.problems.first().map(WebProblem::of_game),
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
        FileKind::Wxf => "WXF",
        kind => kind.name(),
    }
}

/// Returns a game of a collection in a line.
fn title(game: &Game) -> String {
    let parts = [game.player(Red), game.player(Black), game.tag("Event"), game.tag("Date")];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let title = format!("{} {}", parts.join(" - "), game.result);
    title.trim().chars().take(TITLE_LENGTH).collect()
}

/// Returns the game as a file.
///
/// # Errors
/// If the request names a kind or a notation that does not exist, or the kind cannot hold the game.
pub(super) fn save(request: &Request, session: &BoardSession) -> Result<Response, RequestError> {
    let kind: FileKind = request.parameter("kind").unwrap_or("pgn").parse()?;
    let notation: Option<Notation> = request.parameter("notation").map(str::parse).transpose()?;
    let (game, shown) = session.look(|state| (state.game().record().clone(), state.notation));
    let with_variations = match request.parameter("variations") {
        None | Some("1") => true,
        Some("0") => false,
        Some(text) => return Err(RequestError::choice("variations", text, "0 or 1")),
    };
    let game = match request.parameter("analysis") {
        None | Some("0") => game,
        Some("1") => session.look(ReportSource::of).annotated(notation.unwrap_or(shown)),
        Some(text) => return Err(RequestError::choice("analysis", text, "0 or 1")),
    };
    let game = if with_variations { game } else { game.plain() };
    let notation = notation.unwrap_or(shown);
    let bytes = records::write(&[game], kind, notation, TextEncoding::Utf8)?;
    let media_type =
        if kind.is_text() { "text/plain; charset=utf-8" } else { "application/octet-stream" };
    let name = format!("game.{}", kind.extension());
    Ok(Response::new(media_type, bytes).into_attachment(&name))
}

/// Returns the shown line compared with what the engine has found.
///
/// # Errors
/// None; the type is that of all routes.
pub(super) fn assessment(_: &Request, session: &BoardSession) -> Result<Response, RequestError> {
    let source = session.look(ReportSource::of_shown_line)?;
    Ok(Response::json(&source.assessment_json()))
}

/// Returns the report of the game as a file.
///
/// # Errors
/// If the request names a language that does not exist.
pub(super) fn report(request: &Request, session: &BoardSession) -> Result<Response, RequestError> {
    let language: Option<Language> = request.parameter("language").map(str::parse).transpose()?;
    // Writing takes long; the session is free meanwhile.
    let source = session.look(ReportSource::of);
    let page = source.write(language.unwrap_or_default());
    let response = Response::new("text/html; charset=utf-8", page.into_bytes());
    Ok(response.into_attachment("report.html"))
}
