//! One rule at a time, each with a position where it holds and one where it does not.

use std::collections::BTreeSet;

use super::chases::chases_of;
use super::explanation::{Language, Reason, ReasonKind};
use super::judge::judge_loop;
use super::occurrences::{occurrences, recurrences};
use super::protection::{is_exchange, is_protected, real_roots};
use super::{GameResult, Level, ParseResultError, RuleSet, Wdl};
use crate::board::{Board, Position};
use crate::geometry::{Color, ParsePieceError, ParseSquareError, Piece, Square};

fn board(fen: &str) -> Board {
    Position::from_fen(fen).unwrap_or_else(|e| panic!("{e}: {fen}")).board().clone()
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// Returns Red's threats as text, sorted.
fn threats(fen: &str) -> BTreeSet<String> {
    chases_of(&board(fen), Color::Red).into_iter().map(|mv| mv.to_string()).collect()
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Returns Red's and Black's level in a loop.
fn levels(fen: &str, turn: &str) -> (Level, Level) {
    let mut position = Position::from_fen(fen).unwrap_or_else(|e| panic!("{e}: {fen}"));
    for mv in turn.split(' ') {
        let mv = position.parse_move(mv).unwrap_or_else(|e| panic!("{e}: {fen}"));
        position.play_unchecked(mv);
    }
    let level = |side| judge_loop(&position, position.ply(), RuleSet::Wxf).level(side);
    assert_eq!(position.key(), position.states()[0].key, "no loop: {fen} {turn}");
    (level(Color::Red), level(Color::Black))
}

const IDLE: (Level, Level) = (Level::Idle, Level::Idle);
const RED_CHASES: (Level, Level) = (Level::PerpetualChase, Level::Idle);

#[test]
fn errors_show_the_begin_of_a_long_text() {
    let (long, begin) = ("车".repeat(1000), "车".repeat(20));
    assert_eq!(long.parse::<Square>(), Err(ParseSquareError(begin.clone())));
    assert_eq!(long.parse::<Piece>(), Err(ParsePieceError(begin.clone())));
    assert_eq!(long.parse::<GameResult>(), Err(ParseResultError(begin)));
}

#[test]
fn names_are_read_in_any_case() {
    for level in Level::ALL {
        assert_eq!(level.name().to_uppercase().parse(), Ok(level));
    }
    for result in Wdl::ALL {
        assert_eq!(result.name().to_uppercase().parse(), Ok(result));
    }
    assert!("".parse::<Level>().is_err() && "won".parse::<Wdl>().is_err());
}

#[test]
fn the_heavier_way_of_two_offences_is_named() {
    let (kind, side) = (ReasonKind::HeavierOffence, Some(Color::Red));
    let reason = Reason { kind, side, pieces: Vec::new() };
    for (language, words) in [(Language::English, "without a root"), (Language::Chinese, "无根子")]
    {
        let text = language.reason(&reason, RuleSet::Cxa);
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn an_unprotected_piece_is_threatened_and_a_protected_one_is_not() {
    assert_eq!(threats("3k5/9/9/c8/9/9/9/9/9/R3K4 w"), set(&["a0a6"]));
    // The rook b6 guards the cannon.
    assert_eq!(threats("3k5/9/9/cr7/9/9/9/9/9/R3K4 w"), set(&[]));
}

#[test]
fn knight_and_cannon_threaten_a_protected_rook_but_no_protected_cannon() {
    assert_eq!(threats("3k5/r8/r8/9/1N7/9/9/9/9/4K4 w"), set(&["b5a7"]));
    assert_eq!(threats("3k5/r8/c8/9/1N7/9/9/9/9/4K4 w"), set(&[]));
    assert_eq!(threats("3k5/r8/r8/9/P8/9/C8/9/9/4K4 w"), set(&["a3a7"]));
}

#[test]
fn a_pinned_protector_is_a_fake_root() {
    // The bishop e7 guards g5, but without it the cannon e2 gives check over the advisor.
    let pinned = board("3ak4/4a4/4b4/9/6c2/9/6R2/4C4/9/3K5 w");
    assert!(!is_protected(&pinned, square("g3"), square("g5")));
    assert!(real_roots(&pinned, square("g3"), square("g5")).is_empty());
    let free = board("3ak4/4a4/4b4/9/6c2/9/6R2/3C5/9/3K5 w");
    assert!(is_protected(&free, square("g3"), square("g5")));
    assert_eq!(real_roots(&free, square("g3"), square("g5")).len(), 1);
}

#[test]
fn the_king_is_a_root_where_it_may_step() {
    assert!(is_protected(&board("3ck4/9/9/9/9/9/9/9/9/3R1K3 w"), square("d0"), square("d9")));
    // The other king looks down the file that the king would step on.
    assert!(!is_protected(&board("3ck4/9/9/9/9/9/9/9/9/R2K5 w"), square("a0"), square("d9")));
}

#[test]
fn a_protector_may_stand_beyond_the_attacker_or_have_its_leg_freed() {
    let behind = board("5k3/9/9/c2R4r/9/9/9/9/9/4K4 w");
    assert!(is_protected(&behind, square("d6"), square("a6")));
    // The advisor stands on the leg of the knight until it captures.
    let leg = board("3k5/9/9/9/9/9/9/3p5/4A4/4nK3 w");
    assert!(is_protected(&leg, square("e1"), square("d2")));
    let blocked = board("3k5/9/9/9/9/9/9/3p5/4A4/3n1K3 w");
    assert!(!is_protected(&blocked, square("e1"), square("d2")));
}

#[test]
fn equal_pieces_exchange_unless_the_victim_cannot_capture_first() {
    let rooks = board("3k5/9/9/r3R4/9/9/9/9/9/4K4 w");
    assert!(is_exchange(&rooks, square("e6"), square("a6")));
    // The black rook is pinned to its file.
    let pinned = board("4k4/9/9/4r3R/9/9/9/9/4R4/3K5 w");
    assert!(!is_exchange(&pinned, square("i6"), square("e6")));
    // One knight's leg is blocked.
    let blocked = board("4k4/9/9/4n4/4P4/3N5/9/9/9/3K5 w");
    assert!(!is_exchange(&blocked, square("d4"), square("e6")));
    let free = board("4k4/9/9/4n4/9/3N5/9/9/9/3K5 w");
    assert!(is_exchange(&free, square("d4"), square("e6")));
}

#[test]
fn kings_and_pawns_threaten_nothing() {
    assert_eq!(threats("3k5/9/9/2cP5/9/9/9/9/4n4/4K4 w"), set(&[]));
}

#[test]
fn only_a_pawn_that_has_crossed_the_river_is_threatened() {
    assert_eq!(threats("3k5/9/9/9/p8/9/9/9/9/R3K4 w"), set(&[]));
    assert_eq!(threats("3k5/9/9/9/9/p8/9/9/9/R3K4 w"), set(&["a0a4"]));
}

#[test]
fn a_pinned_attacker_threatens_nothing_off_its_line() {
    assert_eq!(threats("3k5/4r4/9/9/c3R4/9/9/9/9/4K4 w"), set(&[]));
    // Along its line it may capture, and exchanges.
    assert_eq!(threats("4k4/9/4r4/9/4R4/9/9/9/9/4K4 w"), set(&[]));
    assert_eq!(threats("3k5/4c4/9/9/4R4/9/9/9/9/4K4 w"), set(&["e5e8"]));
}

#[test]
fn a_rook_that_follows_an_unprotected_cannon_chases() {
    let fen = "3k5/9/9/c8/9/1R7/9/9/9/4K4 w";
    assert_eq!(levels(fen, "b4a4 a6b6 a4b4 b6a6"), RED_CHASES);
    // A root on one of the squares, and it does not chase with every move.
    let fen = "3k5/9/9/c7r/9/1R7/9/9/9/4K4 w";
    assert_eq!(levels(fen, "b4a4 a6b6 a4b4 b6a6"), IDLE);
}

#[test]
fn an_attack_that_was_there_before_is_no_chase() {
    // The rook steps along the file on which it attacks already.
    let fen = "3k5/9/9/c8/9/9/9/R8/9/4K4 w";
    assert_eq!(levels(fen, "a2a3 a6a5 a3a2 a5a6"), IDLE);
}

#[test]
fn a_threat_that_the_reply_lets_stand_is_no_chase() {
    // Black shuffles his king and lets the cannon hang on one of the two squares it is hit from.
    let fen = "3k5/9/9/c8/9/1R7/9/9/9/4K4 w";
    assert_eq!(levels(fen, "b4a4 d9d8 a4b4 d8d9"), IDLE);
}

#[test]
fn a_discovered_attack_is_a_chase() {
    // The knight unmasks the rook every second move and attacks the cannon itself on the other.
    let fen = "3k5/9/9/c8/9/R8/9/9/9/4K4 b";
    assert_eq!(levels(fen, "a6b6 a4b4 b6a6 b4a4"), RED_CHASES);
}

#[test]
fn checks_on_every_move_lose_and_with_something_else_between_do_not() {
    let checks = levels("R2k5/9/9/9/9/9/9/9/4A4/4K4 b", "d9d8 a9a8 d8d9 a8a9");
    assert_eq!(checks, (Level::PerpetualCheck, Level::Idle));
    assert_eq!(levels("R8/3k5/9/9/9/9/9/9/4A4/4K4 w", "a9a8 d8d7 a8a9 d7d8"), IDLE);
}

#[test]
fn a_pawn_beside_one_that_has_not_crossed_the_river_offers_no_exchange() {
    let is_offered = |fen: &str, attacker: &str, victim: &str| {
        is_exchange(&board(fen), square(attacker), square(victim))
    };
    assert!(!is_offered("3k5/9/9/7Pp/9/9/9/9/9/4K4 w", "h6", "i6"));
    assert!(!is_offered("3k5/9/9/9/9/6Pp1/9/9/9/4K4 b", "h4", "g4"));
    assert!(is_offered("3k5/9/9/8p/8P/9/9/9/9/4K4 w", "i5", "i6"));
}

#[test]
fn a_board_that_is_no_position_may_have_more_threats_than_one() {
    let mut board = Board::empty();
    for sq in Square::all() {
        let is_red = (sq.file() + sq.rank()).is_multiple_of(2);
        let piece = if is_red { "R" } else { "b" };
        board.put(piece.parse().expect("a piece"), sq);
    }
    board.put("K".parse().expect("a piece"), square("e0"));
    assert!(chases_of(&board, Color::Red).len() > 100);
}

#[test]
fn recurrences_are_the_states_with_an_earlier_occurrence() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/p8/1R7/4A4/R3K4 w").expect("a position");
    let turn = ["a0a2", "d9d8", "a2a0", "d8d9"];
    // A pawn that steps forward, and a capture, make all positions before impossible.
    let moves = [&turn[..], &turn, &["b2b1", "a3a2"], &turn, &["a0a2", "d9d8"], &turn[2..], &turn];
    let mut counted = 0;
    for mv in moves.concat() {
        position.play(mv.parse().expect("a move")).expect("legal");
        let recurs = recurrences(&position);
        assert_eq!(recurs.len(), position.ply() + 1);
        assert_eq!(recurs.last().copied(), Some(occurrences(&position).next().is_some()), "{mv}");
        counted += usize::from(recurs.last() == Some(&true));
    }
    assert!(counted > 5 && counted < position.ply(), "{counted}");
}
