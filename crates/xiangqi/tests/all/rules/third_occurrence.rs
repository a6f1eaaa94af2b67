//! Conclusions that a search may draw from the second occurrence of a position, and those that need
//! the third.

use xiangqi::board::Position;
use xiangqi::rules::search::GameHistory;
use xiangqi::rules::{Level, RuleSet, Wdl, judge_loop};

/// After e9d9 Red may check with every move, or chase one of the cannons with every move, and is
/// back after each.
const ROOT: &str = "4k4/R8/9/9/7c1/9/9/8c/4A4/4K4 b";
const CHECKS: &str = "a8a9 d9d8 a9a8 d8d9";
const CHASES: &str = "a8h8 h5a5 h8a8 a5h5";
const OTHER_CHASES: &str = "a8i8 i2a2 i8a8 a2i2";

/// By WXF: whether the loop of the last `length` plies counts at the second occurrence. Neither
/// side offends, or only the side to move, by checks.
pub fn is_lasting(position: &Position, length: usize) -> bool {
    let side = position.side();
    let [own, other] = [side, !side].map(|s| judge_loop(position, length, RuleSet::Wxf).level(s));
    other == Level::Idle && own != Level::PerpetualChase
}

/// Returns the verdict of a search of the root after e9d9 and these turns.
fn verdict(rules: RuleSet, turns: &[&str]) -> Option<Wdl> {
    let mut position = Position::from_fen(ROOT).expect("a position");
    let mut history = GameHistory::new(&position, rules);
    for word in ["e9d9"].into_iter().chain(turns.join(" ").split(' ')) {
        let mv = position.parse_move(word).expect("a legal move");
        position.play_unchecked(mv);
        history.push(&position);
    }
    history.judge_prune(&position, 0, 1).map(|ruling| ruling.verdict)
}

#[test]
fn a_loop_of_checks_decides_at_once_and_a_loop_of_chases_when_it_was_closed_twice() {
    assert_eq!(verdict(RuleSet::Wxf, &[CHECKS]), Some(Wdl::Loss));
    for turn in [CHASES, OTHER_CHASES] {
        assert_eq!(verdict(RuleSet::Wxf, &[turn]), None, "{turn}");
        assert_eq!(verdict(RuleSet::Wxf, &[turn, turn]), Some(Wdl::Loss), "{turn}");
        // Without a rule against chases the loop is a draw: a side that plays it once can do so
        // again.
        assert_eq!(verdict(RuleSet::CheckOnly, &[turn]), Some(Wdl::Draw), "{turn}");
    }
}

#[test]
fn checks_decide_only_where_the_side_that_checks_is_to_move() {
    // The loop from d9 back to d9 by four more plies, closed by a check: the move before may chase.
    assert_eq!(verdict(RuleSet::Wxf, &[CHECKS, "a8a9"]), None);
}

#[test]
fn two_offences_of_different_kinds_in_turn_are_a_draw() {
    let turns = [CHECKS, CHASES, OTHER_CHASES];
    for (i, first) in turns.into_iter().enumerate() {
        for (j, second) in turns.into_iter().enumerate() {
            let expected = if i == j { Wdl::Loss } else { Wdl::Draw };
            assert_eq!(verdict(RuleSet::Wxf, &[first, second]), Some(expected), "{first} {second}");
        }
    }
}

#[test]
fn by_the_chinese_rules_every_offence_decides_at_once() {
    for turn in [CHECKS, CHASES, OTHER_CHASES] {
        assert_eq!(verdict(RuleSet::Cxa, &[turn]), Some(Wdl::Loss), "{turn}");
    }
    assert_eq!(verdict(RuleSet::Cxa, &[CHECKS, CHASES]), Some(Wdl::Loss));
}

#[test]
fn a_number_of_plies_that_is_no_loop_is_refused() {
    let moves = ["h0g2", "h9g7", "g2h0", "g7h9", "b0c2"].map(|mv| mv.parse().expect("a move"));
    let position = Position::startpos().after(moves);
    let is_refused = |position: &Position, length| {
        std::panic::catch_unwind(|| judge_loop(position, length, RuleSet::Cxa)).is_err()
    };
    for length in [0, 1, 2, 3, 4, 5, 6, usize::MAX] {
        assert!(is_refused(&position, length), "{length}");
    }
    assert!(!is_refused(&position.at_ply(4), 4));
}
