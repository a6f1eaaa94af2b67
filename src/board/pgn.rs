//! Reading game records in PGN, leniently: tags, and moves in ICCS (`H2-E2` or `h2e2`).

use thiserror::Error;

use super::{FenError, MoveError, Position, START_FEN};

/// One game of a record, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnGame {
    /// Names and values in order.
    pub tags: Vec<(String, String)>,
    /// The words of the move text that are meant as moves.
    pub moves: Vec<String>,
}

/// Why a game of a record cannot be played through.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PgnError {
    /// A start that is no position.
    #[error("tag FEN: {0}")]
    Fen(#[from] FenError),
    /// A move that is none, or not legal where it stands.
    #[error("ply {ply}: {source}")]
    Move {
        /// The ply, counted from 1.
        ply: usize,
        /// What is wrong with the move.
        source: MoveError,
    },
}

impl PgnGame {
    /// The value of a tag, its name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
    }

    /// Plays the game through: its last position with its past.
    pub fn play(&self) -> Result<Position, PgnError> {
        let mut position = Position::from_fen(self.tag("FEN").unwrap_or(START_FEN))?;
        for (i, text) in self.moves.iter().enumerate() {
            let mv = position
                .parse_move(text)
                .map_err(|source| PgnError::Move { ply: i + 1, source })?;
            position.make(mv);
        }
        Ok(position)
    }
}

/// Reads all games of a record. Comments, variations, move numbers and annotations are left out;
/// a result or a tag behind moves ends a game.
pub fn read_pgn(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut game = PgnGame::default();
    let mut depth = 0;
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '[' if depth == 0 => {
                let end = rest.find(']').map_or(rest.len(), |end| end + 1);
                if !game.moves.is_empty() {
                    games.push(std::mem::take(&mut game));
                }
                game.tags.extend(parse_tag(&rest[..end]));
                end
            }
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.max(1) - 1;
                1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let stop = |c: char| c.is_whitespace() || "{;([)".contains(c);
                let end = rest.find(stop).filter(|&end| end > 0).unwrap_or(first_word(rest));
                let word = &rest[..end];
                if depth == 0 && matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                    games.push(std::mem::take(&mut game));
                } else if depth == 0 {
                    game.moves.extend(parse_word(word).map(str::to_owned));
                }
                end
            }
        };
        rest = &rest[end..];
    }
    if game != PgnGame::default() {
        games.push(game);
    }
    games
}

/// The length of the text up to its end, or of its first character if that is a stray `]`.
fn first_word(rest: &str) -> usize {
    rest.find(']').map_or(rest.len(), |at| at + 1)
}

fn parse_tag(text: &str) -> Option<(String, String)> {
    let inside = text.trim_start_matches('[').trim_end_matches(']');
    let (name, value) = inside.trim().split_once(char::is_whitespace)?;
    Some((name.to_owned(), value.trim().trim_matches('"').to_owned()))
}

/// The move in a word of the move text, without its number and annotation.
fn parse_word(word: &str) -> Option<&str> {
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let word = if number.starts_with('.') { number.trim_start_matches('.') } else { word };
    let word = word.trim_end_matches(['!', '?', '+', '#']);
    let is_move = word.starts_with(|c: char| !c.is_ascii_digit() && c != '$' && c != '.');
    is_move.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_comments_variations_and_numbers_are_told_from_moves() {
        let text = "[Event \"x\"]\n[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n1. A0-A9 {a check (!) 2. x}\n\
                    D9-D8 (1... d9e9 {no}) 2.a9a8! $4 D8-D9 ; to the end 1-0\n3. A8-A9 1-0\n\n[Event \"y\"]\n*";
        let games = read_pgn(text);
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].moves, ["A0-A9", "D9-D8", "a9a8", "D8-D9", "A8-A9"]);
        assert_eq!(games[0].tag("event"), Some("x"));
        assert_eq!(games[0].play().map(|position| position.ply()), Ok(5));
        assert_eq!((games[1].tag("Event"), games[1].moves.len()), (Some("y"), 0));
    }

    #[test]
    fn what_is_no_game_is_no_panic() {
        for text in ["", "\u{feff}", "[", "{", "(((", "]", ")", "1.", "é [x", "a]b", "1. zzzz"] {
            for game in read_pgn(text) {
                let _ = game.play();
            }
        }
        let wrong = read_pgn("1. h2e2 h2e2");
        assert!(matches!(wrong[0].play(), Err(PgnError::Move { ply: 2, .. })));
    }
}
