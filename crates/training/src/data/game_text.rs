//! Games as text, one per line: number, result, ending, FEN of the start, then `move:score` for
//! each ply, separated by semicolons and spaces.
//!
//! ```text
//! 17;1-0;mate;rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1;h2e2:31 h9g7:-25
//! ```

use std::fmt::Write as _;

use thiserror::Error;
use xiangqi::board::{FenError, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, NotationError, Ranks, read_with, write as move_text};
use xiangqi::rules::GameResult;

use super::game::{GameError, GamePly, MAX_PLIES, SelfPlayEnding, SelfPlayGame};
use super::packed_board::PackedBoard;

/// The reason why a line is not a valid game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameTextError {
    /// A field between semicolons is missing or not valid.
    #[error("'{0}' is not a valid {1}; expected 'number;result;ending;FEN;move:score ...'")]
    Field(String, &'static str),
    /// Something follows the moves.
    #[error("'{0}' follows the moves; expected 'number;result;ending;FEN;move:score ...'")]
    Surplus(String),
    /// The game is too long for a file of games.
    #[error("the game has more than {MAX_PLIES} plies, which is the most in a file of games")]
    Long,
    /// The FEN is not valid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not valid or not legal.
    #[error(transparent)]
    Move(#[from] NotationError),
}

/// Returns the text of a game with its moves in this notation: one line without its end.
///
/// # Errors
/// If the game has an illegal move.
pub fn game_to_text(game: &SelfPlayGame, notation: Notation) -> Result<String, GameError> {
    let fen = game.position()?.fen();
    let mut line =
        format!("{};{};{};{fen};", game.id, game.result.result_for(Color::Red), game.ending.text());
    game.replay(|position, number, ply| {
        let space = if number == 0 { "" } else { " " };
        let _ = write!(line, "{space}{}:{}", move_text(position, ply.mv, notation), ply.score);
    })?;
    Ok(line)
}

/// Reads a line of [`game_to_text`] in any notation but UCI with ranks from 1; every move is
/// checked.
///
/// # Errors
/// The part of the line that is not valid, or the first illegal move.
pub fn game_from_text(line: &str) -> Result<SelfPlayGame, GameTextError> {
    let mut parts = line.trim_end().split(';');
    let mut field = || parts.next().unwrap_or_default();
    let start = |text: &str| text.chars().take(30).collect();
    let wrong = |text: &str, what| GameTextError::Field(start(text), what);
    let (id, result, ending, fen, plies) = (field(), field(), field(), field(), field());
    if let Some(surplus) = parts.next() {
        return Err(GameTextError::Surplus(start(surplus)));
    }
    let mut position = Position::from_fen(fen)?;
    let mut game = SelfPlayGame {
        id: id.parse().map_err(|_| wrong(id, "number"))?,
        start: PackedBoard::pack(position.board(), false),
        halfmove_clock: position.halfmove_clock(),
        result: GameResult::from_text(result)
            .and_then(|result| result.for_side(Color::Red))
            .ok_or_else(|| wrong(result, "result"))?,
        ending: SelfPlayEnding::from_text(ending).ok_or_else(|| wrong(ending, "ending"))?,
        plies: Vec::new(),
    };
    for text in plies.split_whitespace() {
        let (mv, score) = text.split_once(':').ok_or_else(|| wrong(text, "ply"))?;
        let mv = read_with(&position, mv, Ranks::FromZero)?;
        let score = score.parse().map_err(|_| wrong(score, "score"))?;
        position.play_unchecked(mv);
        game.plies.push(GamePly { mv, score });
        if game.plies.len() > MAX_PLIES {
            return Err(GameTextError::Long);
        }
    }
    Ok(game)
}
