//! The pieces as discs. Black's discs have a heavy rim, Red's a thin ring, so that the sides differ
//! without colour too.

use crate::geometry::{Color, Piece, PieceKind};

use super::PieceSet;
use super::colors::{Colors, Ink};
use super::glyphs::{GlyphStyle, glyph};
use super::icons::icon;

/// The source of the outlines of characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outlines {
    /// They are part of the drawing.
    Inline,
    /// They are symbols of the same document, with the id [`outline_id`].
    Shared,
}

/// Returns the id of a character of the sheet.
pub(super) fn outline_id(style: GlyphStyle, character: char) -> String {
    format!("xq-{}-{character}", if style == GlyphStyle::Kai { "kai" } else { "serif" })
}

/// Returns the drawing of a piece with its centre at the origin; 45 is the radius of the disc.
pub(super) fn disc(piece: Piece, set: PieceSet, colors: Colors, outlines: Outlines) -> String {
    let ink = match piece.color() {
        Color::Red => colors.of(Ink::Red),
        Color::Black => colors.of(Ink::Black),
    };
    let [light, rim, shadow] = [Ink::Disc, Ink::Rim, Ink::Shadow].map(|ink| colors.of(ink));
    let (face, text) = match set {
        PieceSet::Filled => (&ink, &light),
        _ => (&light, &ink),
    };
    let ring = match piece.color() {
        Color::Red => {
            format!("<circle r=\"37.5\" fill=\"none\" stroke=\"{text}\" stroke-width=\"2\"/>")
        }
        Color::Black => {
            format!("<circle r=\"39.2\" fill=\"none\" stroke=\"{text}\" stroke-width=\"5.6\"/>")
        }
    };
    format!(
        "<circle cy=\"3.5\" r=\"45.5\" fill=\"{shadow}\" opacity=\".28\"/>\
         <circle r=\"45\" fill=\"{rim}\"/><circle r=\"43\" fill=\"{face}\"/>{ring}{}",
        face_of(piece, set, text, outlines)
    )
}

fn face_of(piece: Piece, set: PieceSet, ink: &str, outlines: Outlines) -> String {
    let letter = piece.kind().wxf_letter();
    let character = |transform, style, character| {
        outline(style, character, &format!("transform=\"{transform}\""), ink, outlines)
    };
    match set {
        PieceSet::Symbols => icon(piece.kind(), ink),
        PieceSet::Latin => character("scale(.066)", GlyphStyle::Serif, letter),
        PieceSet::Chinese | PieceSet::Filled => {
            character("scale(.056)", GlyphStyle::Kai, traditional(piece))
        }
        PieceSet::Simplified => character("scale(.056)", GlyphStyle::Kai, simplified(piece)),
        PieceSet::Lettered => {
            character("translate(0 -8) scale(.045)", GlyphStyle::Kai, traditional(piece))
                + &character("translate(0 24) scale(.025)", GlyphStyle::Serif, letter)
        }
    }
}

fn outline(
    style: GlyphStyle,
    character: char,
    transform: &str,
    ink: &str,
    outlines: Outlines,
) -> String {
    let Some(glyph) = glyph(style, character) else { return String::new() };
    let (tag, reference) = match outlines {
        Outlines::Inline => ("path", format!("d=\"{}\"", glyph.path)),
        Outlines::Shared => ("use", format!("href=\"#{}\"", outline_id(style, character))),
    };
    // A stroke of the same colour makes the brush characters bolder, which helps at small sizes.
    let weight = if style == GlyphStyle::Kai { 28 } else { 0 };
    format!(
        "<{tag} {transform} fill=\"{ink}\" stroke=\"{ink}\" stroke-width=\"{weight}\" \
         stroke-linejoin=\"round\" {reference}/>"
    )
}

/// Returns the characters that the discs of a set show.
pub(super) fn characters(set: PieceSet) -> Vec<(GlyphStyle, char)> {
    let letters = Piece::all().map(|piece| (GlyphStyle::Serif, piece.kind().wxf_letter()));
    let kai = |character: fn(Piece) -> char| {
        Piece::all().map(move |piece| (GlyphStyle::Kai, character(piece)))
    };
    match set {
        PieceSet::Symbols => Vec::new(),
        PieceSet::Latin => letters.collect(),
        PieceSet::Simplified => kai(simplified).collect(),
        PieceSet::Chinese | PieceSet::Filled => kai(traditional).collect(),
        PieceSet::Lettered => kai(traditional).chain(letters).collect(),
    }
}

/// Returns the character on a disc.
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

/// Returns the simplified character on a disc.
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
