//! Lists with one game per line: its result, then its moves from the starting position in any
//! notation, with or without numbers. Databases and scripts exchange games in this form. Lines that
//! begin with `#` are comments.

use crate::board::{Position, START_FEN};
use crate::notation::{has_move_form, moves_of_word, without_number};
use crate::rules::GameResult;

use super::pgn::SEPARATORS;
use super::reading::{Reading, read_line};
use super::{Game, RecordError, WriteError};

/// Returns whether the text is such a list: each line begins with a result, and the first one with
/// more in it goes on with a word of the form of a move, which need not be legal. In PGN a result
/// ends a game, so it never stands before a move. Lines with nothing but results are a list too, and
/// so are lines that all begin with a result and go on with words that are no moves: as PGN these
/// would be skipped silently after the result.
pub(super) fn is_list(text: &str) -> bool {
    let mut has_result = false;
    for (_, line) in lines(text) {
        let mut words = words(line);
        if words.next().and_then(GameResult::from_text).is_none() {
            return false;
        }
        match words.map(without_number).find(|word| !word.is_empty()) {
            Some(word) if moves_of_word(word).first().is_some_and(|mv| has_move_form(mv)) => {
                return true;
            }
            // Comments, variations and tags are of PGN.
            Some(word) if !word.starts_with(char::is_alphanumeric) => return false,
            Some(_) | None => has_result = true,
        }
    }
    has_result
}

/// Returns the words of a line, between blanks, commas and semicolons.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let divides = |c: char| c.is_whitespace() || SEPARATORS.contains(&c) || c == ';';
    line.split(divides).filter(|word| !word.is_empty())
}

/// Reads all games of a list.
pub(super) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    for (index, (number, line)) in lines(text).enumerate() {
        let (game, defect) = read_game(line);
        let defects = defect.into_iter().map(|error| (Some(number), error)).collect();
        reading.add(index + 1, Some(number), Ok(game), defects);
    }
    reading
}

/// Returns the lines that are not blank, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Returns the game of a line up to its first defect.
fn read_game(line: &str) -> (Game, Option<RecordError>) {
    let start = Position::startpos();
    let mut words = words(line).peekable();
    let result = words.peek().and_then(|word| GameResult::from_text(word));
    let words: Vec<&str> =
        words.skip(usize::from(result.is_some())).flat_map(moves_of_word).collect();
    let (moves, defect) = read_line(&start, &words);
    let mut game = Game::of_legal_moves(start, moves);
    game.result = result.unwrap_or_default();
    (game, defect)
}

/// Returns whether the board and the side to move are those of the usual start; the counters do not
/// matter.
fn has_usual_start(game: &Game) -> bool {
    let fen = game.start().fen();
    fen.split(' ').take(2).eq(START_FEN.split(' ').take(2))
}

/// Returns the list of these games. Only the results and the main lines are kept.
///
/// # Errors
/// If a game begins at another position than the usual one.
pub(super) fn write(games: &[Game]) -> Result<String, WriteError> {
    let mut text = String::new();
    for (index, game) in games.iter().enumerate() {
        if !has_usual_start(game) {
            return Err(WriteError::OtherStart { number: index + 1 });
        }
        text += game.result.text();
        for mv in game.moves() {
            text += &format!(" {mv}");
        }
        text.push('\n');
    }
    Ok(text)
}
