//! Game files: bytes become games, and a game becomes bytes.

use serde::Serialize;
use serde_json::json;
use xiangqi::board::START_FEN;
use xiangqi::geometry::Color::{Black, Red};
use xiangqi::notation::Notation;
use xiangqi::records::{self, FileKind, Game, TextEncoding};

use super::old_games::{is_old_file, old_game};
use super::problems::WebProblem;
use super::request_error::RequestError;
use super::trees::{MAX_MOVES, Tree};

/// The maximum number of games of a file that are listed.
const MAX_LISTED: usize = 20_000;

/// The maximum number of listed defects of a file.
const MAX_PROBLEMS: usize = 20;

/// The maximum number of characters of a tag in the list.
const MAX_TAG: usize = 80;

/// A game in the list of a file.
#[derive(Serialize)]
struct ListedGame {
    red: String,
    black: String,
    event: String,
    date: String,
    result: &'static str,
    plies: usize,
    /// The name of its opening, if it has one.
    opening: Option<serde_json::Value>,
}

/// Reads a file and one of its games: the first one, with the list of all games, if no number is
/// given. The game that an earlier version has kept is such a file, too.
///
/// # Errors
/// If the file holds no such game.
pub(super) fn read(
    bytes: &[u8],
    number: Option<usize>,
    notation: Notation,
) -> Result<serde_json::Value, RequestError> {
    if is_old_file(bytes) {
        return old_game(bytes);
    }
    let collection = records::read(bytes);
    let is_empty =
        |game: &Game| game.is_empty() && game.tags().is_empty() && game.start().fen() == START_FEN;
    if collection.games.iter().all(is_empty) {
        return Err(match collection.problems.first() {
            Some(problem) if !bytes.is_empty() => RequestError::BadGame(problem.clone()),
            _ => RequestError::NoGame,
        });
    }
    let (wanted, count) = (number.unwrap_or(1), collection.games.len());
    let game = wanted.checked_sub(1).and_then(|index| collection.games.get(index));
    let Some(game) = game else {
        let mut problems = collection.problems.iter();
        return Err(match problems.find(|problem| problem.game == wanted) {
            Some(problem) => RequestError::BadGame(problem.clone()),
            None => RequestError::NoSuchGame { number: wanted, count },
        });
    };
    if game.len() > MAX_MOVES {
        return Err(RequestError::TooManyMoves(game.len()));
    }
    let listed = number
        .is_none()
        .then(|| collection.games.iter().take(MAX_LISTED).map(listed).collect::<Vec<ListedGame>>());
    let problems = collection.problems.iter().take(MAX_PROBLEMS).map(ToString::to_string);
    Ok(json!({
        "tree": Tree::of(game, notation),
        "kind": kind_name(collection.kind),
        "encoding": collection.encoding.name(),
        "count": count,
        "games": listed,
        "problems": problems.collect::<Vec<_>>(),
        "problem": collection.problems.first().map(WebProblem::of_game),
    }))
}

fn listed(game: &Game) -> ListedGame {
    let short = |text: Option<&str>| text.unwrap_or_default().chars().take(MAX_TAG).collect();
    let opening = cannonade_analysis::Opening::of(game);
    ListedGame {
        red: short(game.player(Red)),
        black: short(game.player(Black)),
        event: short(game.tag("Event")),
        date: short(game.tag("Date")),
        result: game.result.text(),
        plies: game.main_line().count(),
        opening: opening.map(|opening| {
            cannonade_analysis::in_both_languages(|language| opening.name(language))
        }),
    }
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

/// Returns the game as a file.
///
/// # Errors
/// If the kind cannot hold the game.
pub(super) fn written(
    game: &Game,
    kind: FileKind,
    notation: Notation,
) -> Result<Vec<u8>, RequestError> {
    Ok(records::write(std::slice::from_ref(game), kind, notation, TextEncoding::Utf8)?)
}
