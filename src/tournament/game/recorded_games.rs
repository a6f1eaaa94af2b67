//! Reads names, rounds and results of recorded games, but not their moves.

use thiserror::Error;

use super::super::statistics::PlayerResult;

/// The part of a recorded game that statistics need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The names of the players, Red first.
    pub players: [String; 2],
    /// The `Round` header.
    pub round: String,
    /// The result for Red; `None` if the game has none (`*`).
    pub result: Option<PlayerResult>,
    /// The number of bytes of the text up to the end of the game.
    pub end: usize,
}

/// Why a text cannot be read as recorded games.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RecordedGameError {
    /// A game lacks the name of a player.
    #[error("game {game} has no header [{header} \"...\"]")]
    NoPlayer {
        /// The number of the game in the text, from 1.
        game: usize,
        /// The missing header.
        header: &'static str,
    },
}

/// Reads all complete games of a text. A last game that does not end with its result was cut off
/// while it was written and is left out.
pub fn read_games(text: &str) -> Result<Vec<RecordedGame>, RecordedGameError> {
    let mut games = Vec::new();
    let mut headers = Headers::default();
    let (mut in_moves, mut in_comment, mut offset) = (false, false, 0);
    for line in text.split_inclusive('\n') {
        offset += line.len();
        if !in_comment && line.starts_with('[') {
            if in_moves {
                // The last game has no result; its headers do not belong to this one.
                (in_moves, headers) = (false, Headers::default());
            }
            headers.read(line);
            continue;
        }
        if headers.is_empty() {
            continue;
        }
        // A result inside a comment does not count.
        let mut last = None;
        for word in words_outside_comments(line, &mut in_comment) {
            in_moves = true;
            last = Some(word);
        }
        if let Some(result) = last.and_then(parse_result) {
            let game = games.len() + 1;
            let player = |name: Option<String>, header| {
                name.ok_or(RecordedGameError::NoPlayer { game, header })
            };
            let Headers { red, black, round } = std::mem::take(&mut headers);
            games.push(RecordedGame {
                players: [player(red, "Red")?, player(black, "Black")?],
                round: round.unwrap_or_default(),
                result,
                end: offset,
            });
            in_moves = false;
        }
    }
    Ok(games)
}

#[derive(Default)]
struct Headers {
    red: Option<String>,
    black: Option<String>,
    round: Option<String>,
}

impl Headers {
    fn is_empty(&self) -> bool {
        self.red.is_none() && self.black.is_none() && self.round.is_none()
    }

    fn read(&mut self, line: &str) {
        let Some((name, rest)) = line.trim_start_matches('[').split_once(char::is_whitespace)
        else {
            return;
        };
        let Some(start) = rest.find('"') else { return };
        let mut value = String::new();
        let mut letters = rest[start + 1..].chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => value.extend(letters.next()),
                '"' => break,
                _ => value.push(letter),
            }
        }
        match name {
            "Red" | "White" => self.red = Some(value),
            "Black" => self.black = Some(value),
            "Round" => self.round = Some(value),
            _ => {}
        }
    }
}

fn words_outside_comments<'a>(line: &'a str, in_comment: &mut bool) -> Vec<&'a str> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let border = if *in_comment { '}' } else { '{' };
        let end = rest.find(border).unwrap_or(rest.len());
        if !*in_comment {
            words.extend(rest[..end].split_whitespace());
        }
        if end < rest.len() {
            *in_comment = !*in_comment;
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    words
}

fn parse_result(word: &str) -> Option<Option<PlayerResult>> {
    Some(match word {
        "1-0" => Some(PlayerResult::Win),
        "0-1" => Some(PlayerResult::Loss),
        "1/2-1/2" => Some(PlayerResult::Draw),
        "*" => None,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_other_programs_are_read() {
        let text = "[White \"a\"]\r\n[Black \"b\"]\r\n[Result \"0-1\"]\r\n\r\n1. C2.5 {so\r\n 1-0 }\r\n\
                    H8+7 0-1\r\n\r\n[Red \"c\"]\n[Black \"d\"]\n\n1. h2e2 *\n";
        let games = read_games(text).expect("games");
        let results: Vec<_> = games.iter().map(|game| game.result).collect();
        assert_eq!(results, [Some(PlayerResult::Loss), None]);
        let error = read_games("[Red \"c\"]\n\n1. h2e2 1-0\n").expect_err("no Black");
        assert!(error.to_string().contains("[Black"), "{error}");
        assert_eq!(read_games("no games at all").expect("nothing"), []);
    }
}
