//! Values in JSON, as their texts.
#![cfg(feature = "serde")]

use xiangqi::rules::Level;
use xiangqi::{
    Color, EndByRules, Notation, Outcome, PieceKind, Position, Referee, Regulations, RuleSet,
    START_FEN, Square,
};

#[test]
fn texts_are_read_back_and_others_refused() {
    let square: Square = "e0".parse().expect("a square");
    assert_eq!(serde_json::to_string(&square).expect("JSON"), "\"e0\"");
    assert_eq!(serde_json::from_str::<Square>("\"e0\"").expect("a square"), square);
    assert_eq!(serde_json::from_str::<Color>("\"black\"").expect("a colour"), Color::Black);
    assert_eq!(serde_json::to_string(&RuleSet::Wxf).expect("JSON"), "\"WXF\"");
    let text = serde_json::to_string(&Position::default()).expect("JSON");
    assert_eq!(text, format!("\"{START_FEN}\""));
    assert_eq!(serde_json::from_str::<Position>(&text).expect("a position").fen(), START_FEN);
    let error = serde_json::from_str::<Square>("\"e10\"").expect_err("no square");
    assert!(error.to_string().contains("'e10' is not a valid square"), "{error}");
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

    let (red, black) = (Level::PerpetualCheck, Level::Idle);
    let repetition = EndByRules::Repetition { loser: Some(Color::Red), red, black };
    let text = serde_json::to_string(&repetition).expect("JSON");
    let names = r#"{"loser":"red","red":"perpetual check","black":"idle"}"#;
    assert_eq!(text, format!(r#"{{"repetition":{names}}}"#));
    assert_eq!(serde_json::from_str::<EndByRules>(&text).expect("an end"), repetition);
    for level in [Level::Idle, Level::PerpetualChase, Level::PerpetualAttack, red] {
        assert_eq!(serde_json::to_value(level).expect("JSON"), level.name());
    }

    assert_eq!(serde_json::to_string(&Notation::Wxf).expect("JSON"), "\"wxf\"");
    assert_eq!(serde_json::from_str::<PieceKind>("\"pawn\"").expect("a kind"), PieceKind::Pawn);
    let answers = referee.position().legal_moves();
    assert_eq!(serde_json::to_string(&answers).expect("JSON"), "[]");
    referee.undo().expect("a move");
    let moves = referee.position().legal_moves();
    let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
    assert_eq!(serde_json::to_value(&moves).expect("JSON"), serde_json::json!(texts));
}
