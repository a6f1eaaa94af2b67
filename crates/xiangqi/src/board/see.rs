//! Static exchange evaluation: material won by a series of captures on one square.
//!
//! Each side in turn may capture with its cheapest piece, or stop. Captures change the screens of
//! cannons, so the attackers are computed again after each one. Pins are ignored.

use crate::geometry::{
    Bitboard, Color, PieceKind, Square, advisor_attacks, bishop_attacks, king_attacks,
    knight_attackers, line_attacks, lines_of, pawn_attackers,
};

use super::{Board, Move, Position};

/// Exchange values by kind of piece, in centipawns of the exchange. The king's is out of reach.
pub const SEE_VALUE: [i32; 7] = [100, 200, 200, 420, 450, 950, 20_000];

impl Position {
    /// Returns whether the exchange that `mv` starts wins at least `threshold`.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let board = self.board();
        let value = |sq| board.piece_on(sq).map_or(0, |piece| SEE_VALUE[piece.kind().index()]);
        // More than this must not be lost again.
        let surplus = value(to).saturating_sub(threshold);
        if surplus < 0 {
            return false;
        }
        let occupied = board.occupied().without(from).with(to);
        let exchange = Exchange { board, to };
        !exchange.can_win(!self.side(), occupied, value(from), surplus.saturating_add(1))
    }
}

/// The captures on one square.
struct Exchange<'a> {
    board: &'a Board,
    to: Square,
}

impl Exchange<'_> {
    /// Returns whether `side`, which may capture a piece worth `prize` on the square or stop, can
    /// win at least `goal`, which is positive. `occupied` has the pieces that have not captured
    /// yet.
    #[inline]
    fn can_win(
        &self,
        mut side: Color,
        mut occupied: Bitboard,
        mut prize: i32,
        mut goal: i32,
    ) -> bool {
        // The outcome for the first side if the side to capture stops.
        let mut stopped = false;
        while prize >= goal {
            let Some((kind, capturers)) = self.cheapest_capturers(side, occupied) else { break };
            if kind == PieceKind::King {
                // The king is left alone, and must not capture what is protected.
                let is_protected = self.cheapest_capturers(!side, occupied - capturers).is_some();
                return is_protected == stopped;
            }
            let capturer = capturers.first().map_or(Bitboard::EMPTY, Bitboard::from_square);
            // It keeps enough unless the opponent wins more than the rest by taking the capturer.
            (side, occupied) = (!side, occupied - capturer);
            (prize, goal) = (SEE_VALUE[kind.index()], prize - goal + 1);
            stopped = !stopped;
        }
        stopped
    }

    /// Returns the pieces of a side that can capture on the square and are of the cheapest kind. A
    /// kind is examined only if no cheaper one can capture, and only on squares where it can stand.
    #[inline(always)]
    fn cheapest_capturers(&self, side: Color, occupied: Bitboard) -> Option<(PieceKind, Bitboard)> {
        let (board, to) = (self.board, self.to);
        let own = board.color(side) & occupied.without(to);
        let of = |kind| board.kind(kind) & own;
        let pawns = pawn_attackers(side, to) & of(PieceKind::Pawn);
        if !pawns.is_empty() {
            return Some((PieceKind::Pawn, pawns));
        }
        let advisors = advisor_attacks(to) & of(PieceKind::Advisor);
        if !advisors.is_empty() {
            return Some((PieceKind::Advisor, advisors));
        }
        let bishops = bishop_attacks(to, occupied) & of(PieceKind::Bishop);
        if !bishops.is_empty() {
            return Some((PieceKind::Bishop, bishops));
        }
        let knights = knight_attackers(to, occupied) & of(PieceKind::Knight);
        if !knights.is_empty() {
            return Some((PieceKind::Knight, knights));
        }
        let (cannons, rooks) = (of(PieceKind::Cannon), of(PieceKind::Rook));
        if lines_of(to).intersects(cannons | rooks) {
            let lines = line_attacks(to, occupied);
            if lines.cannon.intersects(cannons) {
                return Some((PieceKind::Cannon, lines.cannon & cannons));
            }
            if lines.rook.intersects(rooks) {
                return Some((PieceKind::Rook, lines.rook & rooks));
            }
        }
        let kings = king_attacks(to) & of(PieceKind::King);
        (!kings.is_empty()).then_some((PieceKind::King, kings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exchange_wins_at_least_the_minimum_threshold() {
        let position = Position::startpos();
        for mv in &position.legal_moves() {
            assert!(position.see_at_least(*mv, i32::MIN), "{mv}");
            assert!(!position.see_at_least(*mv, i32::MAX), "{mv}");
        }
    }
}
