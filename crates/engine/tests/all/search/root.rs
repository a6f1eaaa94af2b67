//! The moves at the root: restrictions and several principal variations.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use cannonade_engine::search::{
    Bound, Limits, PvInfo, SearchContext, SearchInfo, SearchOptions, TranspositionTable, Worker,
    WorkerResult,
};
use xiangqi::board::{Move, Position};

use super::{play, search_with};

/// Searches with one worker and collects its reports.
fn search_and_listen(position: &Position, limits: Limits) -> (WorkerResult, Vec<PvInfo>) {
    let infos = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&infos);
    let reporter = Box::new(move |info| {
        if let SearchInfo::Pv(info) = info {
            sink.lock().expect("the reporter is not poisoned").push(info);
        }
    });
    let table = Arc::new(TranspositionTable::new(16));
    let options = SearchOptions::default();
    let context = SearchContext::new(limits, Instant::now(), options, table, 1, reporter);
    let result = Worker::new(0).search(&Arc::new(context), position.clone());
    let infos = infos.lock().expect("the reporter is not poisoned").clone();
    (result, infos)
}

fn assert_playable(position: &Position, pv: &[Move]) {
    let mut position = position.clone();
    for mv in pv {
        assert!(position.legal_moves().contains(mv), "{mv} of {pv:?}");
        position.play_unchecked(*mv);
    }
}

#[test]
fn several_principal_variations_have_different_moves_and_falling_values() {
    let position = Position::startpos();
    let limits = Limits { depth: Some(7), multi_pv: 4, ..Limits::default() };
    let (result, infos) = search_and_listen(&position, limits);
    assert_eq!(infos.len(), 7 * 4);
    for (iteration, infos) in infos.chunks(4).enumerate() {
        for (index, info) in infos.iter().enumerate() {
            assert_eq!((info.depth as usize, info.multi_pv), (iteration + 1, index + 1));
            assert_eq!(info.bound, Bound::Exact);
            assert_playable(&position, &info.pv);
        }
        let mut moves: Vec<_> = infos.iter().map(|info| info.pv[0].code()).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 4);
        assert!(infos.is_sorted_by_key(|info| -info.score.centipawns()), "{infos:?}");
    }
    let last = &infos[infos.len() - 4];
    assert_eq!((result.best, &result.pv), (Some(last.pv[0]), &last.pv));
}

#[test]
fn more_variations_than_moves_report_every_move() {
    let position = play("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "");
    let count = position.legal_moves().len();
    let limits = Limits { depth: Some(4), multi_pv: 100, ..Limits::default() };
    let (_, infos) = search_and_listen(&position, limits);
    assert_eq!(infos.iter().map(|info| info.multi_pv).max(), Some(count));
}

#[test]
fn one_variation_is_the_same_with_and_without_the_others() {
    let position = Position::startpos();
    let limits = |multi_pv| Limits { depth: Some(1), multi_pv, ..Limits::default() };
    let (single, _) = search_and_listen(&position, limits(1));
    let (none, _) = search_and_listen(&position, limits(0));
    let (several, infos) = search_and_listen(&position, limits(3));
    assert_eq!((single.best, single.score), (none.best, none.score));
    assert_eq!((single.best, single.score), (several.best, several.score));
    assert_eq!(infos.len(), 3);
}

#[test]
fn a_banned_move_is_not_searched_even_if_it_is_asked_for() {
    let position = Position::startpos();
    let moves = |texts: &[&str]| texts.iter().map(|mv| mv.parse().expect("a move")).collect();
    let limits = Limits {
        depth: Some(5),
        multi_pv: 10,
        search_moves: moves(&["a0a1", "h2e2", "i0i1"]),
        banned_moves: moves(&["h2e2"]),
        ..Limits::default()
    };
    let (result, infos) = search_and_listen(&position, limits);
    let mut searched: Vec<_> = infos.iter().map(|info| info.pv[0].to_string()).collect();
    searched.sort_unstable();
    searched.dedup();
    assert_eq!(searched, ["a0a1", "i0i1"]);
    assert!(result.best.is_some_and(|mv| searched.contains(&mv.to_string())));
}

#[test]
fn the_restriction_holds_where_another_move_mates() {
    let position = play("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", "");
    let slow: Move = "e0e1".parse().expect("a move");
    let limits = Limits { depth: Some(4), search_moves: vec![slow], ..Limits::default() };
    assert_eq!(search_with(&position, limits, SearchOptions::default()).best, Some(slow));
}

/// The moves of the last iteration with their scores in centipawns, the best first.
fn last_variations(position: &Position, depth: u32) -> Vec<(String, i32)> {
    let limits = Limits { depth: Some(depth), multi_pv: 100, ..Limits::default() };
    let (_, infos) = search_and_listen(position, limits);
    let count = position.legal_moves().len();
    let last = &infos[infos.len() - count..];
    assert!(last.is_sorted_by_key(|info| -info.score.centipawns()), "{last:?}");
    last.iter().map(|info| (info.pv[0].to_string(), info.score.centipawns())).collect()
}

#[test]
fn a_move_that_loses_by_the_rules_stays_after_the_others() {
    // Red has checked twice round; a8a9 is the third occurrence and loses.
    let turn = "d9d8 a9a8 d8d9";
    let fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1";
    let position = play(fen, &format!("a0a9 {turn} a8a9 {turn}"));
    let found = last_variations(&position, 4);
    assert_eq!(found.len(), position.legal_moves().len());
    let (mv, score) = found.last().expect("a variation");
    assert!(mv == "a8a9" && *score < -15_000, "{found:?}");
    assert!(found.iter().rev().skip(1).all(|(_, score)| *score > -15_000), "{found:?}");
}

#[test]
fn a_move_that_wins_by_the_rules_comes_first() {
    // By d8d9 the position occurs for the third time, and Red has checked with every move.
    let position =
        play("3k5/R8/9/9/9/9/9/9/4A4/4K4 w - - 0 1", "a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8");
    let found = last_variations(&position, 4);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].0 == "d8d9" && found[0].1 > 15_000, "{found:?}");
    assert!(found[1].1 < 0, "{found:?}");
}
