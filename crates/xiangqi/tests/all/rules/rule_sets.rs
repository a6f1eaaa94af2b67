//! The rule sets compared: the prohibitions of each, and the figures of the Chinese rules.

use xiangqi::board::{Position, State};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::{ExplainedMove, Language, MoveKind, explain};
use xiangqi::rules::{Ground, Level, LoopRuling, Regulations, RuleSet, judge_game, judge_loop};

use serde::Deserialize;

use super::diagrams::{Case, Loop, read_cases, suite};

#[derive(Deserialize)]
struct Differences {
    case: Vec<Difference>,
}

/// A loop of a master game on which the rule sets differ.
#[derive(Deserialize)]
struct Difference {
    name: String,
    fen: String,
    #[serde(rename = "loop")]
    turn: String,
    wxf: String,
    cxa: String,
    computer: String,
}

/// Figures whose ruling needs more than the judge looks at; `docs/lab/rules.md` has the reasons.
const WRONG_FIGURES: [&str; 2] = ["figure 29b", "reference 34"];

fn figures() -> Vec<Case> {
    read_cases(include_str!("../../../src/rules/cxa/figures.toml"))
}

fn ruling(case: &Loop, rules: RuleSet) -> LoopRuling {
    judge_loop(&case.played(), case.turn.len(), rules)
}

/// The ruling of one turn of a loop.
fn ruled(fen: &str, turn: &str, rules: RuleSet) -> LoopRuling {
    let mut position = Position::from_fen(fen).unwrap_or_else(|e| panic!("{e}: {fen}"));
    for mv in turn.split_whitespace() {
        let mv = position.parse_move(mv).unwrap_or_else(|e| panic!("{e}: {fen}"));
        position.play_unchecked(mv);
    }
    judge_loop(&position, position.ply(), rules)
}

#[test]
fn the_chinese_figures_but_two_are_ruled_as_the_book_says() {
    let cases = figures();
    let is_wrong = |case: &&Case| {
        let case = Loop::of(case);
        ruling(&case, RuleSet::Cxa).loser != case.loser
    };
    let wrong: Vec<_> = cases.iter().filter(is_wrong).map(|case| case.name.as_str()).collect();
    assert_eq!(wrong, WRONG_FIGURES, "{} of {} right", cases.len() - wrong.len(), cases.len());
}

#[test]
fn by_every_rule_set_the_explanation_gives_the_right_ruling() {
    let ruling = |case: &Case, rules| {
        let found = explain(&Loop::of(case).played(), rules).expect("a repetition");
        found.report(Language::English, Notation::Uci).ruling
    };
    for case in suite() {
        for rules in [RuleSet::Wxf, RuleSet::Axf] {
            assert_eq!(ruling(&case, rules), case.ruling, "{} by {rules}", case.name);
        }
    }
    for case in figures() {
        let is_right = ruling(&case, RuleSet::Cxa) == case.ruling;
        assert_eq!(is_right, !WRONG_FIGURES.contains(&case.name.as_str()), "{}", case.name);
    }
    for case in figures().iter().chain(&suite()) {
        let position = Loop::of(case).played();
        let turn = Loop::of(case).turn.len();
        let states = position.states();
        let loop_states = &states[states.len() - turn..];
        // The side to move after a check is the one in check.
        let always_checks =
            |parity: usize| loop_states.iter().skip(parity).step_by(2).all(State::in_check);
        let last = !position.side();
        let (by_first, by_last) = (always_checks(0), always_checks(1));
        let expected = match (by_first, by_last) {
            (true, false) => format!("{} loses", !last),
            (false, true) => format!("{last} loses"),
            _ => "draw".to_owned(),
        };
        assert_eq!(ruling(case, RuleSet::CheckOnly), expected, "{}", case.name);
        assert_eq!(ruling(case, RuleSet::None), "draw", "{}", case.name);
    }
}

#[test]
fn by_every_rule_set_mirror_images_and_exchanged_colours_have_the_same_ruling() {
    for case in figures().iter().chain(&suite()) {
        let original = Loop::of(case);
        for rules in RuleSet::ALL {
            let want = ruling(&original, rules).loser;
            for (i, image) in original.images().iter().enumerate() {
                let found = ruling(image, rules);
                let loser = if i < 2 { found.loser } else { found.loser.map(|loser| !loser) };
                assert_eq!(loser, want, "{} by {rules}, image {i}", case.name);
            }
        }
    }
}

#[test]
fn by_every_rule_set_a_loop_has_one_ruling_wherever_it_is_entered() {
    for case in figures().iter().chain(&suite()) {
        let original = Loop::of(case);
        for rules in RuleSet::ALL {
            let want = ruling(&original, rules).loser;
            for plies in 1..original.turn.len() {
                let loser = ruling(&original.entered(plies), rules).loser;
                assert_eq!(loser, want, "{} by {rules}, entered at ply {plies}", case.name);
            }
        }
    }
}

#[test]
fn the_loops_that_were_read_by_hand_are_ruled_as_noted() {
    let text = include_str!("../../data/rule-set-differences.toml");
    let differences: Differences = toml::from_str(text).expect("the loops are TOML");
    assert_eq!(differences.case.len(), 50);
    for Difference { name, fen, turn, wxf, cxa, computer } in differences.case {
        for (rules, noted) in
            [(RuleSet::Wxf, wxf), (RuleSet::Cxa, cxa), (RuleSet::Computer, computer)]
        {
            let found = match ruled(&fen, &turn, rules).loser {
                Some(loser) => format!("{loser} loses"),
                None => "draw".to_owned(),
            };
            assert_eq!(found, noted, "{name} by {rules}");
        }
    }
}

#[test]
fn axf_rules_every_loop_as_wxf_with_a_shorter_limit() {
    for case in suite() {
        let case = Loop::of(&case);
        assert_eq!(ruling(&case, RuleSet::Axf), ruling(&case, RuleSet::Wxf));
    }
    assert_eq!(RuleSet::Axf.natural_limit(), 100);
    assert_eq!(RuleSet::Cxa.natural_limit(), 120);
}

#[test]
fn perpetual_check_loses_by_every_rule_set_but_none() {
    for rules in RuleSet::ALL {
        // WXF diagram 2.
        let (fen, turn) = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8");
        let loser = (rules != RuleSet::None).then_some(Color::Red);
        assert_eq!(ruled(fen, turn, rules).loser, loser, "{rules}");
    }
}

#[test]
fn computer_rules_forbid_a_chase_only_where_neither_side_checks() {
    // WXF diagram 33: a rook chases a cannon.
    let chase = ("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w", "h6i6 i0h0 i6h6 h0i0");
    let found = ruled(chase.0, chase.1, RuleSet::Computer);
    assert_eq!((found.red, found.loser), (Level::PerpetualChase, Some(Color::Red)));
    // The chased cannon checks with every second move: by WXF the chaser loses all the same.
    let checked = ("5k3/8C/9/8p/9/8p/8p/9/5C3/2BRK1N1c w", "g0h2 i0i1 h2g0 i1i0");
    assert_eq!(ruled(checked.0, checked.1, RuleSet::Wxf).loser, Some(Color::Red));
    assert_eq!(ruled(checked.0, checked.1, RuleSet::Computer).loser, None);
}

#[test]
fn chinese_rules_forbid_check_and_chase_in_turn() {
    let (fen, turn) = ("2bak4/4a4/4b4/4CR2p/6p2/2P6/P5P1P/8c/6r2/2B1KA3 w", "f0e1 g1g0 e1f0 g0g1");
    assert_eq!(ruled(fen, turn, RuleSet::Wxf).loser, None);
    let found = ruled(fen, turn, RuleSet::Cxa);
    assert_eq!((found.black, found.loser), (Level::PerpetualAttack, Some(Color::Black)));
}

/// The kinds of a side's moves in one turn of a figure, by the Chinese rules.
fn classes(name: &str, side: Color) -> Vec<MoveKind> {
    let case = figures().into_iter().find(|case| case.name == name).expect("the figure");
    let found = explain(&Loop::of(&case).played(), RuleSet::Cxa).expect("a repetition");
    found.moves.iter().filter(|mv| mv.side() == side).map(ExplainedMove::class).collect()
}

#[test]
fn by_chinese_rules_pawns_and_kings_win_nothing_by_themselves() {
    // After the exchange of a knight for a cannon only a pawn would win something.
    let is_idle =
        |kind: &MoveKind| !matches!(kind, MoveKind::Check | MoveKind::Kill | MoveKind::Chase);
    assert!(is_idle(&classes("reference 32", Color::Red)[0]));
    assert!(is_idle(&classes("reference 33", Color::Red)[1]));
    // A pawn that helps another piece to capture makes the chase (26.1.1).
    assert_eq!(classes("figure 15", Color::Red), [MoveKind::Chase, MoveKind::Chase]);
}

#[test]
fn by_chinese_rules_what_an_offered_exchange_would_win_is_no_chase() {
    for (name, side, at) in [
        ("figure 02", Color::Black, 0),
        ("figure 09", Color::Red, 1),
        ("figure 13", Color::Red, 1),
        ("reference 04", Color::Black, 1),
        ("reference 22", Color::Red, 0),
    ] {
        let kind = classes(name, side)[at];
        assert!(!matches!(kind, MoveKind::Kill | MoveKind::Chase), "{name}: {kind:?}");
    }
}

#[test]
fn by_chinese_rules_a_check_may_win_back_what_was_captured() {
    // Figure 3: the check on h0 would win a piece back; the bishop takes it away.
    assert_eq!(classes("figure 03", Color::Red)[0], MoveKind::Chase);
    // Reference 18: the king's move threatens a knight that such a check wins back.
    assert_eq!(classes("reference 18", Color::Red)[0], MoveKind::Chase);
    assert_eq!(classes("reference 06", Color::Black)[0], MoveKind::Idle);
}

#[test]
fn by_chinese_rules_an_exchange_that_wins_for_one_side_only_is_no_exchange() {
    // Figure 17: if the black rook accepts, the recapture checks and wins the other rook.
    assert!(matches!(classes("figure 17", Color::Red)[1], MoveKind::Kill | MoveKind::Chase));
}

#[test]
fn by_chinese_rules_a_rook_for_a_pawn_is_won() {
    for (fen, mv) in [
        ("3a1kb2/4ac3/9/3P1P1N1/9/2R5P/9/8B/1p1KA4/r4A3 b", "a0a1"),
        ("3ak1b2/4acN2/9/3P1P3/9/2R5P/9/8B/1p1KA4/r4A3 b", "a0a1"),
    ] {
        // The pawn gives itself up with check, and the rook wins a rook for it.
        let found = ruled(fen, &format!("{mv} d1d0 a1a0 d0d1"), RuleSet::Cxa);
        assert_eq!(found.loser, Some(Color::Black), "{fen}");
    }
}

#[test]
fn by_chinese_rules_a_piece_that_pins_a_root_takes_part_in_the_chase() {
    // The cannon pins the bishop c9, the root of the bishop that the rook attacks.
    let found =
        ruled("C1bak4/4a4/4b1P2/1r6p/9/4R4/8c/3A4B/9/2BAK4 b", "b6a6 a9b9 a6b6 b9a9", RuleSet::Cxa);
    assert_eq!(found.ground, Some(Ground::Joint));
    assert_eq!(found.loser, Some(Color::Black));
    // A cannon over its own bishop chases alone.
    let found = ruled(
        "3ak4/4a4/2n6/p1C1p3R/2b3b2/P1B1P1C1P/1cr5n/2N6/4A4/4KAB2 w",
        "c4e2 c5e7 e2c4 e7c5",
        RuleSet::Cxa,
    );
    assert_eq!((found.ground, found.loser), (Some(Ground::Equal), None));
}

#[test]
fn by_chinese_rules_a_screen_that_wins_the_victim_itself_is_no_partner() {
    // Figure 25: the rook h5, the screen of the cannon, attacks the rook d5, which has no root.
    let figure = figures().into_iter().find(|case| case.name == "figure 25").expect("the figure");
    let found = ruling(&Loop::of(&figure), RuleSet::Cxa);
    assert_eq!((found.ground, found.loser), (Some(Ground::Joint), Some(Color::Black)));
    // A pawn as the screen attacks nothing of the file: the cannon needs it.
    let (fen, turn) = ("4k4/2r6/9/9/3P5/9/9/9/9/2CC1K3 w", "d5c5 c8d8 c5d5 d8c8");
    assert_eq!(ruled(fen, turn, RuleSet::Cxa).ground, Some(Ground::Joint));
    // If the rook h2 takes the knight itself, Black takes the knight c2.
    let found = ruled(
        "2bak2C1/9/3ab4/p7p/2p6/9/P1P5P/2NA1R3/2r1A4/3K3n1 w",
        "f2h2 h0f1 h2f2 f1h0",
        RuleSet::Cxa,
    );
    assert_eq!((found.ground, found.loser), (Some(Ground::Joint), Some(Color::Black)));
}

#[test]
fn by_chinese_rules_a_pawn_that_uncovers_a_check_is_no_price() {
    // Reference 30: the pawn f8 moves away with check, and the rook wins the knight f6.
    assert_eq!(classes("reference 30", Color::Red), [MoveKind::Kill, MoveKind::Chase]);
    // The pawn d6 takes the advisor d7 and uncovers the cannon d2 (26.8).
    let fen = "5ab2/1n1k5/3ab4/3P4p/9/2N5c/9/4C4/4A4/2BA1K3 w";
    let found = ruled(fen, "e2d2 d8e8 d2e2 e8d8", RuleSet::Cxa);
    assert_eq!((found.ground, found.loser), (Some(Ground::OneForbidden), Some(Color::Red)));
}

#[test]
fn by_chinese_rules_a_side_that_keeps_a_key_point_does_not_chase() {
    // Figure 18: a rook against rook and knight looks at a bishop (26.2).
    assert_ne!(classes("figure 18", Color::Red)[1], MoveKind::Chase);
}

#[test]
fn by_chinese_rules_kings_and_pawns_are_roots() {
    let turn = "g0i0 i7g9 i0g0 g9i7";
    // Black could answer the capture of the bishop only by one of a knight, which is protected by
    // a pawn, a king or a rook.
    for fen in [
        "2ra5/4k4/8b/1PN6/9/9/4P4/9/9/4K1R2 w",
        "3k5/9/4c3b/9/9/9/4P4/9/4N4/4K1R2 w",
        "2ra5/4k4/8b/2N6/9/2R6/4P4/9/9/4K1R2 w",
    ] {
        assert_eq!(ruled(fen, turn, RuleSet::Cxa).loser, Some(Color::Red), "{fen}");
    }
    // Without a root Black wins the knight, and threatens to do so with every move.
    let fen = "2ra5/4k4/8b/2N6/9/9/4P4/9/9/4K1R2 w";
    assert_eq!(ruled(fen, turn, RuleSet::Cxa).loser, Some(Color::Black), "{fen}");
}

#[test]
fn by_chinese_rules_the_only_piece_may_not_chase_without_need() {
    for (fen, turn) in [
        ("3aka3/9/8b/9/r8/2n6/9/4B4/4A4/3AK1R2 w", "g0i0 i7g9 i0g0 g9i7"),
        ("3k5/4a4/7R1/9/r8/2n6/9/9/9/5K3 w", "h7h8 e8f7 h8h7 f7e8"),
    ] {
        assert_eq!(ruled(fen, turn, RuleSet::Cxa).loser, Some(Color::Red), "{fen}");
    }
}

#[test]
fn each_repetition_of_a_game_is_found_once() {
    let mut position = Position::from_fen("3k5/9/9/9/p8/9/8P/9/4A4/R3K4 w").expect("a position");
    let turns = ["a0b0 d9d8 b0a0 d8d9"; 3].join(" ");
    for mv in format!("{turns} a0a1 d9d8 i3i4 d8d9 a1c1 d9d8 c1a1 d8d9").split(' ') {
        let mv = position.parse_move(mv).expect("a legal move");
        position.play_unchecked(mv);
    }
    let loops = judge_game(&position, &[RuleSet::Wxf]);
    let found: Vec<_> =
        loops.iter().map(|found| (found.start, found.moves.len(), found.occurrences)).collect();
    assert_eq!(found, [(8, 4, 4), (16, 4, 2)]);
}

/// Red is idle in the first turn and checks in the second: the three occurrences together are a
/// draw.
#[test]
fn a_repetition_is_ruled_by_all_its_turns_as_a_game_is() {
    let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
    for mv in "a0a9 d9d8 a9b9 d8d7 b9a9 d7d8 a9a8 d8d9 a8a9 d9d8".split(' ') {
        position.play_unchecked(position.parse_move(mv).expect("a legal move"));
    }
    let loops = judge_game(&position, &[RuleSet::Wxf]);
    let found: Vec<_> =
        loops.iter().map(|found| (found.start, found.moves.len(), found.occurrences)).collect();
    assert_eq!(found, [(2, 4, 2), (2, 8, 3)]);
    let outcome = Regulations::of(RuleSet::Wxf).outcome(&position).expect("the end");
    let explained = explain(&position, RuleSet::Wxf).expect("a repetition");
    assert_eq!((outcome.winner, explained.ruling), (None, loops[1].rulings[0]));
}

/// Each position comes more often than a counter of 16 bits counts.
#[test]
fn the_repetition_of_a_very_long_game_is_found() {
    let mut position = Position::startpos();
    let turn = ["h0g2", "h9g7", "g2h0", "g7h9"].map(|mv| mv.parse().expect("a move"));
    for mv in turn.into_iter().cycle().take(4 << 16) {
        position.play_unchecked(mv);
    }
    let loops = judge_game(&position, &[RuleSet::Wxf]);
    let found: Vec<_> = loops.iter().map(|found| (found.start, found.moves.len())).collect();
    assert_eq!(found, [(position.ply() - 4, 4)]);
}
