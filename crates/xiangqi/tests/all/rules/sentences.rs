//! Sentences of explanations against the board.

use xiangqi::board::Position;
use xiangqi::notation::Notation;
use xiangqi::rules::RuleSet;
use xiangqi::rules::explanation::{
    Effect, ExplainedMove, Explanation, Language, MoveKind, ReasonKind, explain,
};

use super::diagrams::{Case, Loop, read_cases, suite};

fn figures() -> Vec<Case> {
    read_cases(include_str!("../../../src/rules/cxa/figures.toml"))
}

fn explained(case: &Case, rules: RuleSet) -> Explanation {
    explain(&Loop::of(case).played(), rules).unwrap_or_else(|| panic!("{}: no loop", case.name))
}

/// Explains the case of this name.
fn named(name: &str, rules: RuleSet) -> Explanation {
    let case = suite().into_iter().chain(figures()).find(|case| case.name == name);
    explained(&case.unwrap_or_else(|| panic!("no {name}")), rules)
}

fn played<'a>(found: &'a Explanation, mv: &str) -> &'a ExplainedMove {
    let mut moves = found.moves.iter();
    moves.find(|one| one.mv.to_string() == mv).unwrap_or_else(|| panic!("no {mv}"))
}

#[test]
fn a_move_that_follows_shows_whom_and_a_threat_that_does_not_mate_captures() {
    for case in suite().iter().chain(&figures()) {
        for rules in [RuleSet::Wxf, RuleSet::Cxa] {
            for mv in explained(case, rules).moves {
                let mut shown = mv.shown_attacks();
                let is_followed = shown
                    .any(|attack| attack.attacker.square == mv.mv.to() && !attack.roots.is_empty());
                let name = &case.name;
                assert!(is_followed || mv.class() != MoveKind::Follow, "{name} {rules}: {}", mv.mv);
                if let Some(threat) = &mv.threat {
                    assert!(threat.is_mate || !threat.captured.is_empty(), "{name}: {threat:?}");
                }
            }
        }
    }
}

#[test]
fn a_threat_that_mates_is_no_capture_by_check_even_if_the_mate_is_not_new() {
    let fen = "5a3/9/4k4/p2P5/P3r1bN1/p2Rc1B2/4P2c1/1p6B/9/5K3 b";
    let turn = "e5d5 d4b4 d5d4 h5g7 d4d5 b4d4 d5e5 g7h5";
    let mut position = Position::from_fen(fen).expect("a position");
    for mv in turn.split_whitespace() {
        position.play_unchecked(mv.parse().expect("a move"));
    }
    for (rules, kind) in [(RuleSet::Wxf, MoveKind::Kill), (RuleSet::Cxa, MoveKind::Chase)] {
        let found = explain(&position, rules).expect("a loop");
        let mv = played(&found, "h5g7");
        let threat = mv.threat.as_ref().expect("a threat");
        assert_eq!(Language::English.threat(threat, Notation::Uci), "threatens b4b7: mate");
        assert_eq!(mv.kinds, [kind], "{rules}");
    }
}

#[test]
fn two_to_one_means_that_the_other_side_chases_with_some_moves_only() {
    for (name, is_two_to_one) in
        [("19", true), ("20", false), ("36", false), ("38", true), ("45", true), ("79", false)]
    {
        let found = named(&format!("diagram {name}"), RuleSet::Wxf);
        let has = found.reasons.iter().any(|reason| reason.kind == ReasonKind::TwoToOne);
        assert_eq!(has, is_two_to_one, "diagram {name}: {:?}", found.reasons);
    }
}

#[test]
fn the_conduct_of_an_offender_is_its_offence() {
    let found = named("reference 48", RuleSet::Cxa);
    let conduct = Language::English.conduct(&found, Notation::Uci);
    let expected = "black: checks, kills or chases with every move (one kill, one chase)";
    assert!(conduct.ends_with(expected), "{conduct}");
}

#[test]
fn a_threat_to_capture_by_check_has_the_same_name_in_the_moves_and_in_the_rule() {
    let found = named("diagram 16", RuleSet::Wxf);
    let chinese = Language::Chinese;
    assert_eq!(chinese.kinds(played(&found, "c9c5")), "要抽吃");
    assert!(chinese.conduct(&found, Notation::Uci).contains("红方：一将一要抽吃；"));
    assert!(chinese.reason(&found.reasons[0], RuleSet::Wxf).contains("一将一要抽吃允许"));
}

#[test]
fn a_move_that_uncovers_an_offer_to_exchange_is_one() {
    for (name, mv) in [("figure 09", "h2g4"), ("reference 04", "a8c7"), ("reference 50", "c5b5")] {
        let found = named(name, RuleSet::Cxa);
        assert_eq!(played(&found, mv).class(), MoveKind::Exchange, "{name}");
    }
}

#[test]
fn an_attack_names_the_protectors_or_says_that_there_are_none() {
    let text = |name: &str, rules, mv: &str, effect, language: Language| {
        let found = named(name, rules);
        let mut attacks = played(&found, mv).shown_attacks();
        let attack = attacks.find(|attack| attack.effect == effect).expect("an attack");
        language.attack(attack, Notation::Uci)
    };
    let (english, chinese) = (Language::English, Language::Chinese);
    for (name, rules, mv, effect, language, expected) in [
        (
            "diagram 54",
            RuleSet::Cxa,
            "h4g4",
            Effect::JointChase,
            english,
            "cannon g4 attacks cannon g9: chase, together with pawn g5; protected by bishop e7",
        ),
        (
            "diagram 54",
            RuleSet::Cxa,
            "h4g4",
            Effect::JointChase,
            chinese,
            "炮g4攻击炮g9：与兵g5联合捉子，有根：象e7",
        ),
        (
            "diagram 62b",
            RuleSet::Cxa,
            "c1c2",
            Effect::JointChase,
            english,
            "rook c2 attacks bishop e2: chase, together with cannon h0; false root: bishop g0",
        ),
        (
            "diagram 86",
            RuleSet::Cxa,
            "h3h4",
            Effect::JointChase,
            english,
            "rook i0 attacks cannon i4: chase, together with rook h4; protected by rook i7",
        ),
        (
            "diagram 77",
            RuleSet::Cxa,
            "h3g3",
            Effect::NoGain,
            english,
            "rook g3 attacks bishop g9: no chase: no new gain of material; protected by bishop e7",
        ),
        (
            "diagram 32",
            RuleSet::Wxf,
            "a4e4",
            Effect::Chase,
            english,
            "rook e4 attacks cannon e5: chase; unprotected",
        ),
        (
            "diagram 51",
            RuleSet::Wxf,
            "h6g6",
            Effect::Exchange,
            english,
            "rook g6 attacks rook g9: no chase: an offer to exchange",
        ),
    ] {
        assert_eq!(text(name, rules, mv, effect, language), expected);
    }
}
