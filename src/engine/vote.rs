//! The vote of the workers on the move to play (as in Stockfish, `Thread::get_best_thread`).

use crate::search::Outcome;

/// Scores at least this far from zero are won or lost: mates and repetitions.
const DECISIVE: i32 = 15_000;

/// The outcome to believe: every worker votes for its move with a weight that grows with its depth
/// and with its score above the worst one; a decided game needs no vote, only the best score.
///
/// The first outcome is the chief's, which wins ties. A worker that finished no depth has a move
/// but no score, and is asked only if nobody knows more.
pub(super) fn elect(outcomes: &[Outcome]) -> Option<&Outcome> {
    let candidates =
        || outcomes.iter().filter(|outcome| outcome.best.is_some() && outcome.depth > 0);
    let Some(worst) = candidates().map(|outcome| outcome.score.centipawns()).min() else {
        return outcomes.iter().find(|outcome| outcome.best.is_some());
    };
    let weight = |outcome: &Outcome| {
        i64::from(outcome.score.centipawns() - worst + 14) * i64::from(outcome.depth)
    };
    let votes = |candidate: &Outcome| -> i64 {
        candidates().filter(|other| other.best == candidate.best).map(weight).sum()
    };
    let mut elected = candidates().next()?;
    for candidate in candidates().skip(1) {
        let (old, new) = (elected.score.centipawns(), candidate.score.centipawns());
        let better = if old >= DECISIVE || new >= DECISIVE || old <= -DECISIVE {
            new > old
        } else {
            new > -DECISIVE
                && (votes(candidate), weight(candidate)) > (votes(elected), weight(elected))
        };
        if better {
            elected = candidate;
        }
    }
    Some(elected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Tally;
    use crate::search::Score;

    fn outcome(mv: &str, score: Score, depth: u32) -> Outcome {
        Outcome {
            best: mv.parse().ok(),
            ponder: None,
            score,
            depth,
            pv: Vec::new(),
            nodes: 0,
            judging: Tally::default(),
        }
    }

    fn elected(outcomes: &[Outcome]) -> String {
        elect(outcomes).and_then(|outcome| outcome.best).expect("a move").to_string()
    }

    #[test]
    fn the_chief_wins_ties() {
        let same = [outcome("h2e2", Score::Cp(10), 9), outcome("b2e2", Score::Cp(10), 9)];
        assert_eq!(elected(&same), "h2e2");
    }

    #[test]
    fn agreement_and_depth_outweigh_one_worker() {
        let outcomes = [
            outcome("h2e2", Score::Cp(12), 9),
            outcome("b2e2", Score::Cp(10), 10),
            outcome("b2e2", Score::Cp(11), 10),
        ];
        assert_eq!(elected(&outcomes), "b2e2");
    }

    #[test]
    fn the_shortest_mate_is_played_and_the_longest_suffered() {
        let winning = [
            outcome("h2e2", Score::Cp(900), 20),
            outcome("b2e2", Score::Mate(5), 9),
            outcome("a0a1", Score::Mate(3), 9),
        ];
        assert_eq!(elected(&winning), "a0a1");
        let losing = [outcome("h2e2", Score::Mate(-2), 9), outcome("b2e2", Score::Mate(-4), 9)];
        assert_eq!(elected(&losing), "b2e2");
    }

    #[test]
    fn a_worker_without_a_move_has_no_vote() {
        let none = Outcome { best: None, ..outcome("h2e2", Score::Mate(0), 0) };
        assert!(elect(std::slice::from_ref(&none)).is_none());
        let unfinished = outcome("b2e2", Score::Mate(9), 0);
        assert_eq!(elected(&[unfinished.clone(), outcome("h2e2", Score::Cp(-9), 1)]), "h2e2");
        assert_eq!(elected(&[unfinished]), "b2e2");
        assert_eq!(elected(&[none, outcome("h2e2", Score::Cp(0), 1)]), "h2e2");
    }
}
