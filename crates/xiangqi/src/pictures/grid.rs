//! The empty board: wood, lines, palaces, point marks, river.

use std::fmt::Write as _;

use super::PieceSet;
use super::colors::{Colors, Ink};
use super::glyphs::{GlyphStyle, glyph};

/// The points of cannons and pawns, which have marks, as column and row.
const MARKED_POINTS: [(i32, i32); 14] = [
    (1, 2),
    (7, 2),
    (0, 3),
    (2, 3),
    (4, 3),
    (6, 3),
    (8, 3),
    (0, 6),
    (2, 6),
    (4, 6),
    (6, 6),
    (8, 6),
    (1, 7),
    (7, 7),
];

/// The places of the characters of the river.
const RIVER: [i32; 4] = [150, 250, 550, 650];

/// The distance from the outermost lines to the edge of the board, without coordinates and with
/// them.
pub(super) const MARGIN: i32 = 64;
pub(super) const MARGIN_WITH_COORDINATES: i32 = 88;

/// Returns the wood, up to a margin around the lines.
pub(super) fn wood(colors: Colors, margin: i32) -> String {
    let (x, width, height) = (-margin, 800 + 2 * margin, 900 + 2 * margin);
    let [wood, edge, grain] = [Ink::Wood, Ink::Edge, Ink::Grain].map(|ink| colors.of(ink));
    // The grain stays within the board: it runs from 6 units inside the left edge to the right one.
    let (start, run) = (x + 6, width - 12);
    let mut lines = String::new();
    for row in 0..9 {
        let y = 40 + 103 * row - 5 * (row % 3);
        let bend = 14 + 7 * (row * 5 % 4);
        let _ = write!(lines, "M{start} {y}q{} {bend} {} 0t{} 0", run / 4, run / 2, run / 2);
    }
    format!(
        "<rect x=\"{x}\" y=\"{x}\" width=\"{width}\" height=\"{height}\" rx=\"14\" fill=\"{edge}\"/>\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"10\" fill=\"{wood}\"/>\
         <path d=\"{lines}\" fill=\"none\" stroke=\"{grain}\" stroke-width=\"5\" opacity=\".4\"/>",
        x + 5,
        x + 5,
        width - 10,
        height - 10
    )
}

/// Returns the lines and the point marks.
pub(super) fn grid(colors: Colors) -> String {
    let color = colors.of(Ink::Grid);
    let mut lines = String::new();
    for row in 1..9 {
        let _ = write!(lines, "M0 {}H800", 100 * row);
    }
    for column in 1..8 {
        let _ = write!(lines, "M{0} 0V400M{0} 500V900", 100 * column);
    }
    lines += "M300 0L500 200M500 0L300 200M300 700L500 900M500 700L300 900";
    let mut marks = String::new();
    for (column, row) in MARKED_POINTS {
        for (side, beyond) in [(-1, column == 0), (1, column == 8)] {
            for direction in [-1, 1] {
                if !beyond {
                    let (x, y) = (100 * column + 9 * side, 100 * row + 9 * direction);
                    let (dx, dy) = (17 * side, 17 * direction);
                    let _ = write!(marks, "M{} {y}H{x}V{}", x + dx, y + dy);
                }
            }
        }
    }
    format!(
        "<g fill=\"none\" stroke=\"{color}\" stroke-linecap=\"round\">\
         <path d=\"{lines}\" stroke-width=\"2.6\"/>\
         <path d=\"{marks}\" stroke-width=\"2.6\"/>\
         <path d=\"M0 0H800V900H0Z\" stroke-width=\"3.4\"/>\
         <path d=\"M-10 -10H810V910H-10Z\" stroke-width=\"5\" stroke-linejoin=\"miter\"/></g>"
    )
}

/// Returns the four characters of the river, as [`river_text`] has them.
pub(super) fn river(set: PieceSet, colors: Colors) -> String {
    let color = colors.of(Ink::River);
    let mut drawing = String::new();
    for (character, x) in river_text(set).into_iter().zip(RIVER) {
        if let Some(glyph) = glyph(GlyphStyle::Kai, character) {
            let path = glyph.path;
            let _ = write!(
                drawing,
                "<path transform=\"translate({x} 450) scale(.066)\" fill=\"{color}\" d=\"{path}\"/>"
            );
        }
    }
    drawing
}

/// Returns the name of the river, the border of Chu and Han.
pub(super) const fn river_text(set: PieceSet) -> [char; 4] {
    match set {
        PieceSet::Simplified => ['楚', '河', '汉', '界'],
        PieceSet::Chinese
        | PieceSet::Filled
        | PieceSet::Lettered
        | PieceSet::Latin
        | PieceSet::Symbols => ['楚', '河', '漢', '界'],
    }
}
