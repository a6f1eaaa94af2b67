//! Mates are found, with their exact length, and preferred to everything else.

use cannonade_engine::search::{Limits, Score, SearchOptions, WorkerResult};
use xiangqi::board::Position;

use super::solver::Solver;
use super::{play, search, search_with};

/// Mate problems of many lengths.
const SUITE: &str = include_str!("../../data/mates.epd");

/// The nodes for one problem: a multiple of those that the hardest one needs.
const NODES: u64 = 2_000_000;

/// The positions for one problem in the quick test of the solver: enough for two thirds of them.
const POSITIONS: u64 = 300_000;

/// Each problem with its length.
fn problems() -> impl Iterator<Item = (Position, u32)> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (fen, moves) = line.split_once(" ;dm ").expect("a position and a length");
        (play(fen, ""), moves.parse().expect("a length"))
    })
}

/// Counts the problems that the solver proves within this many positions each.
fn proven(positions: u64) -> usize {
    let is_proven = |(mut position, moves): (Position, u32)| {
        let proof = Solver::new(positions).is_mate_in(&mut position, moves);
        assert_ne!(proof, Some(false), "{position} is not a mate in exactly {moves}");
        proof.is_some()
    };
    problems().map(is_proven).filter(|&proven| proven).count()
}

#[test]
fn mates_are_counted_in_moves() {
    for (fen, moves) in [
        // Two rooks on the last ranks.
        ("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", 1),
        ("3k5/9/R8/9/1R7/9/9/9/9/5K3 w - - 0 1", 2),
        // The double cannon: the front one is the screen of the rear one.
        ("3aka3/9/9/9/9/9/9/4C4/1C7/3K5 w - - 0 1", 1),
    ] {
        let WorkerResult { score, best, .. } = search(&play(fen, ""), 100_000);
        assert_eq!(score, Score::Mate(moves), "{fen}: {best:?}");
    }
}

#[test]
fn stalemate_is_lost() {
    // Black's only piece is the king, shut in by the rook's file and the facing king.
    let position = play("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a8");
    assert!(!position.has_legal_move());
    let WorkerResult { best, score, .. } = search(&position, 1_000);
    assert_eq!((best, score), (None, Score::Mate(0)));
}

#[test]
fn go_mate_ends_when_the_mate_is_found() {
    let position = play("3k5/9/R8/9/1R7/9/9/9/9/5K3 w - - 0 1", "");
    let limits = Limits { mate: Some(2), nodes: Some(5_000_000), ..Limits::default() };
    let WorkerResult { score, nodes, .. } =
        search_with(&position, limits, SearchOptions::default());
    assert_eq!(score, Score::Mate(2));
    assert!(nodes < 1_000_000);
}

#[test]
fn every_problem_of_the_suite_is_solved_with_its_exact_length() {
    let mut wrong = Vec::new();
    for (position, moves) in problems() {
        let limits = Limits { mate: Some(moves), nodes: Some(NODES), ..Limits::default() };
        let WorkerResult { score, .. } = search_with(&position, limits, SearchOptions::default());
        if score != Score::Mate(moves as i32) {
            wrong.push(format!("{position} is a mate in {moves}: {score:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_suite_has_short_and_long_problems() {
    let lengths: Vec<_> = problems().map(|(_, moves)| moves).collect();
    assert!(lengths.len() >= 40 && (1..=8).all(|moves| lengths.contains(&moves)), "{lengths:?}");
}

#[test]
fn the_lengths_of_most_problems_are_proven_by_an_independent_solver() {
    let count = proven(POSITIONS);
    assert!(count >= 40, "{count}");
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn the_lengths_of_all_problems_are_proven_by_an_independent_solver() {
    assert_eq!(proven(u64::MAX), problems().count());
}
