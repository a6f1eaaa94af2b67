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
fn a_threat_by_check_has_legal_moves_that_mate_or_win_material() {
    let (mut mates, mut gains) = (0, 0);
    for (name, before, mv) in moves_of_figures() {
        let Some(threat) = new_threat_by_check(&before, mv) else { continue };
        let mut position = Position::from_board(before, 0).expect("a position").after([mv]);
        position.make_null();
        let (us, mut balance) = (position.side(), 0);
        for (i, &mv) in threat.line.iter().enumerate() {
            assert!(position.check_move(mv).is_ok(), "{name}: {:?}", threat.line);
            assert!(i > 0 || position.gives_check(mv), "{name}: {:?}", threat.line);
            let value = position.captured(mv).map_or(0, |piece| {
                // A pawn that has crossed the river is worth less than an advisor, but something.
                2 * piece_value(piece.kind()) + i32::from(piece.kind() == PieceKind::Pawn)
            });
            balance += if position.side() == us { value } else { -value };
            position.play_unchecked(mv);
        }
        let is_mate = position.in_check() && !position.has_legal_move();
        assert!(threat.is_mate == is_mate, "{name}: {:?}", threat.line);
        assert!(is_mate || balance > 0, "{name}: {:?} wins {balance}", threat.line);
        *(if threat.gain.is_none() { &mut mates } else { &mut gains }) += 1;
    }
    assert!(mates >= 8 && gains >= 20, "{mates} mates, {gains} gains");
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
