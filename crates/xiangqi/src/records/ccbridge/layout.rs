//! Layout and codes of a CBR record.

use crate::geometry::{Color, Piece, PieceKind, Square};

pub(in crate::records) const RECORD_MAGIC: &[u8] = b"CCBridge Record\0";
pub(in crate::records) const LIBRARY_MAGIC: &[u8] = b"CCBridgeLibrary\0";

/// The version of this layout, and its place.
pub(super) const VERSION: u8 = 2;
pub(super) const VERSION_AT: usize = 19;

/// The result of the game.
pub(super) const RESULT: usize = 2076;

/// The side that moves first, and the number of the first move.
pub(super) const FIRST_MOVER: usize = 2112;
pub(super) const RED_FIRST: u8 = 1;
pub(super) const BLACK_FIRST: u8 = 2;
pub(super) const FIRST_NUMBER: usize = 2116;

/// The pieces of the start, a byte for each square.
pub(super) const BOARD: usize = 2120;

/// The records of the moves, and so the size of the header.
pub(super) const MOVES: usize = 2214;

/// The flags of a record.
pub(super) const LINE_ENDS: u8 = 1;
pub(super) const HAS_ALTERNATIVE: u8 = 2;
pub(super) const HAS_COMMENT: u8 = 4;

/// Texts of a record: offset, size, tag.
pub(super) const TEXTS: [(usize, usize, &str); 11] = [
    (180, 128, "Title"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (884, 64, "Date"),
    (948, 64, "Site"),
    (1012, 64, "TimeControl"),
    (1076, 64, "Red"),
    (1140, 64, "RedTeam"),
    (1300, 64, "Black"),
    (1364, 64, "BlackTeam"),
    (1652, 64, "Annotator"),
];

/// The kinds of pieces in the order of their codes, from 1.
const KINDS: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Cannon,
    PieceKind::Pawn,
];

/// Returns the square with this index from a9, row by row.
pub(super) fn square(index: usize) -> Option<Square> {
    (index < Square::COUNT).then(|| Square::from_index(index).flip())
}

/// Returns the index of a square, less than 90.
pub(super) fn index(square: Square) -> u8 {
    square.flip().index() as u8
}

/// Returns the piece with this code; none on an empty square.
pub(super) fn piece(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let number = usize::from(code & 15).checked_sub(1)?;
    Some(Piece::new(color, *KINDS.get(number)?))
}

/// Returns the code of what stands on a square.
pub(super) fn piece_code(piece: Option<Piece>) -> u8 {
    let Some(piece) = piece else { return 0 };
    let number = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or(0) as u8 + 1;
    match piece.color() {
        Color::Red => 0x10 + number,
        Color::Black => 0x20 + number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_pieces_are_coded_both_ways() {
        for code in 0..90 {
            assert_eq!(square(code).map(index), Some(code as u8));
        }
        assert_eq!(square(90), None);
        for code in (0x11..0x18).chain(0x21..0x28) {
            assert_eq!(piece_code(piece(code)), code);
        }
        assert_eq!((piece(0), piece(0x10), piece(0x18)), (None, None, None));
    }
}
