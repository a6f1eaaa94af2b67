//! Lines with a position each, as FEN or EPD, or with a FEN in a text around it; see
//! [`Position::from_fen`]. Empty lines and those that begin with `#` are skipped. Each position is a
//! game without moves.

use crate::board::Position;

use super::pgn::begins_with_move;
use super::reading::Reading;
use super::{Game, RecordError};

/// Returns whether a text is such a list: its first line has a FEN, or is meant as one, and at least
/// half of all lines do.
pub(super) fn is_list(text: &str) -> bool {
    let lines = || Position::epd_lines(text).map(|(_, line)| line);
    if !lines().next().is_some_and(is_meant) {
        return false;
    }
    let (mut fens, mut others) = (0, 0);
    for line in lines() {
        // The moves of a game whose start is a FEN.
        if begins_with_move(line) {
            return false;
        }
        if is_meant(line) { fens += 1 } else { others += 1 }
    }
    fens >= others
}

/// Returns whether a line has a FEN or is one with an error: it has letters and digits in several
/// parts with `/` between. No game file begins so.
fn is_meant(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    let is_board = |c: char| c.is_ascii_alphanumeric() || c == '/';
    let looks_like_one = board.matches('/').count() >= 2
        && board.chars().all(is_board)
        && board.contains(|c: char| c.is_ascii_alphabetic());
    looks_like_one || (line.contains(['/', '／', '%']) && Position::from_epd(line).is_ok())
}

/// Reads the positions of all lines.
pub(super) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    for (index, (number, line)) in Position::epd_lines(text).enumerate() {
        // In a game the side that waits may be in check.
        let start = Position::from_epd(line).or_else(|error| {
            Position::from_recorded_fen(line).map_err(|_| RecordError::Fen(error))
        });
        reading.add(index + 1, Some(number), start.map(Game::new), Vec::new());
    }
    reading
}

/// Returns the positions at the ends of the main lines, a FEN per line.
pub(super) fn write(games: &[Game]) -> String {
    games.iter().map(|game| game.last_position().fen() + "\n").collect()
}
