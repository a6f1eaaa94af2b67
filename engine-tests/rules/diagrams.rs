//! Every judged diagram, in every disguise.

use cannonade::board::{Move, Position};
use cannonade::geometry::Color;
use cannonade::rules::{Level, RuleSet, judge_player, last_occurrence};
use serde::Deserialize;

#[derive(Deserialize)]
struct Suite {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    fen: String,
    lead: String,
    #[serde(rename = "loop")]
    turn: String,
    ruling: String,
    why: String,
}

fn suite() -> Vec<Case> {
    let text = include_str!("../data/wxf-diagrams.toml");
    toml::from_str::<Suite>(text).expect("the diagrams are TOML").case
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}

fn ruling(position: &Position) -> (&'static str, Level, Level) {
    let earlier = last_occurrence(position).expect("the position has occurred before");
    let length = position.ply() - earlier;
    let level = |side| judge_player(position, length, side, RuleSet::Wxf);
    let (red, black) = (level(Color::Red), level(Color::Black));
    let ruling = match red.cmp(&black) {
        std::cmp::Ordering::Greater => "red loses",
        std::cmp::Ordering::Less => "black loses",
        std::cmp::Ordering::Equal => "draw",
    };
    (ruling, red, black)
}

#[test]
fn every_diagram_is_ruled_as_the_manual_does() {
    let mut wrong = Vec::new();
    for case in suite() {
        let mut position = Position::from_fen(&case.fen).expect("a position");
        for mv in moves(&case.lead).into_iter().chain(moves(&case.turn)) {
            position.make(position.check_move(mv).unwrap_or_else(|e| panic!("{}: {e}", case.name)));
        }
        let (ruling, red, black) = ruling(&position);
        if ruling != case.ruling {
            wrong.push(format!(
                "{}: {} but ruled {ruling} ({red} / {black}): {}",
                case.name, case.ruling, case.why
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
