//! Requests for kept games: listed, opened, removed and restored.

use std::io;

use super::books::Books;
use super::http::{Request, Response};
use super::keeping::{GameKey, GamesFolder};
use super::request_error::RequestError;
use super::requests::{KeptRequest, body};
use super::session::BoardSession;

/// Returns the list; empty if no games are kept.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn list(folder: Option<&GamesFolder>) -> Result<Response, RequestError> {
    let games = folder.map_or(Ok(Vec::new()), GamesFolder::list);
    Ok(Response::json(&games.map_err(RequestError::GamesFolder)?))
}

/// Opens a game on a board.
///
/// # Errors
/// If there is no such game, or it cannot be read.
pub(super) fn open(
    request: &Request,
    session: &BoardSession,
    folder: Option<&GamesFolder>,
    books: &Books,
) -> Result<Response, RequestError> {
    let wanted: KeptRequest = body(request)?;
    let (place, game) = on_game(folder, &wanted.key, GamesFolder::read)?;
    let view = session.open_kept(place, &game, books).map_err(RequestError::Kept)?;
    Ok(Response::json(&view))
}

/// Removes a game from the list.
///
/// # Errors
/// If there is no such game.
pub(super) fn remove(folder: Option<&GamesFolder>, key: &str) -> Result<Response, RequestError> {
    on_game(folder, key, GamesFolder::remove)?;
    Ok(Response::empty())
}

/// Brings a removed game back.
///
/// # Errors
/// If there is no such game.
pub(super) fn restore(folder: Option<&GamesFolder>, key: &str) -> Result<Response, RequestError> {
    on_game(folder, key, GamesFolder::restore)?;
    Ok(Response::empty())
}

fn on_game<T>(
    folder: Option<&GamesFolder>,
    key: &str,
    act: impl FnOnce(&GamesFolder, &GameKey) -> io::Result<T>,
) -> Result<T, RequestError> {
    let key = key.parse().map_err(|()| RequestError::NoKeptGame)?;
    let done = act(folder.ok_or(RequestError::NoKeptGame)?, &key);
    done.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => RequestError::NoKeptGame,
        _ => RequestError::GamesFolder(error),
    })
}
