//! Values in JSON, as their texts.

use xiangqi::rules::Level;
use xiangqi::{
    Color, EndByRules, MoveList, Notation, Outcome, PieceKind, Position, Referee, Regulations,
    RuleSet, START_FEN, Score, Square,
};

#[test]
fn texts_are_read_back_and_others_refused() {
    let square: Square = "e0".parse().expect("a square");
    assert_eq!(serde_json::to_string(&square).expect("JSON"), "\"e0\"");
    assert_eq!(serde_json::from_str::<Square>("\"e0\"").expect("a square"), square);
    assert_eq!(serde_json::to_string(&Score::Mate(-3)).expect("JSON"), "{\"mate\":-3}");
    assert_eq!(serde_json::from_str::<Color>("\"black\"").expect("a colour"), Color::Black);
    assert_eq!(serde_json::to_string(&RuleSet::Wxf).expect("JSON"), "\"WXF\"");
    let text = serde_json::to_string(&Position::default()).expect("JSON");
    assert_eq!(text, format!("\"{START_FEN}\""));
    assert_eq!(serde_json::from_str::<Position>(&text).expect("a position").fen(), START_FEN);
    let error = serde_json::from_str::<Square>("\"e10\"").expect_err("no square");
    assert!(error.to_string().contains("'e10' is not a valid square"), "{error}");
}

#[test]
fn regulations_without_a_limit_have_that_of_their_rules() {
    let read = |text: &str| serde_json::from_str::<Regulations>(text).expect("regulations");
    assert_eq!(read("{}"), Regulations::default());
    assert_eq!(read(r#"{"rules":"AXF"}"#), Regulations::of(RuleSet::Axf));
    let given = Regulations { rules: RuleSet::Axf, occurrences: 4, natural_limit: 80 };
    assert_eq!(read(&serde_json::to_string(&given).expect("JSON")), given);
}

#[test]
fn a_recorded_start_with_the_waiting_side_in_check_is_read_back() {
    let start = Position::from_recorded_fen("3k5/9/9/9/9/9/9/9/9/3RK4 w").expect("a start");
    assert!(start.defect().is_some());
    let text = serde_json::to_string(&start).expect("JSON");
    assert_eq!(serde_json::from_str::<Position>(&text).expect("a start").fen(), start.fen());
}

#[test]
fn a_game_of_a_server_is_json() {
    let start = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w").expect("a position");
    let config = r#"{"rules":"CXA"}"#;
    let regulations: Regulations = serde_json::from_str(config).expect("regulations");
    assert_eq!(regulations, Regulations { rules: RuleSet::Cxa, ..Regulations::default() });
    let mut referee = Referee::new(start, regulations);
    let end = referee.play("b0b9".parse().expect("a move")).expect("a legal move");
    let text = r#"{"winner":"red","reason":"checkmate"}"#;
    assert_eq!(serde_json::to_string(&end).expect("JSON"), text);
    assert_eq!(serde_json::from_str::<Option<Outcome>>(text).expect("an end"), end);

    let text = r#"{"repetition":{"loser":"red","red":"perpetual check","black":"idle"}}"#;
    let repetition: EndByRules = serde_json::from_str(text).expect("an end");
    let EndByRules::Repetition { loser, red, black, .. } = repetition else {
        panic!("{repetition}");
    };
    assert_eq!((loser, red, black), (Some(Color::Red), Level::PerpetualCheck, Level::Idle));
    assert_eq!(serde_json::to_string(&repetition).expect("JSON"), text);
    for level in Level::ALL {
        assert_eq!(serde_json::to_value(level).expect("JSON"), level.name());
    }

    assert_eq!(serde_json::to_string(&Notation::Wxf).expect("JSON"), "\"wxf\"");
    assert_eq!(serde_json::from_str::<PieceKind>("\"pawn\"").expect("a kind"), PieceKind::Pawn);
    let answers = referee.position().legal_moves();
    assert_eq!(serde_json::to_string(&answers).expect("JSON"), "[]");
    referee.undo().expect("a move");
    let moves = referee.position().legal_moves();
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let value = serde_json::to_value(&moves).expect("JSON");
    assert_eq!(value, serde_json::json!(texts));
    assert_eq!(serde_json::from_value::<MoveList>(value).expect("moves"), moves);
    let many = serde_json::json!(vec!["h2e2"; 120]);
    let error = serde_json::from_value::<MoveList>(many).expect_err("too many");
    assert_eq!(error.to_string(), "more than 119 moves");
}
