//! Values in JSON, as their texts.
#![cfg(feature = "serde")]

use xiangqi::{Color, Position, RuleSet, START_FEN, Square};

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
