//! The scores by which the moves of one stage are ordered.

use super::histories::{Histories, HistoryWeights};
use super::history_index::{MoveOrdering, piece_to};
use super::parameters::Parameters;
use crate::board::{Checks, Move, Position, SEE_VALUE};
use crate::geometry::{Bitboard, Color, PieceKind, knight_attacks, line_attacks, pawn_attacks};

/// What the scores come from.
#[derive(Clone, Copy)]
pub(super) struct MoveScores<'a> {
    pub(super) histories: &'a Histories,
    pub(super) parameters: &'a Parameters,
}

impl<'a> MoveScores<'a> {
    /// The score of a capture: above all the captured piece, then the capture history.
    #[inline]
    pub(super) fn capture(self, position: &Position, mv: Move) -> i32 {
        match (position.piece_on(mv.from()), position.captured(mv)) {
            (Some(piece), Some(captured)) => {
                self.parameters.capture_value * SEE_VALUE[captured.kind().index()]
                    + self.histories.capture(piece, mv.to(), captured.kind())
            }
            _ => 0,
        }
    }

    /// The scores of the quiet moves of a node from the histories.
    #[inline]
    pub(super) fn quiets<'p>(
        self,
        position: &'p Position,
        ordering: &MoveOrdering,
    ) -> impl Fn(Move) -> i32 + use<'a, 'p> {
        let MoveScores { histories, parameters } = self;
        let weights = HistoryWeights {
            main: parameters.order_main,
            low_ply: parameters.order_low_ply / (1 + ordering.ply as i32),
            pawn: parameters.order_pawn,
            continuations: [
                parameters.order_continuation_1,
                parameters.order_continuation_2,
                parameters.order_continuation_3,
                parameters.order_continuation_4,
                parameters.order_continuation_6,
            ],
        };
        let histories = histories.of_node(position.side(), ordering);
        move |mv| {
            let Some(piece) = position.piece_on(mv.from()) else { return 0 };
            histories.sum(&weights, mv, piece_to(piece, mv.to()))
        }
    }

    /// What giving check adds to the score of a quiet move, if it loses little in the exchange.
    #[inline]
    pub(super) fn check(self, checks: &Checks, position: &Position, mv: Move) -> i32 {
        let is_good_check = checks.has(position, mv)
            && position.see_at_least(mv, -self.parameters.check_see_margin);
        if is_good_check { self.parameters.check_bonus } else { 0 }
    }

    /// What the threats add to the score of a quiet move: positive if it leaves a threatened
    /// square, negative if it goes to one.
    #[inline]
    pub(super) fn threat(self, threats: &Threats, position: &Position, mv: Move) -> i32 {
        let Some(piece) = position.piece_on(mv.from()) else { return 0 };
        let (threatened, weight) = match piece.kind() {
            PieceKind::Rook => (threats.by_minor, self.parameters.threat_by_minor),
            PieceKind::Knight | PieceKind::Cannon => {
                (threats.by_pawn, self.parameters.threat_by_pawn)
            }
            _ => return 0,
        };
        weight
            * (i32::from(threatened.contains(mv.from())) - i32::from(threatened.contains(mv.to())))
    }
}

/// Squares where the opponent captures with a cheaper piece: a reason to leave them, and not to
/// go there.
pub(super) struct Threats {
    by_pawn: Bitboard,
    /// By a pawn, a knight or a cannon.
    by_minor: Bitboard,
}

impl Threats {
    pub(super) fn of(position: &Position) -> Threats {
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
