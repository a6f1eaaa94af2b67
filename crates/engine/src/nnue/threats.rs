//! Threat inputs: attacks and protections by kind of attacker, kind of victim, and square.
//!
//! A network with threats has, besides the inputs for pieces on squares, one input for each kind
//! and colour of an attacking piece (pawn, knight, cannon, rook), each kind and colour of an
//! attacked piece, and each square where both can stand. Its value is the number of such attacks, 0
//! to 3. A cannon needs a screen and a knight can be blocked, so attacks do not follow from the
//! squares of single pieces. (The idea of such inputs: Stockfish, "full threats", 2025; this
//! encoding leaves out the square of the attacker.)

use xiangqi::board::Board;
use xiangqi::geometry::{
    Bitboard, Piece, PieceKind, Square, cannon_attacks, knight_attacks, line_attacks, pawn_attacks,
    rook_attacks,
};

use super::features::FEATURES;

const KINDS: usize = PieceKind::ALL.len();

/// Marks attacks that are not inputs.
const NONE: u16 = u16::MAX;

/// `[attacker][victim]`: the first row in the view of Red, and the number of rows of a network with
/// threats.
static FIRST: ([[u16; Piece::COUNT]; Piece::COUNT], usize) = {
    let mut first = [[NONE; Piece::COUNT]; Piece::COUNT];
    let mut count = FEATURES;
    let mut index = 0;
    while index < Piece::COUNT * Piece::COUNT {
        let (attacker, victim) = (index / Piece::COUNT, index % Piece::COUNT);
        if is_attacker(Piece::from_index(attacker).kind()) {
            first[attacker][victim] = count as u16;
            count += squares_of(attacker, victim).len();
        }
        index += 1;
    }
    (first, count)
};

/// Returns the first row of the attacks of a piece on another, in the view of Red; [`NONE`] if they
/// are not inputs.
pub(super) const fn first_threat(attacker: usize, victim: usize) -> u16 {
    FIRST.0[attacker][victim]
}

/// Returns the squares where both attacker and victim can stand. All squares that a piece attacks
/// are squares where it could stand.
const fn squares_of(attacker: usize, victim: usize) -> Bitboard {
    let squares = Piece::from_index(attacker).domain().bits();
    Bitboard::from_bits(squares & Piece::from_index(victim).domain().bits())
}

/// Returns whether attacks of this kind are inputs. Kings, advisors and bishops protect the same
/// squares nearly always.
pub const fn is_attacker(kind: PieceKind) -> bool {
    !matches!(kind, PieceKind::Advisor | PieceKind::Bishop | PieceKind::King)
}

/// Returns the number of inputs of a view in a network with threats.
pub fn features_with_threats() -> usize {
    FIRST.1
}

/// Returns the input of an attack on a piece on a square, in the view of Red; the indices are those
/// of [`Piece::index`]. `opposite_piece` and [`Square::flip`] lead to the view of Black. `None`
/// if such an attack is not an input or one of the pieces cannot stand on the square.
#[inline]
pub const fn threat(attacker: usize, victim: usize, sq: Square) -> Option<usize> {
    let (first, squares) = (FIRST.0[attacker][victim], squares_of(attacker, victim));
    if first == NONE || !squares.contains(sq) {
        return None;
    }
    let before = Bitboard::from_bits(squares.bits() & ((1 << sq.index()) - 1));
    Some(first as usize + before.len())
}

/// Returns the index of the same piece in the view of the opponent.
#[inline]
pub(super) const fn opposite_piece(piece: usize) -> usize {
    (piece + KINDS) % Piece::COUNT
}

/// Returns the maximum number of pieces that one piece attacks or protects.
pub(super) const fn max_victims(kind: PieceKind) -> usize {
    match kind {
        PieceKind::Knight => 8,
        PieceKind::Cannon | PieceKind::Rook => 4,
        PieceKind::Pawn => 3,
        PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => 0,
    }
}

/// Returns the squares that a piece attacks or protects; none if its attacks are not inputs.
#[inline]
pub fn attacked_squares(piece: Piece, sq: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Pawn => pawn_attacks(piece.color(), sq),
        PieceKind::Knight => knight_attacks(sq, occupied),
        PieceKind::Cannon => cannon_attacks(sq, occupied),
        PieceKind::Rook => rook_attacks(sq, occupied),
        PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => Bitboard::EMPTY,
    }
}

/// Squares from which a pawn, and from which a knight, may attack differently after a change on
/// each square.
static INFLUENCE: [[Bitboard; Square::COUNT]; 2] = {
    let mut all = [[Bitboard::EMPTY; Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let sq = Square::from_index(index);
        let mut offset = 0;
        while offset < 25 {
            let (files, ranks) = (offset % 5 - 2, offset / 5 - 2);
            if let Some(other) = sq.offset(files, ranks) {
                let steps = files.unsigned_abs() + ranks.unsigned_abs();
                if steps == 1 {
                    all[0][index].insert(other);
                }
                // The leg or the place of a knight.
                if steps == 1 || (steps == 3 && files != 0 && ranks != 0) {
                    all[1][index].insert(other);
                }
            }
            offset += 1;
        }
        index += 1;
    }
    all
};

/// Returns the attackers on a board that may attack differently after a change on one of two
/// squares. `kept` are the squares occupied both before and after it.
#[inline]
pub(super) fn influenced(board: &Board, squares: [Square; 2], kept: Bitboard) -> Bitboard {
    let [pawns, knights] = [PieceKind::Pawn, PieceKind::Knight].map(|kind| board.kind(kind));
    let cannons = board.kind(PieceKind::Cannon);
    let rooks_and_cannons = cannons | board.kind(PieceKind::Rook);
    squares.into_iter().fold(Bitboard::EMPTY, |all, sq| {
        // With fewer pieces on the lines more of them are found, never fewer.
        let lines = line_attacks(sq, kept);
        all | (pawns & INFLUENCE[0][sq.index()])
            | (knights & INFLUENCE[1][sq.index()])
            | (rooks_and_cannons & lines.rook)
            | (cannons & lines.cannon)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_attack_that_can_occur_has_its_own_row() {
        let mut seen = vec![false; features_with_threats()];
        for attacker in Piece::all().filter(|piece| is_attacker(piece.kind())) {
            for from in attacker.domain() {
                // A board with one screen or leg in every place would not reach all squares at
                // once; an empty board and full lines together do.
                let mut targets = attacked_squares(attacker, from, Bitboard::EMPTY);
                for screen in Square::all().filter(|&screen| screen != from) {
                    targets |= attacked_squares(attacker, from, Bitboard::from_square(screen));
                }
                for to in targets {
                    for victim in Piece::all().filter(|victim| victim.domain().contains(to)) {
                        let row = threat(attacker.index(), victim.index(), to).expect("a row");
                        assert!((FEATURES..features_with_threats()).contains(&row));
                        seen[row] = true;
                    }
                }
            }
        }
        let unused = seen[FEATURES..].iter().filter(|&&seen| !seen).count();
        // No pawn attacks the squares where the pawns of its colour begin: two colours, five
        // squares, eight pieces that can stand there.
        assert_eq!(unused, 2 * 5 * 8);
    }
}
