//! Layout of an XQF file.

use crate::geometry::Square;

/// The size of the header.
pub(super) const HEADER: usize = 1024;

/// The last version whose records are not scrambled.
pub(super) const PLAIN_VERSION: u8 = 0x0A;

/// The squares of the men, a byte each.
pub(super) const MEN: usize = 16;

/// The side to move, and its value for Black.
pub(super) const SIDE: usize = 50;
pub(super) const BLACK: u8 = 1;

/// The result of the game.
pub(super) const RESULT: usize = 51;

/// The type of the game.
pub(super) const GAME_TYPE: usize = 64;

/// Texts of the header: offset, size with the length byte, tag.
pub(super) const TEXTS: [(usize, usize, &str); 12] = [
    (80, 64, "Title"),
    (144, 64, "Title2"),
    (208, 64, "Event"),
    (272, 16, "Date"),
    (288, 16, "Site"),
    (304, 16, "Red"),
    (320, 16, "Black"),
    (336, 64, "TimeControl"),
    (400, 16, "RedTime"),
    (416, 16, "BlackTime"),
    (464, 16, "Annotator"),
    (480, 16, "Author"),
];

/// Added to the squares of a move.
pub(super) const FROM: u8 = 24;
pub(super) const TO: u8 = 32;

/// The flags of a record that is not scrambled.
pub(super) const CONTINUATION: u8 = 0xF0;
pub(super) const ALTERNATIVE: u8 = 0x0F;

/// Returns the byte of a square: 10 times the file plus the rank.
pub(super) fn byte(square: Square) -> u8 {
    10 * square.file() + square.rank()
}

/// Returns the square of a byte.
pub(super) fn square(byte: u8) -> Option<Square> {
    Square::new(byte / 10, byte % 10)
}
