//! Game files of all kinds.

use std::time::Duration;

use cannonade_match::read_games;
use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, Problem, TextEncoding, read, write};

use super::super::corpus;
use super::super::thread_time::ThreadTime;
use super::{Form, Target};

/// Read in part or whole; each game that was read is the same after being written.
pub const RECORD: Target = Target {
    name: "record",
    form: Form::File,
    seeds: corpus::records,
    check: record,
    inputs: [1_000, 5_000],
    accepted: 4,
};

/// Files of a size that no person makes: read in time and memory that grow no faster than they do.
pub const LARGE: Target = Target {
    name: "large",
    form: Form::File,
    seeds: corpus::large_records,
    check: large,
    inputs: [10, 100],
    accepted: 4,
};

/// The processor time for a file of half a megabyte. A hundredth of it is usual.
const PATIENCE: Duration = Duration::from_secs(60);

fn large(input: &[u8]) -> bool {
    let time = ThreadTime::start();
    let collection = read(input);
    for game in &collection.games {
        let kinds = [FileKind::Pgn, FileKind::Xqf, FileKind::Position];
        for kind in kinds {
            let one = std::slice::from_ref(game);
            let Ok(file) = write(one, kind, Notation::Uci, TextEncoding::Utf8) else { continue };
            let again = read(&file).games.first().map(Game::moves);
            assert_eq!(again.map(|moves| moves.len()), Some(game.moves().len()), "{kind}");
        }
    }
    assert!(time.used() < PATIENCE, "{:?}", time.used());
    !collection.games.is_empty()
}

fn record(input: &[u8]) -> bool {
    let collection = read(input);
    // Coordinates from 1 can be taken for those from 0 if no piece was on the highest rank.
    let notations =
        Notation::ALL.map(|one| if one == Notation::UciFromOne { Notation::Uci } else { one });
    let notation = notations[input.len() % notations.len()];
    for game in &collection.games {
        for kind in FileKind::WRITTEN {
            // DhtmlXQ has no field for the side to move; the first move shows it.
            if game.moves().is_empty() && kind == FileKind::DhtmlXq {
                continue;
            }
            let file = write(std::slice::from_ref(game), kind, notation, TextEncoding::Utf8);
            // A list names no start.
            let Ok(file) = file else { continue };
            let again = read(&file);
            let text = String::from_utf8_lossy(&file);
            let is_wrong = again.problems.iter().any(Problem::affects_moves);
            assert!(!is_wrong, "{:?} {text}", again.problems);
            assert_eq!(again.games.len(), 1, "{text}");
            let written = again.games.first().map(Game::moves);
            assert_eq!(written, Some(game.moves()), "{text}");
        }
    }
    if let Ok(text) = str::from_utf8(input) {
        let end = read_games(text).ok().and_then(|games| games.last().map(|game| game.end));
        assert!(end.is_none_or(|end| text.is_char_boundary(end)));
    }
    !collection.games.is_empty()
}
