//! Choice among the results of the threads (as in Stockfish, `Thread::get_best_thread`).

use crate::search::WorkerResult;

/// Weight of the worst result in centipawns, so that it has a vote.
const BASE_VOTE: i32 = 20;

/// Returns the result to use: every worker votes for its move with a weight that grows with its
/// depth and with its score above the worst one; in a decided game the best score is used without a
/// vote.
///
/// The first result is the main thread's, which wins ties. A worker that finished no depth has a
/// move but no score; it counts only if no worker finished one.
pub(super) fn best_result(results: &[WorkerResult]) -> Option<&WorkerResult> {
    let candidates = || results.iter().filter(|result| result.best.is_some() && result.depth > 0);
    let Some(worst) = candidates().map(|result| result.score.centipawns()).min() else {
        return results.iter().find(|result| result.best.is_some());
    };
    let weight = |result: &WorkerResult| {
        i64::from(result.score.centipawns() - worst + BASE_VOTE) * i64::from(result.depth)
    };
    let votes = |candidate: &WorkerResult| -> i64 {
        candidates().filter(|other| other.best == candidate.best).map(weight).sum()
    };
    let mut best = candidates().next()?;
    for candidate in candidates().skip(1) {
        let (old, new) = (best.score.centipawns(), candidate.score.centipawns());
        let is_decisive = best.score.is_decisive() || candidate.score.is_decisive();
        let better = if is_decisive && (best.score.is_decisive() || new > 0) {
            new > old
        } else {
            !is_decisive && (votes(candidate), weight(candidate)) > (votes(best), weight(best))
        };
        if better {
            best = candidate;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use xiangqi::rules::search::Tally;

    use super::*;
    use crate::search::{Bound, Score};

    fn result(mv: &str, score: Score, depth: u32) -> WorkerResult {
        WorkerResult {
            best: mv.parse().ok(),
            ponder: None,
            score,
            bound: Bound::Exact,
            exact: Some(score),
            depth,
            pv: Vec::new(),
            nodes: 0,
            judging: Tally::default(),
        }
    }

    fn chosen(results: &[WorkerResult]) -> String {
        best_result(results).and_then(|result| result.best).expect("a move").to_string()
    }

    #[test]
    fn the_main_thread_wins_ties() {
        let same = [result("h2e2", Score::Cp(10), 9), result("b2e2", Score::Cp(10), 9)];
        assert_eq!(chosen(&same), "h2e2");
    }

    #[test]
    fn agreement_and_depth_outweigh_one_worker() {
        let results = [
            result("h2e2", Score::Cp(12), 9),
            result("b2e2", Score::Cp(10), 10),
            result("b2e2", Score::Cp(11), 10),
        ];
        assert_eq!(chosen(&results), "b2e2");
    }

    #[test]
    fn the_shortest_mate_is_played_and_the_longest_suffered() {
        let winning = [
            result("h2e2", Score::Cp(900), 20),
            result("b2e2", Score::Mate(5), 9),
            result("a0a1", Score::Mate(3), 9),
        ];
        assert_eq!(chosen(&winning), "a0a1");
        let losing = [result("h2e2", Score::Mate(-2), 9), result("b2e2", Score::Mate(-4), 9)];
        assert_eq!(chosen(&losing), "b2e2");
    }

    #[test]
    fn a_worker_without_a_move_has_no_vote() {
        let none = WorkerResult { best: None, ..result("h2e2", Score::Mate(0), 0) };
        assert!(best_result(std::slice::from_ref(&none)).is_none());
        let unfinished = result("b2e2", Score::Mate(9), 0);
        assert_eq!(chosen(&[unfinished.clone(), result("h2e2", Score::Cp(-9), 1)]), "h2e2");
        assert_eq!(chosen(&[unfinished]), "b2e2");
        assert_eq!(chosen(&[none, result("h2e2", Score::Cp(0), 1)]), "h2e2");
    }
}
