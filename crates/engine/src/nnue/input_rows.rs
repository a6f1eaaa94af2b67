//! Rows of the input weights for a piece on a square or for an attack, in both views and both
//! mirrored.
//!
//! A row is the sum of two numbers: one for the piece, or for attacker and victim, and one for the
//! square. The four rows of an input lie in one 64-bit word, so that one addition finds them all,
//! and the tables fit the first-level cache, unlike one table of all rows.

use xiangqi::geometry::{Color, Piece, PieceKind, Square};

use super::features::{FEATURES, feature};
use super::threats::{first_threat, is_attacker, opposite_piece, threat};

/// The rows of an input in the views of Red and Black, then the same on the board mirrored left to
/// right.
pub type InputRows = [u16; 4];

/// Packs the rows into one 64-bit integer.
const fn word(rows: InputRows) -> u64 {
    rows[0] as u64 | (rows[1] as u64) << 16 | (rows[2] as u64) << 32 | (rows[3] as u64) << 48
}

#[inline(always)]
const fn rows(word: u64) -> InputRows {
    [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16]
}

#[inline(always)]
pub fn piece_rows(piece: Piece, sq: Square) -> InputRows {
    rows(FIRST_OF_PIECE[piece.index()] + PLACES[sq.index()])
}

/// Returns the rows of an attack. The attacker must be of a kind whose attacks are inputs, and both
/// pieces must be able to stand on the square.
#[inline(always)]
pub fn threat_rows(attacker: Piece, victim: Piece, sq: Square) -> InputRows {
    let first = FIRST_OF_ATTACK[attacker.index()][victim.index()];
    rows(first + PLACES_OF_ATTACK[class(attacker)][victim.index()][sq.index()])
}

/// The first rows of a piece, without the square.
static FIRST_OF_PIECE: [u64; Piece::COUNT] = {
    let mut first = [0; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let piece = Piece::from_index(index);
        let red = feature(Color::Red, piece, Square::from_index(0)) as u16;
        let black = feature(Color::Black, piece, Square::from_index(0).flip()) as u16;
        first[index] = word([red, black, red, black]);
        index += 1;
    }
    first
};

/// Offset of the rows by square.
static PLACES: [u64; Square::COUNT] = {
    let mut places = [0; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let sq = Square::from_index(index);
        let squares = [sq, sq.flip(), sq.mirror(), sq.mirror().flip()];
        places[index] = word([
            squares[0].index() as u16,
            squares[1].index() as u16,
            squares[2].index() as u16,
            squares[3].index() as u16,
        ]);
        index += 1;
    }
    places
};

/// The attackers that can stand on the same squares: Red's pawns, Black's pawns, and all others.
const CLASSES: usize = 3;

#[inline(always)]
const fn class(attacker: Piece) -> usize {
    match attacker.kind() {
        PieceKind::Pawn => attacker.color().index(),
        _ => 2,
    }
}

/// `[attacker][victim]`: the first rows of the attacks, without the square.
static FIRST_OF_ATTACK: [[u64; Piece::COUNT]; Piece::COUNT] = {
    let mut all = [[0; Piece::COUNT]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT * Piece::COUNT {
        let (attacker, victim) = (index / Piece::COUNT, index % Piece::COUNT);
        let red = first_threat(attacker, victim);
        let black = first_threat(opposite_piece(attacker), opposite_piece(victim));
        all[attacker][victim] = word([red, black, red, black]);
        index += 1;
    }
    all
};

/// `[class of the attacker][victim][square]`: offset of the rows by the square of the victim.
static PLACES_OF_ATTACK: [[[u64; Square::COUNT]; Piece::COUNT]; CLASSES] = {
    let mut all = [[[0; Square::COUNT]; Piece::COUNT]; CLASSES];
    let mut index = 0;
    while index < Piece::COUNT * FEATURES {
        let (pair, sq) = (index / Square::COUNT, Square::from_index(index % Square::COUNT));
        let (attacker, victim) = (pair / Piece::COUNT, pair % Piece::COUNT);
        let piece = Piece::from_index(attacker);
        if is_attacker(piece.kind()) {
            let others = [opposite_piece(attacker), opposite_piece(victim)];
            all[class(piece)][victim][sq.index()] = word([
                place_of_attack(attacker, victim, sq),
                place_of_attack(others[0], others[1], sq.flip()),
                place_of_attack(attacker, victim, sq.mirror()),
                place_of_attack(others[0], others[1], sq.mirror().flip()),
            ]);
        }
        index += 1;
    }
    all
};

/// Returns the offset in the view of Red; 0 if one of the pieces cannot stand on the square.
const fn place_of_attack(attacker: usize, victim: usize, sq: Square) -> u16 {
    match threat(attacker, victim, sq) {
        Some(row) => row as u16 - first_threat(attacker, victim),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_piece_are_its_inputs() {
        for piece in Piece::all() {
            for sq in Square::all() {
                let row = |view, sq| feature(view, piece, sq) as u16;
                let of = |sq| [row(Color::Red, sq), row(Color::Black, sq)];
                let expected = [of(sq), of(sq.mirror())].concat();
                assert_eq!(piece_rows(piece, sq)[..], expected);
            }
        }
    }

    #[test]
    fn the_rows_of_an_attack_are_its_inputs() {
        for (attacker, victim) in Piece::all().flat_map(|a| Piece::all().map(move |v| (a, v))) {
            let (a, v) = (attacker.index(), victim.index());
            for sq in Square::all() {
                let Some(row) = threat(a, v, sq) else { continue };
                let black = |sq: Square| threat(opposite_piece(a), opposite_piece(v), sq.flip());
                let mirrored = sq.mirror();
                let expected = [Some(row), black(sq), threat(a, v, mirrored), black(mirrored)];
                let rows = threat_rows(attacker, victim, sq).map(|row| Some(usize::from(row)));
                assert_eq!(rows, expected);
            }
        }
    }
}
