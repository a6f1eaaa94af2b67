//! The search among repetitions: offenders leave the loop, victims stay in it.

use cannonade::board::{Move, Position};
use cannonade::geometry::Color;
use cannonade::search::{Outcome, Score};
use serde::Deserialize;

use crate::{play, search};

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
}

/// The side to move after one turn of the loop that loses or wins by going on, at its last chance
/// to choose, with the move that goes on.
fn last_chances(case: &Case) -> Vec<(Position, Move)> {
    let mut position = play(&case.fen, &format!("{} {}", case.lead, case.turn));
    let mut chances = Vec::new();
    for mv in case.turn.split_whitespace().take(2) {
        let mv = position.parse_move(mv).expect("a move of the loop");
        chances.push((position.clone(), mv));
        position.make(mv);
    }
    chances
}

fn is_lost(score: Score) -> bool {
    score.centipawns() < -15_000
}

fn suite() -> Vec<Case> {
    let text = include_str!("../data/wxf-diagrams.toml");
    toml::from_str::<Suite>(text).expect("the diagrams are TOML").case
}

#[test]
fn in_every_diagram_the_offender_leaves_the_loop_and_the_victim_stays_in_it() {
    let mut wrong = Vec::new();
    let (mut left, mut stayed) = (0, 0);
    for case in suite() {
        let offender = match case.ruling.as_str() {
            "red loses" => Color::Red,
            "black loses" => Color::Black,
            _ => continue,
        };
        for (position, on) in last_chances(&case) {
            let Outcome { best, score, .. } = search(&position, 20_000);
            if position.side() == offender {
                left += 1;
                if best == Some(on) && !is_lost(score) {
                    wrong.push(format!("{}: the offender goes on with {on}, {score:?}", case.name));
                }
            } else {
                stayed += 1;
                if score.centipawns() < 15_000 {
                    wrong.push(format!("{}: the victim plays {best:?}, {score:?}", case.name));
                }
            }
        }
    }
    assert!(left > 50 && stayed > 50, "{left} {stayed}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn diagram_34_is_won_because_red_may_not_go_on_chasing() {
    let position = play("3aka3/7R1/7c1/9/9/9/9/9/4A4/3AK1p2 b - - 0 1", "");
    let Outcome { best, score, .. } = search(&position, 200_000);
    assert!(score.centipawns() > 15_000, "{score:?}");
    assert_eq!(best.map(|mv| mv.to_string()).as_deref(), Some("h7c7"));
}

#[test]
fn no_mate_is_seen_where_only_repetitions_threaten() {
    for fen in
        ["3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1", "5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b - - 0 1"]
    {
        for nodes in [10_000, 100_000, 1_000_000] {
            let Outcome { score, best, .. } = search(&play(fen, ""), nodes);
            assert!(matches!(score, Score::Cp(_)), "{fen} at {nodes}: {best:?} {score:?}");
        }
    }
}
