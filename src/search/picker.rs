//! The order of the moves of a node, generated in stages so that a beta cutoff saves the work of
//! the later ones.
//!
//! | node | stages |
//! |---|---|
//! | main search | transposition table move, good captures, quiet moves, bad captures |
//! | in check | transposition table move, captures, quiet moves |
//! | quiescence, ProbCut | transposition table move, good captures, quiet checks if asked for |
//!
//! A bad capture loses material in the exchange on its target square.

#[cfg(test)]
mod tests;

use arrayvec::ArrayVec;

use super::history_index::MoveOrdering;
use super::move_scores::{MoveScores, Threats};
use crate::board::{Checks, MAX_MOVES, Move, MoveList, Position};
use crate::geometry::{Bitboard, Square};

#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// The next thing to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    // Outside of check.
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    // In check.
    GenerateEvasionCaptures,
    EvasionCaptures,
    GenerateEvasionQuiets,
    EvasionQuiets,
    // In the quiescence search.
    GenerateQuietChecks,
    QuietChecks,
    Done,
}

/// Which moves a picker gives outside of check; in check it gives all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GenerationKind {
    All,
    /// Captures that lose no material.
    Captures,
    /// These captures, then quiet moves that give check.
    CapturesAndChecks,
}

/// Gives the legal moves of a position one by one.
pub(super) struct MovePicker {
    stage: Stage,
    kind: GenerationKind,
    tt_move: Option<Move>,
    ordering: MoveOrdering,
    /// The moves of the current stage; those before `next` have been given.
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
    next: usize,
    /// The captures put off until the end; those before `next_bad` have been given.
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    next_bad: usize,
    skip_quiets: bool,
    /// Computed when first needed.
    checks: Option<Checks>,
}

impl MovePicker {
    /// A picker for a node. A `tt_move` that is not legal or not of this kind is ignored.
    pub(super) fn new(
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
            next_bad: 0,
            skip_quiets: false,
            checks: None,
        }
    }

    /// Which moves of the position, that of the picker, give check.
    #[inline]
    pub(super) fn checks(&mut self, position: &Position) -> &Checks {
        self.checks.get_or_insert_with(|| Checks::of(position))
    }

    /// Leaves out the remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Whether the last move given was tested not to lose material in the exchange on its target
    /// square.
    #[inline]
    pub(super) fn is_good_capture(&self) -> bool {
        self.stage == Stage::GoodCaptures
    }

    /// The next move, or `None` after the last one.
    pub(super) fn next(&mut self, position: &Position, scores: MoveScores<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = if position.in_check() {
                        Stage::GenerateEvasionCaptures
                    } else {
                        Stage::GenerateCaptures
                    };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures => {
                    self.generate_captures(position, scores);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    if let Some(mv) = self.next_good_capture(position) {
                        return Some(mv);
                    }
                    self.stage = match self.kind {
                        GenerationKind::All => Stage::GenerateQuiets,
                        GenerationKind::Captures => Stage::Done,
                        GenerationKind::CapturesAndChecks => Stage::GenerateQuietChecks,
                    };
                }
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(position, scores);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets
                        && let Some(mv) = self.next_best()
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if mv.is_none() {
                        self.stage = Stage::Done;
                    }
                    return mv;
                }
                Stage::GenerateEvasionCaptures => {
                    self.generate_captures(position, scores);
                    self.stage = Stage::EvasionCaptures;
                }
                Stage::EvasionCaptures => {
                    if let Some(mv) = self.next_best() {
                        return Some(mv);
                    }
                    self.stage = Stage::GenerateEvasionQuiets;
                }
                Stage::GenerateEvasionQuiets => {
                    if !self.skip_quiets {
                        self.generate_evasion_quiets(position, scores);
                    }
                    self.stage = Stage::EvasionQuiets;
                }
                Stage::EvasionQuiets => {
                    if !self.skip_quiets
                        && let Some(mv) = self.next_best()
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateQuietChecks => {
                    self.generate_quiet_checks(position, scores);
                    self.stage = Stage::QuietChecks;
                }
                Stage::QuietChecks => {
                    if let Some(mv) = self.next_best() {
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate_captures(&mut self, position: &Position, scores: MoveScores<'_>) {
        let mut list = MoveList::new();
        position.captures(&mut list);
        self.begin_stage();
        let moves = list.iter().copied().filter(|&mv| Some(mv) != self.tt_move);
        self.moves.extend(moves.map(|mv| ScoredMove { mv, score: scores.capture(position, mv) }));
    }

    /// The quiet moves outside of check: by histories, threats and checks.
    fn generate_quiets(&mut self, position: &Position, scores: MoveScores<'_>) {
        let threats = Threats::of(position);
        let checks = *self.checks(position);
        let quiets = scores.quiets(position, &self.ordering);
        self.begin_stage();
        position.visit_quiets(|from, targets| {
            let Some(piece) = position.piece_on(from) else { return };
            let history = quiets.of_piece(piece, from);
            let (threatened, threat) = scores.threat(&threats, piece.kind());
            let leaves_threat = if threatened.contains(from) { threat } else { 0 };
            let checks = checks.among(position, from, targets);
            for to in targets {
                let mv = Move::new(from, to);
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

    /// The quiet moves in check: by histories.
    fn generate_evasion_quiets(&mut self, position: &Position, scores: MoveScores<'_>) {
        self.generate_by_history(position, scores, |_, targets| targets);
    }

    /// The quiet moves that give check: by histories.
    fn generate_quiet_checks(&mut self, position: &Position, scores: MoveScores<'_>) {
        let checks = *self.checks(position);
        self.generate_by_history(position, scores, |from, targets| {
            checks.among(position, from, targets)
        });
    }

    /// The quiet moves to those targets of each piece that the filter keeps.
    #[inline]
    fn generate_by_history(
        &mut self,
        position: &Position,
        scores: MoveScores<'_>,
        filter: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        let quiets = scores.quiets(position, &self.ordering);
        self.begin_stage();
        position.visit_quiets(|from, targets| {
            let Some(piece) = position.piece_on(from) else { return };
            let history = quiets.of_piece(piece, from);
            for to in filter(from, targets) {
                self.push(Move::new(from, to), history(to));
            }
        });
    }

    fn begin_stage(&mut self) {
        self.next = 0;
        self.moves.clear();
    }

    /// Adds a move to the stage, unless it is the move of the transposition table.
    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        if Some(mv) != self.tt_move {
            self.moves.push(ScoredMove { mv, score });
        }
    }

    /// The remaining move of the stage with the best score, by selection sort: most nodes need
    /// only a few.
    #[inline]
    fn next_best(&mut self) -> Option<Move> {
        let left = &mut self.moves[self.next..];
        let (mut best, mut best_score) = (0, left.first()?.score);
        for (i, scored) in left.iter().enumerate().skip(1) {
            // Without a branch, which the processor would often mispredict.
            let is_better = scored.score > best_score;
            best = if is_better { i } else { best };
            best_score = if is_better { scored.score } else { best_score };
        }
        let mv = left[best].mv;
        left.swap(0, best);
        self.next += 1;
        Some(mv)
    }

    /// The next capture that loses no material; the others are put off.
    #[inline]
    fn next_good_capture(&mut self, position: &Position) -> Option<Move> {
        while let Some(mv) = self.next_best() {
            if position.see_at_least(mv, 0) {
                return Some(mv);
            }
            self.bad_captures.push(mv);
        }
        None
    }
}
