//! Static exchange evaluation: what a series of captures on one square wins.
//!
//! The swap algorithm of chess programming with a threshold, as in Stockfish's `see_ge`. Captures
//! change the screens of cannons, so the attackers are computed again after each one. Pins are not
//! looked at.

use crate::geometry::{Bitboard, PieceKind};

use super::{Move, Position};

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

        // What the side to move stands above the threshold if the exchange ends here ...
        let mut balance = value(to) - threshold;
        if balance < 0 {
            return false;
        }
        // ... and if the capturing piece is lost for nothing.
        balance = value(from) - balance;
        if balance <= 0 {
            return true;
        }

        let mut occupied = board.occupied().without(from).with(to);
        let mut side = self.side();
        let mut wins = true;
        loop {
            side = !side;
            let attackers = board.attackers_to(to, occupied).without(to);
            let own = attackers & board.color(side);
            if own.is_empty() {
                return wins;
            }
            wins = !wins;
            let least = ORDER.into_iter().find(|&kind| own.intersects(board.kind(kind)));
            let Some(kind) = least else {
                // Only the king is left to capture, which it may not if it could be captured.
                let king = own;
                let left = board.attackers_to(to, occupied - king).without(to) - king;
                return if left.intersects(board.color(!side)) { !wins } else { wins };
            };
            balance = SEE_VALUE[kind.index()] - balance;
            // `wins` as an integer breaks the tie in favour of the side that may stop.
            if balance < i32::from(wins) {
                return wins;
            }
            let used = (own & board.kind(kind)).first();
            occupied -= used.map_or(Bitboard::EMPTY, Bitboard::from_square);
        }
    }
}
