//! Scores by which the moves of one stage are ordered.

use xiangqi::board::{Move, Position, SEE_VALUE};
use xiangqi::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, knight_attacks, line_attacks, pawn_attacks,
};

use crate::search::histories::index::MoveOrdering;
use crate::search::histories::{Histories, HistoryWeights, NodeHistories};
use crate::search::parameters::Parameters;

/// Inputs of move scoring.
#[derive(Clone, Copy)]
pub(in crate::search) struct MoveScores<'a> {
    pub(in crate::search) histories: &'a Histories,
    pub(in crate::search) parameters: &'a Parameters,
}

impl<'a> MoveScores<'a> {
    /// Returns the score of a capture: above all the captured piece, then the capture history.
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

    /// Returns the scores of the quiet moves of a node from the histories.
    #[inline]
    pub(super) fn quiets(self, position: &Position, ordering: &MoveOrdering) -> QuietScores<'a> {
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
    pub(super) fn check(self, position: &Position, mv: Move) -> i32 {
        let is_good_check = position.see_at_least(mv, -self.parameters.check_see_margin);
        if is_good_check { self.parameters.check_bonus } else { 0 }
    }

    /// Returns the squares where a kind of piece is threatened, and their weight for a quiet move:
    /// a bonus for leaving such a square, a malus for going to one.
    #[inline]
    pub(super) fn threat(self, threats: &Threats, kind: PieceKind) -> (Bitboard, i32) {
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
pub(super) struct QuietScores<'a> {
    weights: HistoryWeights,
    histories: NodeHistories<'a>,
}

impl QuietScores<'_> {
    /// Returns the scores of the moves of one piece, by target square.
    #[inline]
    pub(in crate::search) fn of_piece(&self, piece: Piece, from: Square) -> impl Fn(Square) -> i32 {
        self.histories.of_piece(&self.weights, piece, from)
    }
}

/// Squares where the opponent captures with a cheaper piece: a reason to leave them, and not to go
/// there.
pub(super) struct Threats {
    by_pawn: Bitboard,
    /// By a pawn, a knight or a cannon.
    by_minor: Bitboard,
}

impl Threats {
    pub(in crate::search) fn of(position: &Position) -> Threats {
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
