//! Inputs changed by a move, and all inputs of a board.

use xiangqi::board::{Board, MoveDelta};
use xiangqi::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, cannon_attacks, knight_attacks, pawn_attacks,
    rook_attacks,
};

use super::input_rows::{InputRows, piece_rows, threat_rows};
use super::threats::{attacked_squares, influenced};

/// Inputs that differ between two boards.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) added: RowList,
    pub(super) removed: RowList,
}

/// A list of inputs. An entry has four rows, see [`InputRows`].
///
/// A board has at most 32 pieces and 94 attacks that are inputs, and no list has more than these.
/// An index of 8 bits is always within the list, so adding needs no check.
pub(super) struct RowList {
    rows: [InputRows; 256],
    len: u8,
}

impl Default for RowList {
    fn default() -> RowList {
        RowList { rows: [[0; 4]; 256], len: 0 }
    }
}

impl RowList {
    #[inline]
    pub(super) fn rows(&self) -> &[InputRows] {
        &self.rows[..usize::from(self.len)]
    }

    #[inline]
    fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    fn push(&mut self, rows: InputRows) {
        self.rows[usize::from(self.len)] = rows;
        self.len = self.len.wrapping_add(1);
    }

    /// Adds a piece's attacks on pieces on these squares.
    #[inline(always)]
    fn push_victims(
        &mut self,
        attacker: Piece,
        victims: Bitboard,
        piece_on: impl Fn(Square) -> Option<Piece>,
    ) {
        for sq in victims {
            let Some(victim) = piece_on(sq) else { continue };
            self.push(threat_rows(attacker, victim, sq));
        }
    }
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
                self.added.push_victims(piece, victims, |to| board.piece_on(to));
            }
        }
    }

    /// Finds the inputs that a move of a piece changes.
    #[inline]
    pub(super) fn of_move(&mut self, delta: MoveDelta) {
        self.added.clear();
        self.removed.clear();
        self.added.push(piece_rows(delta.piece, delta.to));
        self.removed.push(piece_rows(delta.piece, delta.from));
        if let Some(captured) = delta.captured {
            self.removed.push(piece_rows(captured, delta.to));
        }
    }

    /// Finds the threats that a move changes; `board` is the one after it.
    #[inline]
    pub(super) fn of_move_in_threats(&mut self, delta: MoveDelta, board: &Board) {
        let step = Step::new(delta, board);
        // Attacks of the captured piece.
        if let Some(captured) = delta.captured {
            let old = attacked_squares(captured, delta.to, step.before) & step.before;
            self.removed.push_victims(captured, old, |sq| step.piece_before(sq));
        }
        // Attacks of the moved piece before and after. The row of a threat does not depend on the
        // square of the attacker, so squares attacked from both squares stay.
        let [old, new] = step.attacked_by_mover();
        self.replace(&step, delta.piece, old, new);

        // Attacks of other pieces. A loop for each kind is faster than one that tests the kind of
        // each piece.
        let kept = step.before & step.after;
        let others = influenced(board, [delta.from, delta.to], kept) - step.changed;
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

    /// Finds the attacks by pieces of a kind only before or after the move, or on one of its
    /// squares.
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
        let kept = (old & new) - step.changed;
        self.removed.push_victims(attacker, old - kept, |sq| step.piece_before(sq));
        self.added.push_victims(attacker, new - kept, |sq| step.board.piece_on(sq));
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

    /// Returns the squares attacked or protected by the moved piece before and after the move.
    #[inline(always)]
    fn attacked_by_mover(&self) -> [Bitboard; 2] {
        let MoveDelta { piece, from, to, .. } = self.delta;
        match piece.kind() {
            PieceKind::Pawn => [pawn_attacks(piece.color(), from), pawn_attacks(piece.color(), to)],
            PieceKind::Knight => {
                [knight_attacks(from, self.before), knight_attacks(to, self.after)]
            }
            PieceKind::Cannon => {
                [cannon_attacks(from, self.before), cannon_attacks(to, self.after)]
            }
            PieceKind::Rook => [rook_attacks(from, self.before), rook_attacks(to, self.after)],
            PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => [Bitboard::EMPTY; 2],
        }
    }

    /// Returns the piece on a square before the move, without branches: the square is
    /// unpredictable.
    #[inline(always)]
    fn piece_before(&self, sq: Square) -> Option<Piece> {
        let piece = self.board.piece_on(sq);
        let piece = if sq == self.delta.to { self.delta.captured } else { piece };
        if sq == self.delta.from { Some(self.delta.piece) } else { piece }
    }
}
