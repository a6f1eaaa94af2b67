//! Classes of moves within limits of nodes, and the reading of article 26.2.

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Figures {
    case: Vec<Figure>,
}

#[derive(Deserialize)]
struct Figure {
    name: String,
    fen: String,
    lead: String,
    #[serde(rename = "loop")]
    turn: String,
}

/// Returns the moves of all figures of the rule book, with the boards they are played on.
fn moves_of_figures() -> Vec<(String, Board, Move)> {
    let text = include_str!("../figures.toml");
    let figures: Figures = toml::from_str(text).expect("the figures are TOML");
    let mut found = Vec::new();
    for figure in figures.case {
        let mut position = Position::from_fen(&figure.fen).expect("a position");
        let lead = figure.lead.split_whitespace().count();
        let moves = figure.lead.split_whitespace().chain(figure.turn.split_whitespace());
        for (ply, mv) in moves.enumerate() {
            let mv = position.parse_move(mv).expect("a legal move");
            if ply >= lead {
                found.push((format!("{}, {mv}", figure.name), position.board().clone(), mv));
            }
            position.play_unchecked(mv);
        }
    }
    found
}

/// Returns the class of a move played on this position.
fn class_of(fen: &str, mv: &str) -> CxaClass {
    let position = Position::from_fen(fen).expect("a position");
    classify(position.board(), position.parse_move(mv).expect("a legal move")).class
}

fn is_chase(class: CxaClass) -> bool {
    matches!(class, CxaClass::Chase(_))
}

#[test]
fn a_search_that_runs_out_of_nodes_claims_nothing_that_a_longer_one_refutes() {
    let mut undecided = 0;
    for (name, before, mv) in moves_of_figures() {
        let full = classify(&before, mv);
        assert!(!full.is_undecided, "{name}");
        for nodes in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048] {
            let found = classify_within(&before, mv, nodes);
            if !found.is_undecided {
                assert_eq!(found, full, "{name}, {nodes} nodes");
                continue;
            }
            undecided += 1;
            let is_true = match found.class {
                CxaClass::Check => false,
                CxaClass::Kill => full.class == CxaClass::Kill,
                // The heavier effect may be missing.
                CxaClass::Chase(_) => full.class == CxaClass::Kill || is_chase(full.class),
                CxaClass::Idle => true,
            };
            assert!(is_true, "{name}, {nodes} nodes: {found:?}, but it is {full:?}");
        }
    }
    assert!(undecided > 100, "only {undecided} searches ran out of nodes");
}

#[test]
fn the_weaker_side_may_answer_a_kill_with_its_only_piece() {
    // The rook goes to the file of the bishop e7, which nothing protects. In figure 18 it stops a
    // mate by rook and knight by that.
    for (fen, mv, chases) in [
        ("4ka3/4a4/b3b4/9/9/3R5/4n4/3Ar4/3KA4/9 w", "d4e4", false),
        // With a second piece, against a knight instead of the bishop, without a threat of mate.
        ("4ka3/4a4/b3b4/9/9/3R4P/4n4/3Ar4/3KA4/9 w", "d4e4", true),
        ("4ka3/4a4/b3n4/9/9/3R5/4n4/3Ar4/3KA4/9 w", "d4e4", true),
        ("3k5/4a4/b8/9/7n1/8R/7r1/9/4A4/3AK4 w", "i4i7", true),
    ] {
        assert_eq!(is_chase(class_of(fen, mv)), chases, "{fen}");
    }
}
