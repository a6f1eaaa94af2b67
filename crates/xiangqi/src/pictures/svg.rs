//! A picture as SVG.

use std::fmt::Write as _;

use crate::geometry::Piece;

use super::arrows::{arrow, arrow_label, last_move, mark, mark_label};
use super::colors::Colors;
use super::coordinates::coordinates;
use super::courses::course;
use super::description::description;
use super::discs::{Outlines, disc};
use super::grid::{MARGIN, MARGIN_WITH_COORDINATES, grid, river, wood};
use super::{BoardPicture, CoordinateStyle};

/// Returns the picture as an SVG document that needs nothing else: no font, no style, no script. A
/// page can hold the text of several pictures: where they share an id, they share its drawing.
pub fn svg(picture: &BoardPicture) -> String {
    let colors = Colors::Fixed(picture.theme);
    let margin = match picture.coordinates {
        CoordinateStyle::None => MARGIN,
        _ => MARGIN_WITH_COORDINATES,
    };
    let (width, height) = (800 + 2 * margin, 900 + 2 * margin);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{margin} -{margin} {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>Xiangqi board, {} to move</title>\n\
         <desc>{}</desc>\n",
        picture.board.side(),
        description(picture)
    );
    let id = |piece| format!("xq-{}-{}-{}", picture.pieces, picture.theme, piece_id(piece));
    let _ = writeln!(text, "<defs>");
    for piece in Piece::all() {
        let is_used = !picture.board.pieces(piece.color(), piece.kind()).is_empty();
        if is_used {
            let drawing = disc(piece, picture.pieces, colors, Outlines::Inline);
            let _ = writeln!(text, "<g id=\"{}\">{drawing}</g>", id(piece));
        }
    }
    let _ = writeln!(
        text,
        "</defs>\n{}\n{}\n{}{}",
        wood(colors, margin),
        coordinates(picture.coordinates, picture.flipped, colors),
        grid(colors),
        river(picture.pieces, colors)
    );
    if let Some(mv) = picture.last_move {
        for square in [mv.from(), mv.to()] {
            let (x, y) = picture.point(square);
            let drawing = last_move(colors);
            let _ = writeln!(text, "<g transform=\"translate({x} {y})\">{drawing}</g>");
        }
    }
    for (square, piece) in picture.board.iter() {
        let ((x, y), id) = (picture.point(square), id(piece));
        let _ = writeln!(text, "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\"/>");
    }
    write_annotations(&mut text, picture, colors);
    text += "</svg>\n";
    text
}

fn write_annotations(text: &mut String, picture: &BoardPicture, colors: Colors) {
    for shown in &picture.marks {
        let (x, y) = picture.point(shown.square);
        let drawing = mark(shown.kind, colors);
        let _ = writeln!(text, "<g transform=\"translate({x} {y})\">{drawing}</g>");
    }
    let courses: Vec<_> =
        picture.arrows.iter().map(|shown| (shown, course(picture, shown))).collect();
    for (shown, course) in &courses {
        let _ = writeln!(text, "{}", arrow(shown.kind, course, colors));
    }
    // Labels are on top of everything.
    for shown in &picture.marks {
        *text += &mark_label(&shown.label, shown.kind, picture.point(shown.square), colors);
    }
    for (shown, course) in &courses {
        *text += &arrow_label(&shown.label, shown.kind, course, colors);
    }
}

/// Returns the part of an id that names a piece, such as `red-rook`.
pub(super) fn piece_id(piece: Piece) -> String {
    format!("{}-{}", piece.color(), piece.kind())
}
