//! Squares as the bytes of a board of 16 by 16: `16 * row + column`, with a9 at row 3, column 3 and
//! i0 at row 12, column 11.

use xiangqi::geometry::Square;

/// Returns the square of a byte, if it lies on the board.
pub(super) fn square(byte: u8) -> Option<Square> {
    let (row, column) = (byte / 16, byte % 16);
    Square::new(column.checked_sub(3)?, 12_u8.checked_sub(row)?)
}

/// Returns the byte of a square.
pub(super) fn byte(square: Square) -> usize {
    16 * (12 - usize::from(square.rank())) + 3 + usize::from(square.file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_bytes_are_on_the_board() {
        for sq in Square::all() {
            assert_eq!(u8::try_from(byte(sq)).ok().and_then(square), Some(sq));
        }
        assert_eq!((0..=255).filter_map(square).count(), Square::COUNT);
    }
}
