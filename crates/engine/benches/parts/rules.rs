//! The judge of repetitions: the cost of a new position and of a loop.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use xiangqi::board::{Move, Position};
use xiangqi::rules::search::GameHistory;
use xiangqi::rules::{RuleSet, chases_of, judge_loop, occurrences};

use super::positions;

/// Calls `part` for each position with the history that the search would have.
fn for_each(
    bencher: Bencher<'_, '_>,
    positions: impl IntoIterator<Item = Option<Position>>,
    part: impl Fn(&Position, &mut GameHistory),
) {
    let mut all: Vec<_> = (positions.into_iter().flatten())
        .map(|position| {
            let history = GameHistory::with_root(&position, 0, RuleSet::Wxf);
            (position, history)
        })
        .collect();
    bencher.counter(ItemsCount::new(all.len())).bench_local(|| {
        for (position, history) in &mut all {
            part(black_box(position), history);
        }
    });
}

/// Positions after quiet moves, none of which has occurred before.
fn new_positions() -> Vec<Option<Position>> {
    positions().into_iter().map(wander).collect()
}

/// Positions that end a loop of four plies.
fn loops() -> Vec<Option<Position>> {
    positions().into_iter().map(shuffle).collect()
}

#[divan::bench]
fn follow_a_move_and_back(bencher: Bencher<'_, '_>) {
    for_each(bencher, new_positions(), |position, history| {
        history.pop(position);
        history.push(position);
    });
}

#[divan::bench]
fn judge_in_search_of_a_new_position(bencher: Bencher<'_, '_>) {
    for_each(bencher, new_positions(), |position, history| {
        black_box(history.judge_prune(position, 0, 1));
    });
}

#[divan::bench]
fn find_the_last_occurrence(bencher: Bencher<'_, '_>) {
    for_each(bencher, new_positions(), |position, _| {
        black_box(occurrences(position).next());
    });
}

#[divan::bench]
fn find_chases(bencher: Bencher<'_, '_>) {
    for_each(bencher, new_positions(), |position, _| {
        black_box(chases_of(position.board(), !position.side()));
    });
}

#[divan::bench]
fn judge_a_loop(bencher: Bencher<'_, '_>) {
    for_each(bencher, loops(), |position, _| {
        black_box(judge_loop(position, 4, RuleSet::Wxf));
    });
}

/// The search has noted the chases of the moves.
#[divan::bench]
fn judge_a_loop_that_is_noted(bencher: Bencher<'_, '_>) {
    for_each(bencher, loops(), |position, history| {
        black_box(history.judge_prune(position, 0, 1));
    });
}

/// Eight quiet moves to new positions.
fn wander(mut position: Position) -> Option<Position> {
    for step in 0..8 {
        let quiet = quiet_moves(&position);
        let new = quiet.into_iter().cycle().skip(7 * step).take(100).find(|&mv| {
            let after = position.after([mv]);
            after.states().iter().filter(|state| state.key == after.key()).count() == 1
                && after.state().reversible_plies > 0
        })?;
        position.play_unchecked(new);
    }
    Some(position)
}

/// Both sides go somewhere and back.
fn shuffle(mut position: Position) -> Option<Position> {
    let first = quiet_moves(&position).into_iter().find(|&mv| goes_back(&position, mv))?;
    position.play_unchecked(first);
    let second = quiet_moves(&position).into_iter().find(|&mv| goes_back(&position, mv))?;
    position.play_unchecked(second);
    for mv in [first.reversed(), second.reversed()] {
        position.play_unchecked(position.check_move(mv).ok()?);
    }
    Some(position)
}

fn goes_back(position: &Position, mv: Move) -> bool {
    let after = position.after([mv]);
    after.state().reversible_plies > 0 && !after.in_check()
}

fn quiet_moves(position: &Position) -> Vec<Move> {
    position.legal_moves().into_iter().filter(|&mv| !position.is_capture(mv)).collect()
}
