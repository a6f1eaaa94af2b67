//! The symbols that a page builds its boards of, so that they look as the pictures do.

use std::fmt::Write as _;

use crate::geometry::Piece;

use super::arrows::{arrow_head, last_move, mark};
use super::colors::{Colors, declarations};
use super::coordinates::coordinates;
use super::discs::disc;
use super::grid::{MARGIN, MARGIN_WITH_COORDINATES, grid, wood};
use super::svg::piece_id;
use super::{ArrowKind, CoordinateStyle, MarkKind, PieceSet, Theme};

/// An invisible SVG element with the symbols that `assets/board.js` uses, to be put once into the body
/// of a page. Colours are the variables of [`theme_styles`].
///
/// | id | drawing, its centre (boards: the point `a9`) at the origin |
/// |---|---|
/// | `xq-board`, `xq-board-wide` | the empty board; wide: with space for coordinates |
/// | `xq-coordinates-STYLE`, `..-flipped` | the names at the edges, with Red or Black below |
/// | `xq-SET-red-rook`, .. | the pieces of the given sets |
/// | `xq-last-move` | a square of the last move |
/// | `xq-mark-KIND` | a marked square |
/// | `xq-head-KIND` | the head of an arrow that points to the right, its tip at the origin |
pub fn symbol_sheet(sets: &[PieceSet]) -> String {
    let colors = Colors::Variables;
    let mut symbols: Vec<(String, String)> = Vec::new();
    for (id, margin) in [("board", MARGIN), ("board-wide", MARGIN_WITH_COORDINATES)] {
        symbols.push((id.to_owned(), wood(colors, margin) + &grid(colors)));
    }
    for style in CoordinateStyle::ALL {
        for (flipped, ending) in [(false, ""), (true, "-flipped")] {
            let drawing = coordinates(style, flipped, colors);
            symbols.push((format!("coordinates-{style}{ending}"), drawing));
        }
    }
    for &set in sets {
        for piece in Piece::all() {
            symbols.push((format!("{set}-{}", piece_id(piece)), disc(piece, set, colors)));
        }
    }
    symbols.push(("last-move".to_owned(), last_move(colors)));
    for kind in MarkKind::ALL {
        symbols.push((format!("mark-{kind}"), mark(kind, colors)));
    }
    for kind in ArrowKind::ALL {
        symbols.push((format!("head-{kind}"), arrow_head(kind, colors)));
    }
    let mut text = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"xq-sheet\" width=\"0\" height=\"0\" \
         aria-hidden=\"true\" focusable=\"false\"><defs>\n",
    );
    for (id, drawing) in symbols {
        let _ = writeln!(text, "<g id=\"xq-{id}\">{drawing}</g>");
    }
    text += "</defs></svg>\n";
    text
}

/// The CSS of the colours: light, dark where the system is set so, and either one where the document
/// element has the class `xq-light` or `xq-dark`.
pub fn theme_styles() -> String {
    let [light, dark] = [Theme::Light, Theme::Dark].map(declarations);
    format!(
        ":root{{{light}}}\n\
         @media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n\
         :root.xq-light{{{light}}}\n:root.xq-dark{{{dark}}}\n"
    )
}
