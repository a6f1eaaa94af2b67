//! Static exchange evaluation: what a series of captures on one square wins.
//!
//! Each side in turn may capture with its cheapest piece, or stop. Captures change the screens of
//! cannons, so the attackers are computed again after each one. Pins are not looked at.

use crate::geometry::{Bitboard, Color, PieceKind, Square};

use super::{Board, Move, Position};

/// Exchange values by kind of piece, in centipawns of the exchange. The king's is out of reach.
pub const SEE_VALUE: [i32; 7] = [100, 200, 200, 420, 450, 950, 20_000];

/// Cheapest attackers first.
const ORDER: [PieceKind; 6] = [
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Cannon,
    PieceKind::Rook,
];

impl Position {
    /// Whether the exchange that `mv` starts wins at least `threshold`.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let board = self.board();
        let value = |sq| board.piece_on(sq).map_or(0, |piece| SEE_VALUE[piece.kind().index()]);
        // More than this must not be lost again.
        let surplus = value(to) - threshold;
        if surplus < 0 {
            return false;
        }
        let occupied = board.occupied().without(from).with(to);
        let exchange = Exchange { board, to };
        !exchange.can_win(!self.side(), occupied, value(from), surplus + 1)
    }
}

/// The captures on one square.
struct Exchange<'a> {
    board: &'a Board,
    to: Square,
}

impl Exchange<'_> {
    /// Whether `side`, which may capture a piece worth `prize` on the square or stop, can win at
    /// least `goal`, which is positive. `occupied` has the pieces that have not captured yet.
    fn can_win(&self, side: Color, occupied: Bitboard, prize: i32, goal: i32) -> bool {
        if prize < goal {
            return false;
        }
        let attackers = self.board.attackers_to(self.to, occupied).without(self.to);
        let own = attackers & self.board.color(side);
        let cheapest = ORDER.into_iter().find(|&kind| own.intersects(self.board.kind(kind)));
        let Some(kind) = cheapest else {
            // Only the king may be left, which must not capture what is protected.
            let left = self.board.attackers_to(self.to, occupied - own).without(self.to) - own;
            return !own.is_empty() && !left.intersects(self.board.color(!side));
        };
        let capturer = (own & self.board.kind(kind)).first();
        let left = occupied - capturer.map_or(Bitboard::EMPTY, Bitboard::from_square);
        // It keeps enough unless the opponent wins more than the rest by taking the capturer.
        !self.can_win(!side, left, SEE_VALUE[kind.index()], prize - goal + 1)
    }
}
