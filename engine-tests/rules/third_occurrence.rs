//! What a search may conclude from the second occurrence of a position, and what only from the third.

use cannonade::board::Position;
use cannonade::rules::{History, RuleSet, Ruling, Verdict};

/// After e9d9 Red may check with every move or chase the cannon with every move, and is back after either.
const ROOT: &str = "4k4/R8/9/9/7c1/9/9/9/4A4/4K4 b";
const CHECKS: &str = "a8a9 d9d8 a9a8 d8d9";
const CHASES: &str = "a8h8 h5a5 h8a8 a5h5";

/// What a search of the root knows after e9d9 and these turns.
fn ruling(turns: &[&str], awaits_third: bool) -> Option<Ruling> {
    let mut position = Position::from_fen(ROOT).expect("a position");
    let mut history = History::new(&position, RuleSet::Wxf);
    if awaits_third {
        history.await_third();
    }
    for word in ["e9d9"].into_iter().chain(turns.join(" ").split(' ')) {
        let mv = position.parse_move(word).expect("a legal move");
        position.make(mv);
        history.push(&position);
    }
    history.judge_prune(&position, 0, 1)
}

#[test]
fn a_loop_that_was_closed_once_decides_unless_the_third_occurrence_is_awaited() {
    for turn in [CHECKS, CHASES] {
        let found = ruling(&[turn], false).map(|ruling| (ruling.verdict, ruling.is_third));
        assert_eq!(found, Some((Verdict::Loss, false)), "{turn}");
        assert_eq!(ruling(&[turn], true), None, "{turn}");
        assert_eq!(ruling(&[turn, turn], true).map(|ruling| ruling.verdict), Some(Verdict::Loss));
    }
}

#[test]
fn checks_in_one_turn_and_chases_in_the_next_are_a_draw() {
    for turns in [[CHECKS, CHASES], [CHASES, CHECKS]] {
        let found = ruling(&turns, true).map(|ruling| (ruling.verdict, ruling.is_third));
        assert_eq!(found, Some((Verdict::Draw, true)), "{turns:?}");
    }
}
