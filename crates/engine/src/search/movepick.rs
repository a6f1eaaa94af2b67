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
use xiangqi::board::{Checks, MAX_MOVES, Move, Position, SEE_VALUE};
use xiangqi::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, knight_attacks, line_attacks, pawn_attacks,
};

use super::history::{Histories, HistoryWeights, MoveOrdering, NodeHistories};
use super::params::Parameters;

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
pub(crate) enum GenerationKind {
    All,
    /// Captures that lose no material; a move of the transposition table may be any capture.
    Captures,
    /// These captures, then quiet moves that give check.
    CapturesAndChecks,
}

/// Returns the legal moves of a position one by one.
pub(crate) struct MovePicker {
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
    pub(crate) fn new(
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
    pub(crate) fn checks(&mut self, position: &Position) -> &Checks {
        self.checks.get_or_insert_with(|| Checks::of(position))
    }

    /// Skips the remaining quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Returns whether the last returned move was tested not to lose material in the exchange on
    /// its target square.
    #[inline]
    pub(crate) fn is_good_capture(&self) -> bool {
        self.stage == Stage::GoodCaptures
    }

    /// Returns the next move, or `None` after the last one.
    pub(crate) fn next(&mut self, position: &Position, scores: MoveScores<'_>) -> Option<Move> {
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

/// Inputs of move scoring.
#[derive(Clone, Copy)]
pub(crate) struct MoveScores<'a> {
    pub(crate) histories: &'a Histories,
    pub(crate) parameters: &'a Parameters,
}

impl<'a> MoveScores<'a> {
    /// Returns the score of a capture: above all the captured piece, then the capture history.
    #[inline]
    fn capture(self, position: &Position, mv: Move) -> i32 {
        match (position.piece_on(mv.from()), position.captured(mv)) {
            (Some(piece), Some(captured)) => {
                self.parameters.capture_value * SEE_VALUE[captured.kind().index()]
                    + self.histories.capture(piece, mv.to(), captured.kind())
            }
            _ => 0,
        }
    }

    /// Returns the scores of the quiet moves of a node from the histories.
    #[inline]
    fn quiets(self, position: &Position, ordering: &MoveOrdering) -> QuietScores<'a> {
        let MoveScores { histories, parameters } = self;
        let weights = HistoryWeights {
            main: parameters.order_main,
            low_ply: parameters.order_low_ply >> ordering.ply.min(31),
            pawn: parameters.order_pawn,
            continuations: [
                parameters.order_continuation_1,
                parameters.order_continuation_2,
                parameters.order_continuation_3,
                parameters.order_continuation_4,
                parameters.order_continuation_6,
            ],
        };
        QuietScores { weights, histories: histories.of_node(position.side(), ordering) }
    }

    /// Returns the bonus of a quiet move that gives check, if it loses little in the exchange.
    #[inline]
    fn check(self, position: &Position, mv: Move) -> i32 {
        let is_good_check = position.see_at_least(mv, -self.parameters.check_see_margin);
        if is_good_check { self.parameters.check_bonus } else { 0 }
    }

    /// Returns the squares where a kind of piece is threatened, and their weight for a quiet move:
    /// a bonus for leaving such a square, a malus for going to one.
    #[inline]
    fn threat(self, threats: &Threats, kind: PieceKind) -> (Bitboard, i32) {
        match kind {
            PieceKind::Rook => (threats.by_minor, self.parameters.threat_by_minor),
            PieceKind::Knight | PieceKind::Cannon => {
                (threats.by_pawn, self.parameters.threat_by_pawn)
            }
            _ => (Bitboard::EMPTY, 0),
        }
    }
}

/// The scores of the quiet moves of a node from the histories.
struct QuietScores<'a> {
    weights: HistoryWeights,
    histories: NodeHistories<'a>,
}

impl QuietScores<'_> {
    /// Returns the scores of the moves of one piece, by target square.
    #[inline]
    fn of_piece(&self, piece: Piece, from: Square) -> impl Fn(Square) -> i32 {
        self.histories.of_piece(&self.weights, piece, from)
    }
}

/// Squares where the opponent captures with a cheaper piece: a reason to leave them, and not to go
/// there.
struct Threats {
    by_pawn: Bitboard,
    /// By a pawn, a knight or a cannon.
    by_minor: Bitboard,
}

impl Threats {
    fn of(position: &Position) -> Threats {
        let board = position.board();
        let occupied = board.occupied();
        let them: Color = !position.side();
        let mut by_pawn = Bitboard::EMPTY;
        for sq in board.pieces(them, PieceKind::Pawn) {
            by_pawn |= pawn_attacks(them, sq);
        }
        let mut by_minor = by_pawn;
        for sq in board.pieces(them, PieceKind::Knight) {
            by_minor |= knight_attacks(sq, occupied);
        }
        for sq in board.pieces(them, PieceKind::Cannon) {
            by_minor |= line_attacks(sq, occupied).cannon;
        }
        Threats { by_pawn, by_minor }
    }
}
