//! Small drawings of the pieces for those who read neither Chinese nor chess letters.

use crate::geometry::PieceKind;

/// Returns the drawing of a kind within a circle of radius 33 around the origin.
pub(super) fn icon(kind: PieceKind, ink: &str) -> String {
    let drawing = match kind {
        PieceKind::King => KING,
        PieceKind::Advisor => ADVISOR,
        PieceKind::Bishop => ELEPHANT,
        PieceKind::Knight => HORSE,
        PieceKind::Rook => TOWER,
        PieceKind::Cannon => CANNON,
        PieceKind::Pawn => SOLDIER,
    };
    format!("<g fill=\"{ink}\" stroke=\"{ink}\" stroke-linejoin=\"round\">{drawing}</g>")
}

/// A crown.
const KING: &str = "<path stroke-width=\"3\" d=\"M-22 12L-26 -13L-12 -2L0 -22L12 -2L26 -13L22 12Z\"/>\
    <path stroke-width=\"3\" d=\"M-21 19H21V23H-21Z\"/>\
    <circle cx=\"-26\" cy=\"-15\" r=\"3\"/><circle cy=\"-25\" r=\"3\"/>\
    <circle cx=\"26\" cy=\"-15\" r=\"3\"/>";

/// An official's hat with its two wings.
const ADVISOR: &str = "<path stroke-width=\"2\" d=\"M-15 14V2C-15 -6 -12 -9 -8 -9C-8 -19 -4 -23 0 -23C4 -23 8 -19 8 -9C12 -9 15 -6 15 2V14Z\"/>\
    <path stroke-width=\"2\" d=\"M-19 4C-24 0 -29 0 -32 3C-29 8 -24 9 -19 8ZM19 4C24 0 29 0 32 3C29 8 24 9 19 8Z\"/>\
    <path stroke-width=\"2\" d=\"M-17 19H17V23H-17Z\"/>";

/// The head of an elephant: ears, tusks, trunk.
const ELEPHANT: &str = "<path stroke-width=\"2\" d=\"M-11 -17C-22 -25 -32 -17 -30 -5C-29 3 -23 10 -14 8ZM11 -17C22 -25 32 -17 30 -5C29 3 23 10 14 8Z\"/>\
    <path stroke-width=\"2\" d=\"M-11 -19C-6 -24 6 -24 11 -19C14 -10 13 2 8 8C6 14 6 19 9 20C12 21 13 18 13 16L18 17C18 23 14 26 8 26C0 26 -3 19 -4 12C-11 8 -14 -8 -11 -19Z\"/>\
    <path fill=\"none\" stroke-width=\"4\" stroke-linecap=\"round\" d=\"M-9 13C-9 17 -12 20 -15 20\"/>";

/// The head of a horse.
const HORSE: &str = "<path stroke-width=\"2\" d=\"M-17 24C-17 12 -4 8 -3 -2C-8 3 -13 5 -16 8C-18 10 -21 10 -23 7C-26 3 -24 1 -21 -3C-17 -8 -16 -13 -11 -17L-12 -25L-4 -20C12 -21 22 -8 21 10C21 16 20 20 19 24Z\"/>";

/// A tower.
const TOWER: &str = "<path stroke-width=\"2\" d=\"M-20 -22H-12V-16H-4V-22H4V-16H12V-22H20V-8L14 -4V12L20 17V24H-20V17L-14 12V-4L-20 -8Z\"/>";

/// A cannon on its wheel.
const CANNON: &str = "<path stroke-width=\"2\" d=\"M-27 3L13 -23L16 -25L24 -12L20 -10L-20 13C-25 15 -30 8 -27 3Z\"/>\
    <circle cx=\"-3\" cy=\"13\" r=\"11\" fill=\"none\" stroke-width=\"5\"/>\
    <circle cx=\"-3\" cy=\"13\" r=\"3\"/>\
    <path stroke-width=\"5\" stroke-linecap=\"round\" d=\"M8 18L24 24\"/>";

/// A foot soldier: head and cloak.
const SOLDIER: &str = "<circle cy=\"-13\" r=\"10\" stroke-width=\"2\"/>\
    <path stroke-width=\"2\" d=\"M-7 -1H7C9 8 13 13 17 17V24H-17V17C-13 13 -9 8 -7 -1Z\"/>";
