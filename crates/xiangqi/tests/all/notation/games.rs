//! A whole collection of games, given by the environment.

use std::io::BufRead as _;

use xiangqi::board::Position;
use xiangqi::notation::{Notation, Ranks, read_with, write};

/// Reads the games of the file `CANNONADE_GAMES`, one a line: a result and moves in coordinates.
/// Each move is written and read back in every notation.
#[test]
#[ignore = "needs the environment variable CANNONADE_GAMES"]
fn all_moves_of_a_collection_survive_every_notation() {
    let path = std::env::var("CANNONADE_GAMES").expect("CANNONADE_GAMES names a file");
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (mut games, mut moves, mut mismatches) = (0_u64, 0_u64, 0_u64);
    for line in std::io::BufReader::new(file).lines() {
        let line = line.expect("text");
        let mut position = Position::startpos();
        for word in line.split_whitespace().skip(1) {
            let mv = position.parse_move(word).unwrap_or_else(|error| panic!("{line}: {error}"));
            for notation in Notation::ALL {
                let ranks = match notation {
                    Notation::UciFromOne => Ranks::FromOne,
                    _ => Ranks::FromZero,
                };
                let text = write(&position, mv, notation);
                let read = read_with(&position, &text, ranks);
                if read != Ok(mv) {
                    mismatches += 1;
                    eprintln!("{position}: {mv} is '{text}' in {notation}, read as {read:?}");
                }
            }
            position.play_unchecked(mv);
            moves += 1;
        }
        games += 1;
    }
    println!("{games} games, {moves} moves, {} texts, {mismatches} mismatches", moves * 7);
    assert_eq!(mismatches, 0);
    assert!(moves > 0, "{path} holds moves");
}
