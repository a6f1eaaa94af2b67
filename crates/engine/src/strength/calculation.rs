//! The candidate moves of a player below full strength, and the order in which they are calculated.

use xiangqi::board::{Checks, Move, MoveList, Position};

use super::levels::Habits;
use super::perception::Perception;
use crate::search::{Bound, Limits, PvInfo, Score, WorkerResult};

/// An own move and its assessment by the player.
pub(crate) struct LimitedCandidate {
    pub(crate) mv: Move,
    /// Score for the player, within the player's sight.
    pub(crate) score: Score,
    /// Relation of the score to the true one.
    pub(crate) bound: Bound,
    /// The last exact line if the score is a bound.
    pub(crate) exact: Option<(Score, Vec<Move>)>,
    /// Misjudgement by the player, in centipawns.
    pub(crate) misjudgement: i32,
    /// Depth in plies, counted from the player's move.
    pub(crate) depth: u32,
    /// The move and the expected continuation.
    pub(crate) pv: Vec<Move>,
    /// Answers that the player does not see.
    pub(crate) overlooked: Vec<Move>,
}

impl LimitedCandidate {
    /// Returns the worth of the move to the player, who does not misjudge a decided game.
    fn appeal(&self) -> i32 {
        let value = self.score.centipawns();
        if self.score.is_decisive() { value } else { value + self.misjudgement }
    }
}

/// The short search of all candidates, or the calculation of the best ones.
pub(crate) struct Calculation {
    habits: Habits,
    candidates: Vec<LimitedCandidate>,
    /// Number of candidates that are calculated.
    count: usize,
    /// Index of the candidate that is calculated.
    current: usize,
    /// Nodes for each; `None` in the first look, which is one ply deep.
    pub(crate) nodes: Option<u64>,
}

impl Calculation {
    /// Returns the first look of a player with these habits.
    pub(crate) fn first_look(
        habits: Habits,
        perception: &Perception,
        limits: &Limits,
        position: &mut Position,
    ) -> Calculation {
        let candidates = considered(limits, perception, position);
        Calculation { habits, count: candidates.len(), candidates, current: 0, nodes: None }
    }

    /// Returns whether no candidate was looked at.
    pub(crate) fn is_at_start(&self) -> bool {
        self.nodes.is_none() && self.current == 0
    }

    /// Returns the candidate to calculate next, if any is left.
    pub(crate) fn current(&mut self) -> Option<&mut LimitedCandidate> {
        let is_left = self.current < self.count;
        self.candidates.get_mut(self.current).filter(|_| is_left)
    }

    /// Leaves the current candidate, whose score is known without a search.
    pub(crate) fn skip(&mut self) {
        self.current += 1;
    }

    /// Receives the result of the search after the current candidate, and its last exact line.
    pub(crate) fn accept(&mut self, result: WorkerResult, exact: Option<PvInfo>) {
        if let Some(candidate) = self.candidates.get_mut(self.current)
            && result.depth > 0
            && result.depth >= candidate.depth.saturating_sub(1)
        {
            let line = |pv: Vec<Move>| [candidate.mv].into_iter().chain(pv).collect();
            candidate.exact = exact
                .filter(|_| result.bound != Bound::Exact)
                .map(|exact| (for_other_side(exact.score), line(exact.pv)));
            candidate.pv = line(result.pv);
            candidate.score = for_other_side(result.score);
            candidate.bound = result.bound.reversed();
            candidate.depth = result.depth + 1;
        }
        self.current += 1;
    }

    /// Ends the first look: the candidates that look best are calculated further. Those that were
    /// not looked at are not played.
    pub(crate) fn go_deeper(&mut self) {
        self.candidates.truncate(self.current);
        self.candidates.sort_by_key(|candidate| -candidate.appeal());
        let most = self.candidates.len().max(1);
        let count = (self.habits.candidates.round() as usize).clamp(1, most);
        self.nodes = Some((self.habits.nodes / count as f64) as u64);
        (self.count, self.current) = (count.min(self.candidates.len()), 0);
    }

    /// Returns the candidate that looks best after the calculation.
    pub(crate) fn best(&mut self) -> Option<LimitedCandidate> {
        if let Some(calculated) = self.candidates.get_mut(..self.count) {
            calculated.sort_by_key(|candidate| -candidate.appeal());
        }
        self.candidates.drain(..).next()
    }
}

/// Returns the moves that the player considers, with the answers that the player overlooks. The
/// moves are tried on the position.
fn considered(
    limits: &Limits,
    perception: &Perception,
    position: &mut Position,
) -> Vec<LimitedCandidate> {
    let allowed = allowed(limits, position);
    let checks = Checks::of(position);
    let considers = |mv: &&Move| perception.considers(position, &checks, **mv);
    let mut moves: Vec<Move> = allowed.iter().filter(considers).copied().collect();
    if moves.is_empty() {
        moves.extend(allowed);
    }
    let candidate = |mv| {
        position.play_unchecked(mv);
        let checks = Checks::of(position);
        let answers = position.legal_moves();
        let mut overlooked: Vec<Move> = (answers.iter().copied())
            .filter(|&answer| perception.overlooks_answer(position, &checks, answer))
            .collect();
        position.unmake();
        if overlooked.len() == answers.len() {
            overlooked.clear();
        }
        LimitedCandidate {
            mv,
            score: Score::Cp(0),
            bound: Bound::Exact,
            exact: None,
            misjudgement: perception.misjudgement(mv),
            depth: 1,
            pv: vec![mv],
            overlooked,
        }
    };
    moves.into_iter().map(candidate).collect()
}

/// Returns the legal moves that the limits allow.
fn allowed(limits: &Limits, position: &Position) -> MoveList {
    position.legal_moves().into_iter().filter(|&mv| limits.allows(mv)).collect()
}

/// Converts a score of the side to move after a move to the side that made the move.
fn for_other_side(score: Score) -> Score {
    match score {
        Score::Cp(centipawns) => Score::Cp(-centipawns),
        // Its own move comes before the mate of the opponent.
        Score::Mate(moves) if moves <= 0 => Score::Mate(1 - moves),
        Score::Mate(moves) => Score::Mate(-moves),
        Score::Rule(plies) => Score::Rule(-(plies + plies.signum())),
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::rules::search::Tally;

    use super::*;
    use crate::strength::levels::Strength;

    #[test]
    fn a_bound_for_the_opponent_is_the_opposite_bound_for_the_player() {
        let mut position = Position::startpos();
        let habits = Strength::from_elo(1500).habits();
        let perception = Perception::new(&habits, 1, &position);
        let limits = Limits::default();
        let answer = |mv: &str| mv.parse().expect("a move");
        for (bound, expected) in [
            (Bound::Lower, Bound::Upper),
            (Bound::Upper, Bound::Lower),
            (Bound::Exact, Bound::Exact),
        ] {
            let mut look = Calculation::first_look(habits, &perception, &limits, &mut position);
            let exact = PvInfo::new(3, Score::Cp(-12), Bound::Exact, vec![answer("b9c7")]);
            let result = WorkerResult {
                best: Some(answer("h9g7")),
                ponder: None,
                score: Score::Cp(30),
                bound,
                exact: Some(exact.score),
                depth: 3,
                pv: vec![answer("h9g7")],
                nodes: 100,
                judging: Tally::default(),
            };
            look.accept(result, Some(exact));
            let found = &look.candidates[0];
            assert_eq!((found.score, found.bound, found.depth), (Score::Cp(-30), expected, 4));
            assert_eq!(found.pv, [found.mv, answer("h9g7")]);
            let line = (Score::Cp(12), vec![found.mv, answer("b9c7")]);
            assert_eq!(found.exact, (bound != Bound::Exact).then_some(line));
        }
    }
}
