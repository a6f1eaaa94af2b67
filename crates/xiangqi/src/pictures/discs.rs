//! The pieces as discs. Black's discs have a heavy rim, Red's a thin ring, so that the sides differ
//! without colour too.

use crate::geometry::{Color, Piece, PieceKind};

use super::PieceSet;
use super::colors::{Colors, Ink};
use super::glyphs::{GlyphStyle, glyph};
use super::icons::icon;

/// The drawing of a piece with its centre at the origin; 45 is the radius of the disc.
pub(super) fn disc(piece: Piece, set: PieceSet, colors: Colors) -> String {
    let ink = match piece.color() {
        Color::Red => colors.of(Ink::Red),
        Color::Black => colors.of(Ink::Black),
    };
    let [face, rim, shadow] = [Ink::Disc, Ink::Rim, Ink::Shadow].map(|ink| colors.of(ink));
    let ring = match piece.color() {
        Color::Red => {
            format!("<circle r=\"37.5\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2\"/>")
        }
        Color::Black => {
            format!("<circle r=\"39.2\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"5.6\"/>")
        }
    };
    format!(
        "<circle cy=\"3.5\" r=\"45.5\" fill=\"{shadow}\" opacity=\".28\"/>\
         <circle r=\"45\" fill=\"{rim}\"/><circle r=\"43\" fill=\"{face}\"/>{ring}{}",
        face_of(piece, set, &ink)
    )
}

fn face_of(piece: Piece, set: PieceSet, ink: &str) -> String {
    let (style, character, scale) = match set {
        PieceSet::Symbols => return icon(piece.kind(), ink),
        PieceSet::Latin => (GlyphStyle::Serif, piece.kind().wxf_letter(), ".066"),
        PieceSet::Chinese => (GlyphStyle::Kai, traditional(piece), ".056"),
        PieceSet::Simplified => (GlyphStyle::Kai, simplified(piece), ".056"),
    };
    let Some(glyph) = glyph(style, character) else { return String::new() };
    // A stroke of the same colour makes the brush characters bolder, which helps at small sizes.
    let weight = if style == GlyphStyle::Kai { 28 } else { 0 };
    format!(
        "<path transform=\"scale({scale})\" fill=\"{ink}\" stroke=\"{ink}\" \
         stroke-width=\"{weight}\" stroke-linejoin=\"round\" d=\"{}\"/>",
        glyph.path
    )
}

/// The character on a disc.
pub(super) const fn traditional(piece: Piece) -> char {
    match (piece.kind(), piece.color()) {
        (PieceKind::King, Color::Red) => '帥',
        (PieceKind::King, Color::Black) => '將',
        (PieceKind::Advisor, Color::Red) => '仕',
        (PieceKind::Advisor, Color::Black) => '士',
        (PieceKind::Bishop, Color::Red) => '相',
        (PieceKind::Bishop, Color::Black) => '象',
        (PieceKind::Knight, Color::Red) => '傌',
        (PieceKind::Knight, Color::Black) => '馬',
        (PieceKind::Rook, Color::Red) => '俥',
        (PieceKind::Rook, Color::Black) => '車',
        (PieceKind::Cannon, Color::Red) => '炮',
        (PieceKind::Cannon, Color::Black) => '砲',
        (PieceKind::Pawn, Color::Red) => '兵',
        (PieceKind::Pawn, Color::Black) => '卒',
    }
}

/// The simplified character on a disc.
pub(super) const fn simplified(piece: Piece) -> char {
    match (piece.kind(), piece.color()) {
        (PieceKind::King, Color::Red) => '帅',
        (PieceKind::King, Color::Black) => '将',
        (PieceKind::Knight, _) => '马',
        (PieceKind::Rook, _) => '车',
        (PieceKind::Cannon, _) => '炮',
        _ => traditional(piece),
    }
}
