//! The natural-move limit and the other ends of a game.

use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::rules::search::reaches_natural_limit;
use xiangqi::rules::{EndByRules, Outcome, Referee, Regulations, RuleSet, natural_plies};

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

/// The position after the moves.
fn played(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).expect("a position");
    for mv in moves.split_whitespace() {
        let mv = position.parse_move(mv).expect("a legal move");
        position.play_unchecked(mv);
    }
    position
}

#[test]
fn of_a_sides_checks_only_ten_are_counted_and_their_answers() {
    let fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";
    let turns = ["d9d8 a9a8 d8d9 a8a9"; 7].join(" ");
    let moves: Vec<_> = "a0a9".split(' ').chain(turns.split(' ')).collect();
    // Red checks with every move; the eleventh check and all that follows is not counted.
    for (plies, counted) in [(1, 1), (19, 19), (20, 20), (21, 20), (22, 20), (28, 20)] {
        let position = played(fen, &moves[..plies].join(" "));
        assert_eq!(natural_plies(&position), counted, "{plies} plies");
        assert!(reaches_natural_limit(&position, counted));
        assert!(!reaches_natural_limit(&position, counted + 1), "{plies} plies");
    }
    // A quiet round after the checks counts again.
    let position = played(fen, &format!("{} a8a7 d9d8", moves[..28].join(" ")));
    assert_eq!((position.halfmove_clock(), natural_plies(&position)), (30, 22));
}

#[test]
fn an_answer_that_checks_is_left_out_once() {
    // Both sides check with every move (WXF diagram 4).
    let suite = super::diagrams::suite();
    let case = suite.iter().find(|case| case.name == "diagram 4").expect("the diagram");
    let case = super::diagrams::Loop::of(case);
    let fen = case.played().fen();
    let turn: Vec<_> = case.turn.iter().map(ToString::to_string).collect();
    let position = played(&fen, &vec![turn.join(" "); 8].join(" "));
    let known = position.states()[1..].iter().filter(|state| state.in_check()).count();
    let before = Position::from_fen(&fen).expect("a position").halfmove_clock();
    assert_eq!(known, 8 * turn.len());
    assert_eq!(natural_plies(&position), before + 20);
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
    let end = Some(Outcome { winner: None, reason: EndByRules::DeadMaterial });
    assert_eq!(play(&mut game, "d0d1"), end);
    // Moves may follow the end, which remains.
    assert_eq!(game.play("e9e8".parse().expect("a move")), Ok(end));
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
