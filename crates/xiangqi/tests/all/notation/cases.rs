//! Hand-made cases: `crates/xiangqi/tests/data/notation.txt`.

use xiangqi::board::Position;
use xiangqi::notation::{
    Notation, NotationError, Ranks, ranks_of, read, read_moves, read_with, write, write_line,
};

const CASES: &str = include_str!("../../data/notation.txt");

const WRITTEN: [Notation; 5] =
    [Notation::Uci, Notation::Wxf, Notation::Chinese, Notation::Traditional, Notation::Algebraic];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn hand_made_cases_are_written_and_read_as_listed() {
    let lines = CASES.lines().filter(|line| !line.starts_with('#'));
    let (mut count, mut wrong) = (0, Vec::new());
    for line in lines {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [fen, texts @ .., others] = &fields[..] else { panic!("{line}") };
        let position = position(fen);
        let mv = position.parse_move(texts[0]).unwrap_or_else(|error| panic!("{line}: {error}"));
        for (text, notation) in texts.iter().zip(WRITTEN) {
            let written = write(&position, mv, notation);
            if written != *text || read(&position, text) != Ok(mv) {
                wrong.push(format!("{line}: {written} in {notation}"));
            }
        }
        for text in others.split_whitespace() {
            // A text such as h3e3 needs the ranks to be known if both readings are legal.
            let found = [Ranks::FromZero, Ranks::FromOne]
                .map(|ranks| read_with(&position, text, ranks).ok());
            if !found.contains(&Some(mv)) {
                wrong.push(format!("{line}: {text} is {found:?}"));
            }
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 30);
}

#[test]
fn texts_that_mean_two_moves_are_refused_with_both() {
    for (fen, text) in [
        ("3k5/2P3P2/2P3P2/9/9/9/9/9/9/4K4 w", "前兵进一"),
        ("3k5/9/9/4R4/9/9/9/4R4/9/5K3 w", "R5=1"),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "Ce2"),
    ] {
        match read(&position(fen), text) {
            Err(NotationError::Ambiguous { moves, .. }) => assert_eq!(moves.len(), 2, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn wrong_texts_are_refused_with_their_reason() {
    let start = Position::startpos();
    for (text, part) in [
        ("", "expected a form"),
        ("xyz", "expected a form"),
        ("炮二", "expected a form"),
        ("炮二平", "expected a form"),
        ("炮二平五五", "expected a form"),
        ("e2e4", "there is no piece on e2"),
        ("C2=11", "expected a form"),
        ("C2+9", "not a legal move of red"),
        ("马二进五", "not a legal move of red"),
        ("Ke1e2", "not a legal move of red"),
        ("é2é3", "expected a form"),
        ("\u{ff41}", "expected a form"),
    ] {
        let error = read(&start, text).expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn a_list_may_mix_notations_and_its_error_names_the_move() {
    let start = Position::startpos();
    let words = ["炮二平五", "H8+7", "Hg2", "卒7进1", "h0g2"];
    let error = read_moves(&start, &words).expect_err("h0g2 is not legal any more");
    assert_eq!((error.moves.len(), error.number), (4, 3));
    assert!(error.to_string().starts_with("move 3 (red): 'h0g2'"), "{error}");
    let moves = read_moves(&start, &words[..4]).expect("legal");
    assert_eq!(write_line(&start, &moves, Notation::Iccs), ["H2-E2", "H9-G7", "H0-G2", "G6-G5"]);
}

#[test]
fn algebraic_moves_of_fairy_stockfish_are_read() {
    for (fen, text, expected) in [
        // Two cannons on the file: the rank 10 tells which.
        ("1C2k4/9/9/9/9/9/1C7/9/9/3K5 w", "C10b8", "b9b7"),
        ("4k4/9/9/9/9/9/9/9/9/C2K5 w", "Ca10", "a0a9"),
        // A pawn with its letter that goes sideways without its file, and two that could go there.
        ("4k4/9/9/4P4/9/9/9/9/9/3K5 w", "Pd7", "e6d6"),
        ("4k4/9/9/4P4/3P5/9/9/9/9/3K5 w", "Ped7", "e6d6"),
        ("4k4/9/9/4P4/3P5/9/9/9/9/3K5 w", "Pd7", "d5d6"),
    ] {
        let mv = read_with(&position(fen), text, Ranks::FromOne);
        assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Ok(expected), "{text}");
    }
    // Without the letter, as XBoard writes it, a pawn goes forward.
    assert!(read(&position("4k4/9/9/4P4/9/9/9/9/9/3K5 w"), "d6").is_err());
}

#[test]
fn a_list_tells_how_its_ranks_are_numbered() {
    assert_eq!(ranks_of(["炮二平五", "h2e2", "h9g7"]), None);
    assert_eq!(ranks_of(["h3e3", "h10g8"]), Some(Ranks::FromOne));
    assert_eq!(ranks_of(["H2-E2", "B9-C7", "H0-G2"]), Some(Ranks::FromZero));
    assert_eq!(ranks_of(["Che3", "Hg8"]), None);
    assert_eq!(ranks_of(["Che3", "Rb10"]), Some(Ranks::FromOne));
    assert_eq!(ranks_of(["C10b9"]), Some(Ranks::FromOne));
    assert_eq!(ranks_of(["Rh0"]), Some(Ranks::FromZero));
    let start = Position::startpos();
    let from_zero = read_moves(&start, &["b2b3", "b7b6"]).expect("legal");
    let from_one = read_moves(&start, &["b3b4", "b8b7", "a1a2"]).expect("legal");
    assert_eq!(from_zero[..], from_one[..2]);
}
