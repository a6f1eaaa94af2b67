//! The symbols that a page builds its boards of, so that they look as the pictures do.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::geometry::Piece;

use super::arrows::{arrow_head, last_move, mark};
use super::colors::{Colors, DESIGN};
use super::coordinates::coordinates;
use super::discs::{Outlines, characters, disc, outline_id};
use super::glyphs::glyph;
use super::grid::{MARGIN, MARGIN_WITH_COORDINATES, grid, river, wood};
use super::svg::piece_id;
use super::{ArrowKind, CoordinateStyle, MarkKind, PieceSet};

/// Pieces and names at the edges that a sheet has.
#[derive(Clone, Copy, Debug)]
pub struct SheetParts<'a> {
    /// Sets of pieces.
    pub sets: &'a [PieceSet],
    /// Styles of the names at the edges, each for both orientations.
    pub coordinates: &'a [CoordinateStyle],
}

impl SheetParts<'_> {
    /// Everything that a board can show.
    pub const ALL: SheetParts<'static> =
        SheetParts { sets: &PieceSet::ALL, coordinates: &CoordinateStyle::ALL };
}

/// Returns an invisible SVG element with the symbols that `assets/board.js` uses, to be put once
/// into the body of a page. Colours are the variables of [`theme_styles`].
///
/// | id | drawing, its centre (boards: the point `a9`) at the origin |
/// |---|---|
/// | `xq-board`, `xq-board-wide` | the empty board, without and with space for names at the edges |
/// | `xq-river`, `xq-river-simplified` | its river, for all pieces but simplified ones and for those |
/// | `xq-coordinates-STYLE`, `..-flipped` | the names at the edges, with Red or Black below |
/// | `xq-SET-red-rook`, .. | the pieces |
/// | `xq-kai-帥`, `xq-serif-K`, .. | the outlines of their characters |
/// | `xq-last-move` | a square of the last move |
/// | `xq-mark-KIND` | a marked square |
/// | `xq-head-KIND` | the head of an arrow that points to the right, its tip at the origin |
pub fn symbol_sheet(parts: SheetParts<'_>) -> String {
    sheet(&elements(parts))
}

/// Returns the rest of [`SheetParts::ALL`], for a page that has a sheet of `parts` and may need
/// more later.
pub fn remaining_sheet(parts: SheetParts<'_>) -> String {
    let present: HashSet<_> = elements(parts).into_iter().map(|(id, _)| id).collect();
    let mut lacking = elements(SheetParts::ALL);
    lacking.retain(|(id, _)| !present.contains(id));
    sheet(&lacking)
}

/// Returns the ids and the elements of a sheet, outlines of characters first.
fn elements(parts: SheetParts<'_>) -> Vec<(String, String)> {
    let SheetParts { sets, coordinates } = parts;
    let mut elements = Vec::new();
    let mut written = HashSet::new();
    for (style, character) in sets.iter().flat_map(|&set| characters(set)) {
        if let Some(glyph) = glyph(style, character)
            && written.insert((style, character))
        {
            let id = outline_id(style, character);
            let element = format!("<path id=\"{id}\" d=\"{}\"/>", glyph.path);
            elements.push((id, element));
        }
    }
    let symbols = symbols(sets, coordinates).into_iter().map(|(name, drawing)| {
        let id = format!("xq-{name}");
        let element = format!("<g id=\"{id}\">{drawing}</g>");
        (id, element)
    });
    elements.extend(symbols);
    elements
}

/// Returns the names, without the prefix, and the drawings of symbols.
fn symbols(sets: &[PieceSet], styles: &[CoordinateStyle]) -> Vec<(String, String)> {
    let colors = Colors::Variables;
    let mut symbols: Vec<(String, String)> = Vec::new();
    for (id, margin, has_names) in
        [("board", MARGIN, false), ("board-wide", MARGIN_WITH_COORDINATES, true)]
    {
        if styles.iter().any(|&style| (style != CoordinateStyle::None) == has_names) {
            symbols.push((id.to_owned(), wood(colors, margin) + &grid(colors)));
        }
    }
    for &style in styles {
        for (flipped, ending) in [(false, ""), (true, "-flipped")] {
            let drawing = coordinates(style, flipped, colors);
            symbols.push((format!("coordinates-{style}{ending}"), drawing));
        }
    }
    for (name, is_simplified) in [("river", false), ("river-simplified", true)] {
        let set = sets.iter().find(|&&set| (set == PieceSet::Simplified) == is_simplified);
        symbols.extend(set.map(|&set| (name.to_owned(), river(set, colors))));
    }
    for &set in sets {
        for piece in Piece::all() {
            symbols.push((
                format!("{set}-{}", piece_id(piece)),
                disc(piece, set, colors, Outlines::Shared),
            ));
        }
    }
    symbols.push(("last-move".to_owned(), last_move(colors)));
    for kind in MarkKind::ALL {
        symbols.push((format!("mark-{kind}"), mark(kind, colors)));
    }
    for kind in ArrowKind::ALL {
        symbols.push((format!("head-{kind}"), arrow_head(kind, colors)));
    }
    symbols
}

fn sheet(elements: &[(String, String)]) -> String {
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"xq-sheet\" width=\"0\" height=\"0\" \
         aria-hidden=\"true\" focusable=\"false\"><defs>\n",
    );
    for (_, element) in elements {
        let _ = writeln!(text, "{element}");
    }
    text += "</defs></svg>\n";
    text
}

/// Returns the CSS of colours, type and spacing: light and dark as the system is set, and either
/// one where the document element has the class `xq-light` or `xq-dark`. The attribute `data-board`
/// (the name of a [`Theme`](super::Theme)) of the document element, or of one around a board,
/// chooses the colours of boards alone.
pub const fn theme_styles() -> &'static str {
    DESIGN
}
