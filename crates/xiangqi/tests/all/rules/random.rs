//! The judge against the slow oracle, on random play that repeats itself.

use std::collections::BTreeSet;

use fastrand::Rng;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::{Color, Square};
use xiangqi::rules::search::GameHistory;
use xiangqi::rules::{Level, RuleSet, Wdl, chases_of, judge_loop, occurrences};

use super::oracle::{Point, Table, level};
use super::third_occurrence::is_lasting;

fn point(sq: Square) -> Point {
    (i32::from(sq.file()), i32::from(sq.rank()))
}

/// The verdict on the loop of the last `length` plies for the side to move.
fn ruled(position: &Position, length: usize) -> Wdl {
    judge_loop(position, length, RuleSet::Wxf).verdict(position.side())
}

fn pair(mv: Move) -> (Point, Point) {
    (point(mv.from()), point(mv.to()))
}

/// A move that likes to attack, and to go back where it came from.
fn pick(position: &Position, random: &mut Rng) -> Option<Move> {
    let moves = position.legal_moves();
    let states = position.states();
    let back = states.len().checked_sub(2).and_then(|i| states[i].mv).map(Move::reversed);
    if let Some(back) = back.filter(|mv| moves.contains(mv) && random.usize(..3) > 0) {
        return Some(back);
    }
    // Of some moves take the one that threatens most and leaves the fewest threats, so that
    // there is something to rule.
    let tries = 1 + random.usize(..8);
    let merit = |mv: Move| {
        let after = position.after([mv]);
        let threats = |side| chases_of(after.board(), side).len();
        2 * threats(position.side()) + usize::from(after.in_check()) + 20
            - 3 * threats(!position.side()).min(6)
    };
    let quiet: Vec<_> = moves.iter().copied().filter(|&mv| !position.is_capture(mv)).collect();
    let pool = if quiet.is_empty() || random.usize(..40) == 0 { moves.to_vec() } else { quiet };
    if pool.is_empty() {
        return None;
    }
    (0..tries).map(|_| pool[random.usize(..pool.len())]).max_by_key(|&mv| merit(mv))
}

#[test]
fn threats_and_levels_agree_with_the_oracle() {
    let (mut positions, mut loops, mut offences) = (0, 0, [0; 3]);
    for seed in 1..=100_u64 {
        let mut random = Rng::with_seed(seed);
        let mut position = Position::startpos();
        let mut history = GameHistory::new(&position, RuleSet::Wxf);
        for ply in 0..140 {
            // Trades open the board before the shuffling begins.
            let captures = position.captures();
            let opening = ply < 40 && !captures.is_empty() && random.usize(..2) == 0;
            let mv = if opening {
                Some(captures[random.usize(..captures.len())])
            } else {
                pick(&position, &mut random)
            };
            let Some(mv) = mv else { break };
            position.play_unchecked(mv);
            history.push(&position);

            let table = Table::from_fen(&position.fen());
            if ply % 4 == 0 {
                positions += 1;
                for side in Color::ALL {
                    let chases: BTreeSet<_> =
                        chases_of(position.board(), side).into_iter().map(pair).collect();
                    let slow = table.threats(side == Color::Red);
                    assert_eq!(chases, slow, "{side} in {}", position.fen());
                }
            }
            let found = history.judge_prune(&position, 0, 1);
            let earlier: Vec<_> = occurrences(&position).collect();
            // The first of three occurrences, or else the earlier of two if it is not the root.
            let second = earlier.first().copied().filter(|&ply| ply > 0);
            let since = earlier.get(1).copied().or(second);
            let Some(since) = since else {
                assert_eq!(found, None, "{position}");
                continue;
            };
            loops += 1;
            let length = position.ply() - since;
            let turn: Vec<_> = position.states()[since + 1..]
                .iter()
                .map(|state| pair(state.mv.expect("no null moves here")))
                .collect();
            for side in Color::ALL {
                let fast = judge_loop(&position, length, RuleSet::Wxf).level(side);
                let slow = level(&table, &turn, side == Color::Red);
                let expected =
                    [Level::Idle, Level::PerpetualChase, Level::PerpetualCheck][usize::from(slow)];
                assert_eq!(fast, expected, "{side} in {} after {turn:?}", position.fen());
                offences[usize::from(slow)] += 1;
            }
            let is_final = earlier.len() > 1 || is_lasting(&position, length);
            let verdict = is_final.then(|| ruled(&position, length));
            let found = found.map(|ruling| (ruling.verdict, ruling.since));
            assert_eq!(found, verdict.map(|verdict| (verdict, since)), "{position}");
            let pruned = history.judge_prune(&position, 0, 0).map(|ruling| ruling.verdict);
            let own = judge_loop(&position, length, RuleSet::Wxf).level(position.side());
            assert_eq!(pruned, if own == Level::Idle { Some(Wdl::Draw) } else { verdict });
        }
        while position.ply() > 0 {
            history.pop(&position);
            position.unmake();
        }
        assert!(history.judge_prune(&position, 0, 1).is_none());
    }
    println!("{positions} positions; {loops} loops: idle, chase, check: {offences:?}");
    assert!(loops > 1000 && offences.iter().all(|&count| count > 10), "{loops} {offences:?}");
}

#[test]
fn notes_on_the_way_change_no_ruling() {
    let (mut rulings, mut chases) = (0, 0);
    for seed in 1..=600_u64 {
        let mut random = Rng::with_seed(1000 + seed);
        let mut position = Position::startpos();
        let mut history = GameHistory::new(&position, RuleSet::Wxf);
        // As a search walks: down and up again, so that entries of other lines are left over.
        for step in 0..400 {
            let back = if random.usize(..6) == 0 { random.usize(..8) } else { 0 };
            for _ in 0..back.min(position.ply()) {
                history.pop(&position);
                position.unmake();
            }
            if random.usize(..2) == 0 {
                history.note(&position);
            }
            if random.usize(..60) == 0 && !position.in_check() {
                position.make_null();
            } else {
                let captures = position.captures();
                let opening = step < 60 && !captures.is_empty() && random.usize(..2) == 0;
                let choice = captures.get(random.usize(..captures.len().max(1))).copied();
                let choice = choice.filter(|_| opening).or_else(|| pick(&position, &mut random));
                let Some(mv) = choice else { break };
                position.play_unchecked(mv);
            }
            history.push(&position);
            let Some(ruling) = history.judge_prune(&position, 0, 1) else { continue };
            let length = position.ply() - ruling.since;
            assert_eq!(ruling.verdict, ruled(&position, length), "{position}");
            rulings += 1;
            chases += usize::from(Color::ALL.iter().any(|&side| {
                judge_loop(&position, length, RuleSet::Wxf).level(side) == Level::PerpetualChase
            }));
        }
    }
    assert!(rulings > 1000 && chases > 10, "{rulings} {chases}");
}

#[test]
fn a_null_move_a_capture_and_a_pawn_step_are_barriers() {
    let start = "3k5/9/9/9/p8/9/8P/9/4A4/R3K4 w";
    let play = |moves: &str| {
        let mut position = Position::from_fen(start).expect("a position");
        let mut history = GameHistory::new(&position, RuleSet::Wxf);
        for mv in moves.split(' ') {
            if mv == "null" {
                position.make_null();
            } else {
                let mv = position.parse_move(mv).expect("a legal move");
                position.play_unchecked(mv);
            }
            history.push(&position);
        }
        history.judge_prune(&position, 0, 1).is_some()
    };
    assert!(play("a0b0 d9d8 b0a0 d8d9 a0b0"));
    assert!(!play("a0b0 d9d8 null d8d9 b0a0 null a0b0"));
    assert!(!play("a0b0 a5a4 b0a0 d9d8"));
}
