//! The inputs that a move changes, and all those of a board.

use super::features::feature;
use super::threats::{attacked_squares, influenced, threat_rows};
use crate::board::{Board, MoveDelta};
use crate::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, cannon_attacks, knight_attacks, pawn_attacks,
    rook_attacks,
};

/// The inputs that differ between two boards. An entry has the row in the view of Red and the one
/// in the view of Black.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) added: Vec<[u16; 2]>,
    pub(super) removed: Vec<[u16; 2]>,
}

impl Changes {
    /// Finds the inputs that are not 0 on a board.
    pub(super) fn all_of(&mut self, board: &Board, with_threats: bool) {
        self.added.clear();
        self.removed.clear();
        let occupied = board.occupied();
        for sq in occupied {
            let Some(piece) = board.piece_on(sq) else { continue };
            self.added.push(piece_rows(piece, sq));
            if with_threats {
                let victims = attacked_squares(piece, sq, occupied) & occupied;
                self.added.extend(victim_rows(piece, victims, |to| board.piece_on(to)));
            }
        }
    }

    /// Finds the inputs that a move of a piece changes.
    pub(super) fn of_move(&mut self, delta: MoveDelta) {
        self.added.clear();
        self.removed.clear();
        self.added.push(piece_rows(delta.piece, delta.to));
        self.removed.push(piece_rows(delta.piece, delta.from));
        self.removed.extend(delta.captured.map(|piece| piece_rows(piece, delta.to)));
    }

    /// Finds the threats that a move changes; `board` is the one after it.
    pub(super) fn of_move_in_threats(&mut self, delta: MoveDelta, board: &Board) {
        let step = Step::new(delta, board);
        // What the captured piece attacked.
        if let Some(captured) = delta.captured {
            let old = attacked_squares(captured, delta.to, step.before) & step.before;
            self.removed.extend(victim_rows(captured, old, |sq| step.piece_before(sq)));
        }
        // What the piece that moved attacked or attacks. The row of a threat does not tell the square
        // of the attacker, so what it attacks from both squares stays.
        let old = attacked_squares(delta.piece, delta.from, step.before);
        let new = attacked_squares(delta.piece, delta.to, step.after);
        self.replace(&step, delta.piece, old, new);

        // What other pieces attack. A loop for each kind is faster than one that asks each piece for
        // its kind.
        let kept = step.before & step.after;
        let others = influenced(board, [delta.from, delta.to], kept) & !step.changed;
        self.of_others(&step, others, PieceKind::Rook, |_, sq, occupied| {
            rook_attacks(sq, occupied)
        });
        self.of_others(&step, others, PieceKind::Cannon, |_, sq, occupied| {
            cannon_attacks(sq, occupied)
        });
        self.of_others(&step, others, PieceKind::Knight, |_, sq, occupied| {
            knight_attacks(sq, occupied)
        });
        self.of_others(&step, others, PieceKind::Pawn, |color, sq, _| pawn_attacks(color, sq));
    }

    /// Finds what pieces of a kind attack only before or after the move, or on one of its squares.
    #[inline(always)]
    fn of_others(
        &mut self,
        step: &Step,
        others: Bitboard,
        kind: PieceKind,
        attacks: impl Fn(Color, Square, Bitboard) -> Bitboard,
    ) {
        for sq in others & step.board.kind(kind) {
            let Some(piece) = step.board.piece_on(sq) else { continue };
            let old = attacks(piece.color(), sq, step.before);
            let new = attacks(piece.color(), sq, step.after);
            self.replace(step, piece, old, new);
        }
    }

    /// Replaces the threats of a piece, given by the squares that it attacks before and after the
    /// move.
    #[inline(always)]
    fn replace(&mut self, step: &Step, attacker: Piece, old: Bitboard, new: Bitboard) {
        let (old, new) = (old & step.before, new & step.after);
        let kept = old & new & !step.changed;
        self.removed.extend(victim_rows(attacker, old & !kept, |sq| step.piece_before(sq)));
        self.added.extend(victim_rows(attacker, new & !kept, |sq| step.board.piece_on(sq)));
    }
}

/// A move and the boards before and after it.
struct Step<'a> {
    delta: MoveDelta,
    /// The board after the move.
    board: &'a Board,
    /// The two squares of the move.
    changed: Bitboard,
    /// The squares that are occupied before the move.
    before: Bitboard,
    /// The squares that are occupied after it.
    after: Bitboard,
}

impl Step<'_> {
    fn new(delta: MoveDelta, board: &Board) -> Step<'_> {
        let after = board.occupied();
        let mut before = after.with(delta.from);
        if delta.captured.is_none() {
            before.remove(delta.to);
        }
        let changed = Bitboard::from_square(delta.from).with(delta.to);
        Step { delta, board, changed, before, after }
    }

    #[inline]
    fn piece_before(&self, sq: Square) -> Option<Piece> {
        if sq == self.delta.from {
            Some(self.delta.piece)
        } else if sq == self.delta.to {
            self.delta.captured
        } else {
            self.board.piece_on(sq)
        }
    }
}

#[inline]
fn piece_rows(piece: Piece, sq: Square) -> [u16; 2] {
    Color::ALL.map(|view| feature(view, piece, sq) as u16)
}

/// The rows of a piece's attacks on pieces on these squares.
#[inline]
fn victim_rows(
    attacker: Piece,
    victims: Bitboard,
    piece_on: impl Fn(Square) -> Option<Piece>,
) -> impl Iterator<Item = [u16; 2]> {
    victims.into_iter().filter_map(move |to| threat_rows(attacker, piece_on(to)?, to))
}
