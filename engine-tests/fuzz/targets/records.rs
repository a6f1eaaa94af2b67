//! Game files of all kinds.

use cannonade::notation::Notation;
use cannonade::records::{read, write_dhtmlxq, write_pgn};
use cannonade::tournament::read_games;

use super::{Form, Target};
use crate::corpus;

/// Read in part or whole; each game that was read can be written.
pub const RECORD: Target = Target {
    name: "record",
    form: Form::File,
    seeds: || corpus::files("records"),
    check: record,
    inputs: [1_000, 5_000],
    accepted: 4,
};

fn record(input: &[u8]) -> bool {
    let collection = read(input);
    let notation = Notation::ALL[input.len() % Notation::ALL.len()];
    for game in &collection.games {
        let plies = game.moves().len();
        for text in [write_pgn(game, notation), write_dhtmlxq(game)] {
            assert!(text.len() > plies, "{text}");
        }
    }
    if let Ok(text) = str::from_utf8(input) {
        let end = read_games(text).ok().and_then(|games| games.last().map(|game| game.end));
        assert!(end.is_none_or(|end| text.is_char_boundary(end)));
    }
    !collection.games.is_empty()
}
