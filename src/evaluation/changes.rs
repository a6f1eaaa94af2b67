//! The inputs that a move changes, and all those of a board.

use super::features::feature;
use super::threats::{attacked_squares, influenced, threat_rows};
use crate::board::{Board, MoveDelta};
use crate::geometry::{Bitboard, Color, Piece, Square};

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
        let changed = Bitboard::from_square(delta.from).with(delta.to);
        let occupied = board.occupied();
        let mut occupied_before = occupied.with(delta.from);
        if delta.captured.is_none() {
            occupied_before.remove(delta.to);
        }
        let piece_after = |sq| board.piece_on(sq);
        let piece_before = |sq| match sq {
            sq if sq == delta.from => Some(delta.piece),
            sq if sq == delta.to => delta.captured,
            sq => board.piece_on(sq),
        };
        let attacks = |piece, sq, occupied| attacked_squares(piece, sq, occupied) & occupied;

        // What the piece that moved and the captured one attacked, and what the moved one attacks.
        let old = attacks(delta.piece, delta.from, occupied_before);
        self.removed.extend(victim_rows(delta.piece, old, piece_before));
        if let Some(captured) = delta.captured {
            let old = attacks(captured, delta.to, occupied_before);
            self.removed.extend(victim_rows(captured, old, piece_before));
        }
        let new = attacks(delta.piece, delta.to, occupied);
        self.added.extend(victim_rows(delta.piece, new, piece_after));

        // What other pieces attack only before or after it, or on one of its squares.
        let kept = occupied & occupied_before;
        for sq in influenced(board, [delta.from, delta.to], kept) & !changed {
            let Some(piece) = board.piece_on(sq) else { continue };
            let old = attacks(piece, sq, occupied_before);
            let new = attacks(piece, sq, occupied);
            let kept = old & new & !changed;
            self.removed.extend(victim_rows(piece, old & !kept, piece_before));
            self.added.extend(victim_rows(piece, new & !kept, piece_after));
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
