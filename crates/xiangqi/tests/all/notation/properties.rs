//! Every legal move of random games survives every notation.

use proptest::prelude::*;
use xiangqi::board::Position;
use xiangqi::notation::{Notation, Ranks, read, read_moves, read_with, write};

/// A position some random plies from a random placement or from the start.
fn position_after(start: &str, picks: &[prop::sample::Index]) -> Position {
    let mut position = Position::from_fen(start).expect(start);
    for pick in picks {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[pick.index(moves.len())]);
    }
    position
}

/// The start, and positions rich in doubled men and pawns.
const STARTS: [&str; 6] = [
    xiangqi::board::START_FEN,
    "3ak4/4a4/2N1N4/2P1P4/2P1P4/4P4/9/9/9/4K4 w - - 0 1",
    "3k5/9/4b4/9/2b6/9/2p1p1p2/2p1p4/9/4K4 b - - 0 1",
    "5k3/4P4/4P4/4P4/4P4/9/4P4/9/9/3K5 b - - 0 1",
    "r1bak4/r3a4/1cn6/1c2n4/2b6/2B6/1CN6/1C2N4/R3A4/R1BA1K3 w - - 0 1",
    "3k5/9/4R4/4R4/4C4/4C4/9/3A5/9/3AK4 w - - 0 1",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn every_legal_move_is_read_as_it_was_written(
        start in prop::sample::select(&STARTS[..]),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let position = position_after(start, &picks);
        let mut texts = std::collections::HashMap::new();
        for mv in position.legal_moves() {
            for notation in Notation::ALL {
                let text = write(&position, mv, notation);
                let ranks = match notation {
                    Notation::UciFromOne => Ranks::FromOne,
                    _ => Ranks::FromZero,
                };
                prop_assert_eq!(read_with(&position, &text, ranks), Ok(mv), "{} {}", text, &position);
                let twin = texts.insert((notation, text), mv);
                prop_assert_eq!(twin, None, "{:?} in {}", notation, &position);
            }
        }
    }

    #[test]
    fn a_game_is_read_as_it_was_written(
        start in prop::sample::select(&STARTS[..]),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..100),
        notation in prop::sample::select(&Notation::ALL[..]),
    ) {
        let position = position_after(start, &picks);
        let moves: Vec<_> = position.played_moves().collect();
        let start = Position::from_fen(start).expect(start);
        let texts = xiangqi::notation::write_line(&start, &moves, notation);
        let words: Vec<&str> = texts.iter().map(String::as_str).collect();
        let read = read_moves(&start, &words);
        prop_assert!(read.is_ok(), "{:?}", read);
        let read = read.unwrap_or_default();
        // A short game with ranks from 1 may be legal with ranks from 0 too, which is then
        // preferred.
        if read != moves {
            prop_assert_eq!(notation, Notation::UciFromOne);
            let other = xiangqi::notation::write_line(&start, &read, Notation::Uci);
            prop_assert_eq!(other, texts);
        }
    }

    #[test]
    fn no_text_is_a_panic(text in "\\PC{0,8}|[前中后一二三兵卒炮进退平1-9]{1,6}|[+.=a-iA-Z0-9-]{1,6}") {
        let position = Position::startpos();
        if let Ok(mv) = read(&position, &text) {
            prop_assert!(position.legal_moves().contains(&mv));
        }
    }
}
