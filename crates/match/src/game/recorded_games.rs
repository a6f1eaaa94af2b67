//! Reads names, rounds and results of recorded games, but not their moves.

use thiserror::Error;
use xiangqi::geometry::Color;
use xiangqi::records::raw_games;
use xiangqi::rules::{GameResult, Wdl};

/// The part of a recorded game that statistics need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedGame {
    /// The names of the players, Red first.
    pub players: [String; 2],
    /// The `Round` header.
    pub round: String,
    /// The FEN of the first position; `None` for the starting position.
    pub start: Option<String>,
    /// The time controls of Red and Black, as far as headers name them.
    pub controls: [Option<String>; 2],
    /// The `Adjudication` header: the rules under which this program has played it.
    pub rules: Option<String>,
    /// The `RedEngine` and `BlackEngine` headers: versions and options in the match.
    pub engines: [Option<String>; 2],
    /// The `MatchBegan` header: the time that distinguishes the match from others.
    pub match_began: Option<String>,
    /// The result for Red: the one that ends the game, else that of the header `Result`, where a
    /// reason may follow it (`1-0 (time)`); `None` if the game has none (`*`).
    pub result: Option<Wdl>,
    /// The `Termination` header: the reason of the end.
    pub termination: Option<String>,
    /// True if the game ends with its result; false if it was cut off while it was written.
    pub is_complete: bool,
    /// The number of bytes of the text up to the end of the game.
    pub end: usize,
}

/// The reason why a text cannot be read as recorded games.
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

/// Reads all games of a text.
///
/// # Errors
/// If a game with a result lacks the name of a player.
pub fn read_games(text: &str) -> Result<Vec<RecordedGame>, RecordedGameError> {
    let mut games = Vec::new();
    for (index, raw) in raw_games(text).enumerate() {
        let result = raw.final_result();
        let game = index + 1;
        let red = raw.tag("Red").or_else(|| raw.tag("White"));
        let player = |name: Option<&str>, header| match name {
            Some(name) => Ok(name.to_owned()),
            None if result == GameResult::Unknown => Ok(String::new()),
            None => Err(RecordedGameError::NoPlayer { game, header }),
        };
        games.push(RecordedGame {
            players: [player(red, "Red")?, player(raw.tag("Black"), "Black")?],
            round: raw.tag("Round").unwrap_or_default().to_owned(),
            start: raw.tag("FEN").map(str::to_owned),
            controls: ["RedTimeControl", "BlackTimeControl"].map(|header| {
                raw.tag(header).or_else(|| raw.tag("TimeControl")).map(str::to_owned)
            }),
            rules: raw.tag("Adjudication").map(str::to_owned),
            engines: ["RedEngine", "BlackEngine"].map(|header| raw.tag(header).map(str::to_owned)),
            match_began: raw.tag("MatchBegan").map(str::to_owned),
            result: result.for_side(Color::Red),
            termination: raw.tag("Termination").map(str::to_owned),
            is_complete: raw.result.is_some(),
            end: raw.end,
        });
    }
    Ok(games)
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
        assert_eq!(results, [Some(Wdl::Loss), None]);
        assert!(games.iter().all(|game| game.is_complete));
        let text = "[Red \"c\"]\n[Black \"d\"]\n[Result \"1-0\"]\n\n1. h2e2\n";
        let games = read_games(text).expect("a game");
        assert_eq!(games[0].result, Some(Wdl::Win), "the header's");
        assert!(!games[0].is_complete);
        let text = "[Red \"c\"]\n[Black \"d\"]\n[Result \"0-1 (time)\"]\n\n1. h2e2 *\n";
        let games = read_games(text).expect("a game");
        assert_eq!(games[0].result, Some(Wdl::Loss), "with a reason");
        assert_eq!(read_games("1. h2e2\n").expect("a game")[0].result, None);
        let error = read_games("[Red \"c\"]\n\n1. h2e2 1-0\n").expect_err("no Black");
        assert!(error.to_string().contains("[Black"), "{error}");
        assert_eq!(read_games(" \n").expect("nothing"), []);
    }
}
