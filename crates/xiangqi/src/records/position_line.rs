//! Lines with a game each, as the command `position` of UCI and UCCI gives it: `position startpos
//! moves h2e2 h9g7` or `position fen ... moves ...`. The logs of engines and of clients hold them.
//! The word `position` may be missing, and the moves may be in any notation. The other commands and
//! answers of a log are skipped, and so are the signs `>>` and `<<` of this engine's log.

use crate::board::{Position, START_FEN};

use super::reading::{Reading, read_line};
use super::{Game, RecordError};

/// The first words of the other lines of a log.
const OTHER_LINES: [&str; 24] = [
    "uci",
    "ucci",
    "ucicyclone",
    "isready",
    "setoption",
    "ucinewgame",
    "debug",
    "register",
    "go",
    "stop",
    "ponderhit",
    "banmoves",
    "probe",
    "quit",
    "id",
    "option",
    "uciok",
    "ucciok",
    "readyok",
    "info",
    "bestmove",
    "nobestmove",
    "pophash",
    "bye",
];

/// Returns whether the first line of a text that is not another line of a log is such a line.
pub(super) fn is_position(text: &str) -> bool {
    lines(text).next().is_some_and(|(_, line)| start_and_moves(line).is_some())
}

/// Returns the line without the sign of its direction in this engine's log.
fn without_direction(line: &str) -> &str {
    line.strip_prefix(">>").or_else(|| line.strip_prefix("<<")).map_or(line, str::trim)
}

/// Returns the lines that may hold a game, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_other =
        |line: &str| line.split_whitespace().next().is_none_or(|word| OTHER_LINES.contains(&word));
    let numbered = text
        .lines()
        .enumerate()
        .map(move |(index, line)| (index + 1, without_direction(line.trim())));
    numbered.filter(move |(_, line)| !is_other(line))
}

/// Returns the words of the start, `None` for the usual one, and of the moves.
fn start_and_moves(line: &str) -> Option<(Option<String>, Vec<&str>)> {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    if words.first() == Some(&"position") {
        words.remove(0);
    }
    // Forbidden moves of UCCI are no part of the game.
    let end = words.iter().position(|&word| word == "banmoves").unwrap_or(words.len());
    words.truncate(end);
    let divider = words.iter().position(|&word| word == "moves");
    let moves = divider.map_or(Vec::new(), |at| words.split_off(at).split_off(1));
    match words.split_first()? {
        (&"startpos", []) => Some((None, moves)),
        (&"fen", fen) => Some((Some(fen.join(" ")), moves)),
        _ => None,
    }
}

/// Reads the games of all lines.
pub(super) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    for (index, (number, line)) in lines(text).enumerate() {
        let mut defects = Vec::new();
        let game = read_game(line, &mut defects);
        let defects = defects.into_iter().map(|error| (Some(number), error)).collect();
        reading.add(index + 1, Some(number), game, defects);
    }
    reading
}

/// Returns the game of a line up to its first wrong move.
fn read_game(line: &str, defects: &mut Vec<RecordError>) -> Result<Game, RecordError> {
    let (fen, words) = start_and_moves(line).ok_or(RecordError::NotPosition)?;
    let fen = fen.as_deref().unwrap_or(START_FEN);
    let start = Position::from_recorded_fen(fen).map_err(RecordError::Fen)?;
    let (moves, defect) = read_line(&start, &words);
    defects.extend(defect);
    Ok(Game::of_legal_moves(start, moves))
}

/// Returns the line of a game, with its end. Only the start and the moves of the main line are
/// kept.
pub(super) fn write(game: &Game) -> String {
    let fen = game.start().fen();
    let start = if fen == START_FEN { "startpos".to_owned() } else { format!("fen {fen}") };
    let moves: String = game.moves().iter().map(|mv| format!(" {mv}")).collect();
    let divider = if moves.is_empty() { "" } else { " moves" };
    format!("position {start}{divider}{moves}\n")
}
