//! Files with a FEN a line, as games without moves.

#![cfg(feature = "records")]

use xiangqi::Notation;
use xiangqi::board::START_FEN;
use xiangqi::records::{FileKind, TextEncoding, read, write};

const FEN: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 b - - 3 7";

#[test]
fn positions_are_read_written_and_read_again() {
    let text = format!(
        "# two positions\n{START_FEN}\n\nhttps://example.org/?fen={}\n9/9/9 w\n{FEN} ; c0 \"a\";\n",
        FEN.replace(' ', "_")
    );
    let collection = read(text.as_bytes());
    assert_eq!(collection.kind, FileKind::Fen);
    assert_eq!(collection.numbers, [1, 2, 4]);
    let problem = collection.problems[0].to_string();
    assert!(
        problem.starts_with("game 3, line 5: start position: the FEN has 3 ranks"),
        "{problem}"
    );
    let games = &collection.games;
    let written = |kind| write(games, kind, Notation::Iccs, TextEncoding::Utf8).expect("games");
    assert_eq!(
        String::from_utf8_lossy(&written(FileKind::Fen)),
        format!("{START_FEN}\n{FEN}\n{FEN}\n")
    );
    for kind in [FileKind::Pgn, FileKind::Position] {
        let again = read(&written(kind));
        assert_eq!((again.kind, again.problems.len()), (kind, 0));
        let back = write(&again.games, FileKind::Fen, Notation::Iccs, TextEncoding::Utf8);
        assert_eq!(back.as_deref(), Ok(&written(FileKind::Fen)[..]));
    }
}

#[test]
fn a_game_gives_the_position_at_its_end() {
    let games = read(b"1. h2e2 h9g7 *").games;
    let fen = write(&games, FileKind::Fen, Notation::Iccs, TextEncoding::Utf8).expect("a game");
    assert_eq!(fen, format!("{}\n", games[0].last_position().fen()).into_bytes());
}

#[test]
fn a_game_that_begins_with_a_fen_is_a_game() {
    let collection = read(format!("{FEN}\n\n1. …… 将4退1\n").as_bytes());
    assert_eq!(collection.kind, FileKind::Pgn);
    assert_eq!(collection.games[0].start().fen(), FEN);
    assert_eq!(collection.games[0].len(), 0, "the move is not legal: {:?}", collection.problems);
    let collection = read(format!("{FEN}\n1... d9d8 2. a0a8\n").as_bytes());
    assert_eq!((collection.games[0].len(), &collection.problems[..]), (2, &[][..]));
}
