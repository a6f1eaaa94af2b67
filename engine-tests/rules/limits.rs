//! The natural-move limit and the other ends of a game.

use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::rules::{
    EndByRules, Outcome, Referee, Regulations, RuleSet, natural_plies, reaches_natural_limit,
};

fn referee(fen: &str, natural_limit: u16) -> Referee {
    let position = Position::from_fen(fen).expect("a position");
    Referee::new(position, Regulations { natural_limit, ..Regulations::default() })
}

fn play(referee: &mut Referee, moves: &str) -> Option<Outcome> {
    let mut outcome = referee.outcome();
    for mv in moves.split_whitespace() {
        assert_eq!(outcome, None, "the game is over before {mv}");
        outcome = referee.play(mv.parse().expect("a move")).expect("a legal move");
    }
    outcome
}

#[test]
fn the_limit_counts_plies_without_capture_and_zero_is_none() {
    let fen = "3k5/9/9/9/p8/9/8P/9/4A4/R3K4 w - - 117 60";
    let mut game = referee(fen, 120);
    let outcome = play(&mut game, "a0b0 d9d8 b0c0");
    assert_eq!(outcome, Some(Outcome { winner: None, reason: EndByRules::NaturalLimit }));
    assert_eq!(play(&mut referee(fen, 0), "a0b0 d9d8 b0c0 d8d9"), None);
    assert_eq!(
        play(&mut referee(fen, 118), "a0b0").map(|o| o.reason),
        Some(EndByRules::NaturalLimit)
    );
}

#[test]
fn a_capture_starts_the_count_again_and_a_pawn_step_does_not() {
    let fen = "3k5/9/9/9/p8/9/8P/9/4A4/R3K4 w - - 117 60";
    assert_eq!(play(&mut referee(fen, 120), "a0a5 d9d8 a5b5"), None);
    let outcome = play(&mut referee(fen, 120), "i3i4 d9d8 i4i5");
    assert_eq!(outcome.map(|outcome| outcome.reason), Some(EndByRules::NaturalLimit));
}

#[test]
fn mate_on_the_last_ply_wins() {
    let mut game = referee("4k4/R8/9/9/9/9/9/9/4A4/1R2K4 w - - 119 60", 120);
    let outcome = play(&mut game, "b0b9");
    assert_eq!(outcome, Some(Outcome { winner: Some(Color::Red), reason: EndByRules::Checkmate }));
}

#[test]
fn of_a_sides_checks_only_ten_are_counted() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
    let turns = ["d9d8 a9a8 d8d9 a8a9"; 6].join(" ");
    for mv in format!("a0a9 {turns}").split(' ') {
        let mv = position.parse_move(mv).expect("a legal move");
        position.make(mv);
    }
    let plies = position.halfmove_clock();
    let red_checks = position.states().iter().filter(|state| state.in_check()).count();
    assert_eq!((plies, red_checks), (25, 13));
    assert_eq!(natural_plies(&position), 25 - 3);
    assert!(!reaches_natural_limit(&position, plies));
    assert!(reaches_natural_limit(&position, 22));
}

#[test]
fn a_side_without_a_move_has_lost_in_check_or_not() {
    let outcome = play(&mut referee("4k4/3P5/9/9/9/9/9/5K3/9/9 b", 120), "");
    assert_eq!(outcome, Some(Outcome { winner: Some(Color::Red), reason: EndByRules::Stalemate }));
}

#[test]
fn the_last_attacker_taken_is_a_draw() {
    let mut game = referee("3k5/4a4/9/9/9/9/9/9/3RA4/3K5 b", 120);
    assert_eq!(play(&mut game, "e8d7 d1d7"), None, "a rook is left");
    let mut game = referee("4k4/9/9/9/9/9/9/9/3r5/3K5 w", 120);
    let outcome = play(&mut game, "d0d1");
    assert_eq!(outcome, Some(Outcome { winner: None, reason: EndByRules::DeadMaterial }));
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = referee("3k5/9/9/9/p8/9/8P/9/4A4/R3K4 w", 120);
    assert!(game.play("a0b1".parse().expect("a move")).is_err());
    assert_eq!(game.position().ply(), 0);
}

#[test]
fn the_occurrence_that_is_ruled_is_a_setting() {
    for occurrences in 2..=4 {
        let position = Position::from_fen("3k5/9/9/9/p8/9/8P/9/4A4/R3K4 w").expect("a position");
        let rules = Regulations { occurrences, rules: RuleSet::Wxf, natural_limit: 0 };
        let mut game = Referee::new(position, rules);
        let turns = ["a0b0 d9d8 b0a0 d8d9"; 3][..occurrences - 1].join(" ");
        let outcome = play(&mut game, &turns).expect("a repetition");
        assert_eq!(outcome.winner, None);
        assert!(matches!(outcome.reason, EndByRules::Repetition { .. }));
    }
}
