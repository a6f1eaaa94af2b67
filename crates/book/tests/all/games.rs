//! Games for books, and the books of them.

use cannonade_book::{BookBuilder, BuildSettings, Weighting};
use xiangqi::records;

/// Games that begin alike, two of them mirrored, with all results.
pub const GAMES: &str = "\
1-0 h2e2 h9g7 h0g2 i9h9 i0h0
0-1 b2e2 b9c7 b0c2 a9b9
1/2-1/2 h2e2 h7e7 h0g2
* h2e2 b9c7
1-0 g3g4 g6g5
";

/// The default settings of books in the tests.
pub fn settings() -> BuildSettings {
    BuildSettings {
        plies: 10,
        min_games: 1,
        weighting: Weighting::Points,
        credit: "test games".to_owned(),
    }
}

/// The bytes of a book of these games, one a line.
pub fn book_of(games: &str, settings: BuildSettings) -> Vec<u8> {
    let collection = records::read(games.as_bytes());
    assert_eq!(collection.problems, [], "the games of a test are sound");
    let mut builder = BookBuilder::new(settings);
    collection.games.iter().for_each(|game| builder.add(game));
    builder.finish()
}
