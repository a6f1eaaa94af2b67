//! Order of the moves of a node, generated in stages so that a beta cutoff saves the work of the
//! later ones.
//!
//! | node | stages |
//! |---|---|
//! | main search | transposition table move, good captures, quiet moves, bad captures |
//! | in check | transposition table move, captures, quiet moves |
//! | quiescence, ProbCut | transposition table move, good captures, quiet checks on request |
//!
//! A bad capture loses material in the exchange on its target square.

#[cfg(test)]
mod tests;

use arrayvec::ArrayVec;
use xiangqi::board::{Checks, MAX_MOVES, Move, Position};
use xiangqi::geometry::{Bitboard, Square};

use super::scores::{MoveScores, Threats};
use crate::search::histories::index::MoveOrdering;

#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// Current stage of the picker. Its moves are generated when it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    // Outside of check.
    GoodCaptures,
    Quiets,
    BadCaptures,
    // In check.
    EvasionCaptures,
    EvasionQuiets,
    // In the quiescence search.
    QuietChecks,
    Done,
}

/// Moves that a picker returns outside of check; in check it returns all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::search) enum GenerationKind {
    All,
    /// Captures that lose no material; a move of the transposition table may be any capture.
    Captures,
    /// These captures, then quiet moves that give check.
    CapturesAndChecks,
}

/// Returns the legal moves of a position one by one.
#[derive(Clone)]
pub(in crate::search) struct MovePicker {
    stage: Stage,
    kind: GenerationKind,
    tt_move: Option<Move>,
    ordering: MoveOrdering,
    /// The moves of the current stage.
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
    /// Number of moves of the stage already returned.
    next: usize,
    /// The captures put off until the end.
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    skip_quiets: bool,
    /// Computed when first needed.
    checks: Option<Checks>,
}

impl MovePicker {
    /// Creates a picker for a node. A `tt_move` that is not legal or not of this kind is ignored.
    pub(in crate::search) fn new(
        position: &Position,
        tt_move: Option<Move>,
        ordering: MoveOrdering,
        kind: GenerationKind,
    ) -> MovePicker {
        let is_usable = |mv: &Move| {
            position.is_pseudo_legal(*mv)
                && position.is_legal(*mv)
                && (kind == GenerationKind::All || position.in_check() || position.is_capture(*mv))
        };
        MovePicker {
            stage: Stage::TtMove,
            kind,
            tt_move: tt_move.filter(is_usable),
            ordering,
            moves: ArrayVec::new(),
            next: 0,
            bad_captures: ArrayVec::new(),
            skip_quiets: false,
            checks: None,
        }
    }

    /// Returns the checks of the position, which must be that of the picker.
    #[inline]
    pub(in crate::search) fn checks(&mut self, position: &Position) -> &Checks {
        self.checks.get_or_insert_with(|| Checks::of(position))
    }

    /// Skips the remaining quiet moves.
    pub(in crate::search) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Returns whether the last returned move was tested not to lose material in the exchange on
    /// its target square.
    #[inline]
    pub(in crate::search) fn is_good_capture(&self) -> bool {
        self.stage == Stage::GoodCaptures
    }

    /// Returns the next move, or `None` after the last one.
    pub(in crate::search) fn next(
        &mut self,
        position: &Position,
        scores: MoveScores<'_>,
    ) -> Option<Move> {
        while self.stage != Stage::Done {
            let mv = match self.stage {
                Stage::TtMove => self.tt_move.filter(|_| self.next == 0),
                Stage::GoodCaptures => self.next_good_capture(position),
                Stage::Quiets | Stage::EvasionQuiets if self.skip_quiets => None,
                Stage::BadCaptures => self.bad_captures.get(self.next).copied(),
                _ => self.next_best(),
            };
            if mv.is_some() {
                self.next += 1;
                return mv;
            }
            self.begin_next_stage(position, scores);
        }
        None
    }

    /// Begins the stage after the current one.
    fn begin_next_stage(&mut self, position: &Position, scores: MoveScores<'_>) {
        self.next = 0;
        self.stage = match self.stage {
            Stage::TtMove => {
                self.generate_captures(position, scores);
                if position.in_check() { Stage::EvasionCaptures } else { Stage::GoodCaptures }
            }
            Stage::GoodCaptures => match self.kind {
                GenerationKind::All => {
                    if !self.skip_quiets {
                        self.generate_quiets(position, scores);
                    }
                    Stage::Quiets
                }
                GenerationKind::Captures => Stage::Done,
                GenerationKind::CapturesAndChecks => {
                    self.generate_quiet_checks(position, scores);
                    Stage::QuietChecks
                }
            },
            Stage::Quiets => Stage::BadCaptures,
            Stage::EvasionCaptures => {
                if !self.skip_quiets {
                    self.generate_by_history(position, scores, |_, targets| targets);
                }
                Stage::EvasionQuiets
            }
            Stage::BadCaptures | Stage::EvasionQuiets | Stage::QuietChecks | Stage::Done => {
                Stage::Done
            }
        };
    }

    fn generate_captures(&mut self, position: &Position, scores: MoveScores<'_>) {
        let list = position.captures();
        self.moves.clear();
        let moves = list.iter().copied().filter(|&mv| Some(mv) != self.tt_move);
        self.moves.extend(moves.map(|mv| ScoredMove { mv, score: scores.capture(position, mv) }));
    }

    /// Generates the quiet moves outside of check, scored by histories, threats and checks.
    fn generate_quiets(&mut self, position: &Position, scores: MoveScores<'_>) {
        let threats = Threats::of(position);
        let checks = *self.checks(position);
        let quiets = scores.quiets(position, &self.ordering);
        self.moves.clear();
        position.visit_quiets(|from, targets| {
            let Some(piece) = position.piece_on(from) else { return };
            let history = quiets.of_piece(piece, from);
            let (threatened, threat) = scores.threat(&threats, piece.kind());
            let leaves_threat = if threatened.contains(from) { threat } else { 0 };
            let checks = checks.among(position, from, targets);
            for to in targets {
                let Some(mv) = Move::new(from, to) else { continue };
                let mut score = history(to) + leaves_threat;
                if threatened.contains(to) {
                    score -= threat;
                }
                if checks.contains(to) {
                    score += scores.check(position, mv);
                }
                self.push(mv, score);
            }
        });
    }

    /// Generates the quiet moves that give check, scored by histories.
    fn generate_quiet_checks(&mut self, position: &Position, scores: MoveScores<'_>) {
        let checks = *self.checks(position);
        self.generate_by_history(position, scores, |from, targets| {
            checks.among(position, from, targets)
        });
    }

    /// Generates the quiet moves to those targets of each piece that the filter keeps, scored by
    /// histories.
    #[inline]
    fn generate_by_history(
        &mut self,
        position: &Position,
        scores: MoveScores<'_>,
        filter: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        let quiets = scores.quiets(position, &self.ordering);
        self.moves.clear();
        position.visit_quiets(|from, targets| {
            let Some(piece) = position.piece_on(from) else { return };
            let history = quiets.of_piece(piece, from);
            for to in filter(from, targets) {
                let Some(mv) = Move::new(from, to) else { continue };
                self.push(mv, history(to));
            }
        });
    }

    /// Adds a move to the stage, unless it is the move of the transposition table.
    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        if Some(mv) != self.tt_move {
            self.moves.push(ScoredMove { mv, score });
        }
    }

    /// Selects the remaining move of the stage with the best score, by selection sort: most nodes
    /// need only a few. It is now the first of those that remain.
    #[inline]
    fn next_best(&mut self) -> Option<Move> {
        let left = &mut self.moves[self.next..];
        let (mut best, mut best_score) = (0, left.first()?.score);
        for (i, scored) in left.iter().enumerate().skip(1) {
            // Branchless, since the processor would often mispredict the branch.
            let is_better = scored.score > best_score;
            best = if is_better { i } else { best };
            best_score = if is_better { scored.score } else { best_score };
        }
        left.swap(0, best);
        Some(left[0].mv)
    }

    /// Returns the next capture that loses no material; the others are put off.
    #[inline]
    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some(mv) = self.next_best() {
            if position.see_at_least(mv, 0) {
                return Some(mv);
            }
            self.bad_captures.push(mv);
            self.next += 1;
        }
        None
    }
}
