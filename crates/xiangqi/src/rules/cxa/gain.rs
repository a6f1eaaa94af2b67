//! Material that the side to move wins by captures.
//!
//! Values follow the rules of 2020: a rook is worth two knights or cannons, a knight or cannon two
//! advisors or bishops. A pawn that has crossed the river counts fully against pawns only: pawns do
//! not make up for a piece, nor a piece for pawns, unless it is worth more than two advisors or
//! bishops for each pawn, as a rook is for one. Where a pawn uncovers a check, only pieces count
//! (26.8).
//!
//! Two kinds of captures of the searching side do not count. Kings and pawns may attack without
//! limit (26.1), so they count only as roots (24.15): where they recapture. And to take what the
//! move has just offered to exchange is the exchange itself (24.4).

mod line;

use crate::board::{Move, MoveList, Position};
use crate::geometry::{Color, Piece, PieceKind, Square, between};

/// The value of winning by mate.
pub(super) const MATE: i32 = 1000;

/// The maximum number of captures after the first one.
const CAPTURES: u32 = 6;

/// Nodes of one search for a mate or a gain.
pub(super) const SEARCH_NODES: u32 = 20_000;

/// A limit on nodes. The result of a search that has used it up is meaningless, except a mate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(u32);

impl Budget {
    pub(super) fn new(nodes: u32) -> Budget {
        Budget(nodes)
    }

    /// Counts a node; `false` if none is left.
    pub(super) fn spend(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }

    pub(super) fn is_spent(self) -> bool {
        self.0 == 0
    }
}

/// Captures since the search began, from the view of the searching side.
#[derive(Clone, Copy, Default)]
struct Balance {
    pieces: i32,
    pawns: i32,
    /// True if a pawn of the searching side has uncovered a check: only pieces count.
    without_pawns: bool,
}

impl Balance {
    /// Returns the value: 0 if the balances of pieces and pawns have opposite signs, unless the
    /// pieces are worth more than two advisors or bishops for each pawn.
    fn value(self) -> i32 {
        if self.without_pawns {
            return 2 * self.pieces;
        }
        let is_mixed = self.pieces.signum() * self.pawns.signum() < 0;
        if is_mixed && self.pieces.abs() <= 2 * self.pawns.abs() {
            0
        } else {
            2 * self.pieces + self.pawns
        }
    }

    /// Returns the balance after a capture; `sign` is 1 if the searching side captures, else -1.
    fn after(self, kind: PieceKind, has_crossed: bool, sign: i32) -> Balance {
        let pieces = self.pieces + sign * piece_value(kind);
        let is_pawn = kind == PieceKind::Pawn && has_crossed;
        Balance { pieces, pawns: self.pawns + sign * i32::from(is_pawn), ..self }
    }
}

/// Returns the value of a piece in units of an advisor; kings and pawns are counted in other ways.
pub(super) fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Rook => 4,
        PieceKind::Knight | PieceKind::Cannon => 2,
        PieceKind::Advisor | PieceKind::Bishop => 1,
        PieceKind::King | PieceKind::Pawn => 0,
    }
}

/// Returns the value that losing the piece without compensation has in this search.
pub(super) fn full_value(position: &Position, sq: Square) -> i32 {
    captured_from(Balance::default(), position, sq, 1).value()
}

/// Settings of the search for a gain of the side to move.
#[derive(Clone, Copy)]
pub(super) struct Gain<'a> {
    /// The captures that take what was just offered to exchange; they are not made.
    pub(super) offered: &'a [Move],
    /// True if the side may recapture where it captures first.
    pub(super) may_recapture: bool,
}

impl Gain<'_> {
    /// Returns the value of the legal capture for the side to move if both sides go on capturing,
    /// the other one possibly after a check: positive if it wins material. A capture after which
    /// the opponent mates at once wins nothing.
    pub(super) fn by_capture(
        &self,
        position: &mut Position,
        capture: Move,
        budget: &mut Budget,
    ) -> i32 {
        let search = Captures { gain: *self, us: position.side(), target: Some(capture.to()) };
        let balance = captured_from(Balance::default(), position, capture.to(), 1);
        position.play_unchecked(capture);
        let value = if mates_at_once(position, budget) {
            -MATE
        } else {
            search.after_counter_checks(position, balance, budget)
        };
        position.unmake();
        value
    }

    /// Returns the gain of the side to move by giving at most `checks` checks, against every reply,
    /// and then capturing; 0 if there is none. Lines without a check do not count.
    pub(super) fn by_checks(
        &self,
        position: &mut Position,
        checks: u32,
        budget: &mut Budget,
    ) -> i32 {
        let search = Captures { gain: *self, us: position.side(), target: None };
        search.after_checks(position, Balance::default(), checks, budget)
    }
}

/// Returns the gain of the side whose piece the legal capture takes if both go on capturing;
/// negative if it loses material, 0 if the exchange is even, or if the other side mates.
pub(super) fn gain_after_loss(position: &mut Position, capture: Move, budget: &mut Budget) -> i32 {
    let gain = Gain { offered: &[], may_recapture: true };
    let search = Captures { gain, us: !position.side(), target: None };
    let balance = captured_from(Balance::default(), position, capture.to(), -1);
    let taken = Some(capture.to());
    position.play_unchecked(capture);
    let value = search.value(position, balance, taken, CAPTURES, WINDOW, budget);
    position.unmake();
    value
}

/// Returns the balance after a capture on the square, which may be empty.
fn captured_from(balance: Balance, position: &Position, sq: Square, sign: i32) -> Balance {
    let Some(piece) = position.piece_on(sq) else { return balance };
    let has_crossed = !piece.color().home().contains(sq);
    balance.after(piece.kind(), has_crossed, sign)
}

/// Returns whether the side to move has a move that leaves the other side, in check, without a
/// move.
fn mates_at_once(position: &mut Position, budget: &mut Budget) -> bool {
    position.legal_moves().into_iter().any(|mv| {
        if !position.gives_check(mv) || !budget.spend() {
            return false;
        }
        position.play_unchecked(mv);
        let is_mate = !position.has_legal_move();
        position.unmake();
        is_mate
    })
}

/// A window that contains every value.
const WINDOW: (i32, i32) = (-MATE - 1, MATE + 1);

/// The search among captures, for one side.
struct Captures<'a> {
    gain: Gain<'a>,
    us: Color,
    /// The square of the first capture, if the line begins with one.
    target: Option<Square>,
}

impl Captures<'_> {
    /// Returns the value for the searching side, by alpha-beta; the window is from its view. Both
    /// sides may stop capturing unless they are in check. `taken` is where the last move captured,
    /// if it did.
    fn value(
        &self,
        position: &mut Position,
        balance: Balance,
        taken: Option<Square>,
        depth: u32,
        (mut alpha, mut beta): (i32, i32),
        budget: &mut Budget,
    ) -> i32 {
        let is_ours = position.side() == self.us;
        let in_check = position.in_check();
        if depth == 0 || !budget.spend() {
            return balance.value();
        }
        let moves = if in_check { position.legal_moves() } else { captures(position) };
        let sign = if is_ours { 1 } else { -1 };
        let mut best = if in_check { -sign * MATE } else { balance.value() };
        for mv in moves {
            if is_ours && !in_check && !self.counts(position, mv, taken) {
                continue;
            }
            if is_ours {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
            let after = captured_from(balance, position, mv.to(), sign);
            let taken = position.is_capture(mv).then_some(mv.to());
            position.play_unchecked(mv);
            let value = self.value(position, after, taken, depth - 1, (alpha, beta), budget);
            position.unmake();
            best = if is_ours { best.max(value) } else { best.min(value) };
        }
        best
    }

    /// Returns whether a capture of the searching side counts; `taken` is where the other side has
    /// just captured.
    fn counts(&self, position: &Position, mv: Move, taken: Option<Square>) -> bool {
        if self.gain.offered.contains(&mv) {
            return false;
        }
        if self.target == Some(mv.to()) && !self.gain.may_recapture {
            return false;
        }
        if taken == Some(mv.to()) {
            return true;
        }
        let kind = position.piece_on(mv.from()).map(Piece::kind);
        !matches!(kind, Some(PieceKind::King | PieceKind::Pawn))
    }

    /// Returns the value if the other side, which is to move, may give a check before it captures.
    /// As the searching side may do so, a piece that such a check wins back is not won.
    fn after_counter_checks(
        &self,
        position: &mut Position,
        balance: Balance,
        budget: &mut Budget,
    ) -> i32 {
        let mut worst = self.value(position, balance, None, CAPTURES, WINDOW, budget);
        if worst < 0 {
            return worst;
        }
        for mv in position.legal_moves() {
            if position.is_capture(mv) || !position.gives_check(mv) || !budget.spend() {
                continue;
            }
            position.play_unchecked(mv);
            worst = worst.min(self.value(position, balance, None, CAPTURES, WINDOW, budget));
            position.unmake();
        }
        worst
    }

    /// Returns the best of the checks of the searching side, which is to move. No further checks
    /// are tried where a capture wins already. That must not depend on the best check so far, or
    /// the value would depend on the order of the moves.
    fn after_checks(
        &self,
        position: &mut Position,
        balance: Balance,
        checks: u32,
        budget: &mut Budget,
    ) -> i32 {
        let mut best = 0;
        for mv in position.legal_moves() {
            if self.is_check(position, mv) && budget.spend() {
                let value = self.after_check(position, balance, mv, checks, best, budget);
                best = best.max(value);
            }
        }
        best
    }

    /// Returns whether a move of the searching side is a check that counts.
    fn is_check(&self, position: &Position, mv: Move) -> bool {
        position.gives_check(mv) && !self.gain.offered.contains(&mv)
    }

    /// Returns the value of a check against every reply; if it is not above `floor`, a bound.
    fn after_check(
        &self,
        position: &mut Position,
        balance: Balance,
        mv: Move,
        checks: u32,
        floor: i32,
        budget: &mut Budget,
    ) -> i32 {
        let after = balance_after_check(balance, position, mv);
        position.play_unchecked(mv);
        let mut worst = MATE;
        for reply in position.legal_moves() {
            worst = worst.min(self.after_reply(position, after, reply, checks, budget));
            if worst <= floor {
                break;
            }
        }
        position.unmake();
        worst
    }

    /// Returns the value of a reply to a check.
    fn after_reply(
        &self,
        position: &mut Position,
        balance: Balance,
        reply: Move,
        checks: u32,
        budget: &mut Budget,
    ) -> i32 {
        let lost = captured_from(balance, position, reply.to(), -1);
        let taken = position.is_capture(reply).then_some(reply.to());
        position.play_unchecked(reply);
        let mut value = self.value(position, lost, taken, CAPTURES, WINDOW, budget);
        if value <= 0 && checks > 1 && !position.in_check() {
            value = value.max(self.after_checks(position, lost, checks - 1, budget));
        }
        position.unmake();
        value
    }
}

/// Returns the balance after a check of the searching side that is about to be given.
fn balance_after_check(balance: Balance, position: &mut Position, mv: Move) -> Balance {
    let mut after = captured_from(balance, position, mv.to(), 1);
    after.without_pawns |= uncovers_check_by_pawn(position, mv);
    after
}

/// Returns whether a checking move of a pawn clears the line from another checker to the king.
fn uncovers_check_by_pawn(position: &mut Position, mv: Move) -> bool {
    if position.piece_on(mv.from()).map(Piece::kind) != Some(PieceKind::Pawn) {
        return false;
    }
    position.play_unchecked(mv);
    let king = position.king(position.side());
    let is_cleared = |checker: Square| between(checker, king).contains(mv.from());
    let uncovers = position.checkers().into_iter().any(is_cleared);
    position.unmake();
    uncovers
}

/// Returns the legal captures, those of the heaviest pieces first.
fn captures(position: &Position) -> MoveList {
    let mut list = position.captures();
    let value = |mv: &Move| position.piece_on(mv.to()).map_or(0, |piece| piece_value(piece.kind()));
    list.sort_by_key(|mv| -value(mv));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_makes_up_for_what_is_worth_up_to_two_advisors() {
        let lost = |kinds: &[PieceKind]| {
            let pawn = Balance::default().after(PieceKind::Pawn, true, -1);
            kinds.iter().fold(pawn, |balance, &kind| balance.after(kind, true, 1)).value()
        };
        assert_eq!(lost(&[]), -1);
        assert_eq!(lost(&[PieceKind::Advisor]), 0);
        assert_eq!(lost(&[PieceKind::Knight]), 0);
        assert_eq!(lost(&[PieceKind::Rook]), 7);
        assert_eq!(lost(&[PieceKind::Rook, PieceKind::Pawn]), 8);
        assert_eq!(lost(&[PieceKind::Pawn]), 0);
    }
}
