//! A picture as text, with Chinese characters and box-drawing characters or in ASCII.
//!
//! A point of the board takes four columns: a bracket or a line, a piece of two columns (a Chinese
//! character, or a letter and a line), and another bracket or line.

use std::mem;

use crate::geometry::{Color, Piece, Square};

use super::coordinates::CHINESE_NUMERALS;
use super::discs::{simplified, traditional};
use super::grid::river_text;
use super::{BoardPicture, CoordinateStyle, PieceSet};

/// The characters that a board is drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextStyle {
    /// Box-drawing characters; with Chinese pieces, which take two columns.
    Unicode,
    /// ASCII; pieces are the letters of WXF moves, small for Black.
    Ascii,
}

/// The layout of a board as text, made from its style:
///
/// ```
/// use xiangqi::pictures::{TextLayout, TextStyle};
///
/// let mut layout = TextLayout::from(TextStyle::Unicode);
/// layout.is_compact = true;
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TextLayout {
    /// The characters.
    pub style: TextStyle,
    /// True if the lines between the points are left out: 10 lines instead of 19, for terminals
    /// that draw the lines too wide.
    pub is_compact: bool,
    /// True if the files also have their Chinese numbers.
    pub has_chinese_files: bool,
}

impl From<TextStyle> for TextLayout {
    fn from(style: TextStyle) -> TextLayout {
        TextLayout { style, is_compact: false, has_chinese_files: false }
    }
}

/// The kind of a part of the text, for a terminal with colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextPart {
    /// A piece, and whether its square is that of the last move or marked.
    Piece(Color, bool),
    /// Lines, brackets and coordinates.
    Grid,
}

/// Columns between two files.
const WIDTH: usize = 4;

/// Returns the picture as text of 19 lines, with coordinates around it. The last move is between
/// `[` and `]`, marked squares between `(` and `)`, and `○` is the empty square that the last move
/// came from (in ASCII it has brackets too); arrows are not shown.
pub fn text(picture: &BoardPicture, style: TextStyle) -> String {
    painted_text(picture, style.into(), |text, _| text.to_owned())
}

/// Returns the picture as by [`text()`], each part of it changed by `paint`, which adds no columns.
pub fn painted_text(
    picture: &BoardPicture,
    layout: TextLayout,
    paint: impl Fn(&str, TextPart) -> String,
) -> String {
    let mut canvas = Canvas { text: String::new(), grid: String::new(), paint };
    for line in file_names(picture, layout, true) {
        canvas.line(&line);
    }
    for row in 0..Square::RANKS {
        canvas.grid += &format!("{:>2} ", rank_name(picture, row));
        for column in 0..Square::FILES {
            draw_point(&mut canvas, picture, layout, (column, row));
        }
        canvas.end_line();
        if !layout.is_compact && row + 1 < Square::RANKS {
            canvas.line(&format!("   {}", between(picture, layout.style, row)));
        }
    }
    for line in file_names(picture, layout, false) {
        canvas.line(&line);
    }
    canvas.text
}

/// Collects the text.
struct Canvas<P> {
    text: String,
    /// The last part of the line, which is not painted yet.
    grid: String,
    paint: P,
}

impl<P: Fn(&str, TextPart) -> String> Canvas<P> {
    fn piece(&mut self, text: &str, color: Color, is_marked: bool) {
        self.paint_grid();
        self.text += &(self.paint)(text, TextPart::Piece(color, is_marked));
    }

    fn paint_grid(&mut self) {
        let grid = mem::take(&mut self.grid);
        if !grid.is_empty() {
            self.text += &(self.paint)(&grid, TextPart::Grid);
        }
    }

    /// Ends a line, without blanks at its end.
    fn end_line(&mut self) {
        self.grid.truncate(self.grid.trim_end().len());
        self.paint_grid();
        self.text.push('\n');
    }

    fn line(&mut self, grid: &str) {
        self.grid += grid;
        self.end_line();
    }
}

/// Returns a piece or a crossing with the lines beside it.
fn draw_point<P: Fn(&str, TextPart) -> String>(
    canvas: &mut Canvas<P>,
    picture: &BoardPicture,
    layout: TextLayout,
    (column, row): (u8, u8),
) {
    let style = layout.style;
    let square = picture.square_at(column, row);
    let piece = square.and_then(|square| picture.board.piece_on(square));
    let horizontal = match style {
        _ if layout.is_compact => ' ',
        TextStyle::Unicode => '─',
        TextStyle::Ascii => '-',
    };
    let [left, right] =
        [column > 0, column < 8].map(|is_line| if is_line { horizontal } else { ' ' });
    let brackets = square.and_then(|square| brackets(picture, square));
    let Some(piece) = piece else {
        let is_origin = brackets == Some(('[', ']')) && style == TextStyle::Unicode;
        let (opened, closed) = brackets.filter(|_| !is_origin).unwrap_or((left, right));
        let point = if is_origin { '○' } else { crossing(layout, column, row) };
        canvas.grid.extend([opened, point, right, closed]);
        return;
    };
    let (opened, closed) = brackets.unwrap_or((left, right));
    let (character, is_wide) = character(piece, picture.pieces, style);
    canvas.grid.push(opened);
    canvas.piece(&character.to_string(), piece.color(), brackets.is_some());
    if !is_wide {
        canvas.grid.push(right);
    }
    canvas.grid.push(closed);
}

/// Returns the character of a piece, and whether it takes two columns.
fn character(piece: Piece, set: PieceSet, style: TextStyle) -> (char, bool) {
    match (style, set) {
        (TextStyle::Unicode, PieceSet::Chinese | PieceSet::Filled | PieceSet::Lettered) => {
            (traditional(piece), true)
        }
        (TextStyle::Unicode, PieceSet::Simplified) => (simplified(piece), true),
        (TextStyle::Ascii, _) | (_, PieceSet::Latin | PieceSet::Symbols) => {
            let letter = piece.kind().wxf_letter();
            let is_red = piece.color() == Color::Red;
            (if is_red { letter } else { letter.to_ascii_lowercase() }, false)
        }
    }
}

/// Returns the characters on both sides of a point that is marked.
fn brackets(picture: &BoardPicture, square: Square) -> Option<(char, char)> {
    if picture.marks.iter().any(|mark| mark.square == square) {
        Some(('(', ')'))
    } else if picture.last_move.is_some_and(|mv| [mv.from(), mv.to()].contains(&square)) {
        Some(('[', ']'))
    } else {
        None
    }
}

/// Returns an empty point.
fn crossing(layout: TextLayout, column: u8, row: u8) -> char {
    match layout.style {
        TextStyle::Ascii if layout.is_compact => return '.',
        TextStyle::Ascii => return '+',
        TextStyle::Unicode if layout.is_compact => return '·',
        TextStyle::Unicode => {}
    }
    let above = row != 0 && (row != 5 || [0, 8].contains(&column));
    let below = row != 9 && (row != 4 || [0, 8].contains(&column));
    match (column, above, below) {
        (0, false, _) => '┌',
        (0, _, false) => '└',
        (0, ..) => '├',
        (8, false, _) => '┐',
        (8, _, false) => '┘',
        (8, ..) => '┤',
        (_, false, _) => '┬',
        (_, _, false) => '┴',
        _ => '┼',
    }
}

/// Draws the line between a row of points and the next one.
fn between(picture: &BoardPicture, style: TextStyle, row: u8) -> String {
    let has_characters = !matches!(picture.pieces, PieceSet::Latin | PieceSet::Symbols);
    if row == 4 && style == TextStyle::Unicode && has_characters {
        let [a, b, c, d] = river_text(picture.pieces);
        return format!(" │     {a}  {b}         {c}  {d}     │");
    }
    let [vertical, falling, rising] = match style {
        TextStyle::Unicode => ['│', '╲', '╱'],
        TextStyle::Ascii => ['|', '\\', '/'],
    };
    let mut cells = vec![' '; WIDTH * 8 + 2];
    let mut draw = |at: usize, character| {
        if let Some(cell) = cells.get_mut(at) {
            *cell = character;
        }
    };
    for column in 0..9 {
        if row != 4 || column == 0 || column == 8 {
            draw(1 + WIDTH * column, vertical);
        }
    }
    // The diagonals of the palaces run between the files d, e and f.
    let diagonals = match row {
        0 | 7 => [falling, rising],
        1 | 8 => [rising, falling],
        _ => [' ', ' '],
    };
    for (column, character) in [3, 4].into_iter().zip(diagonals) {
        draw(1 + WIDTH * column + WIDTH / 2, character);
    }
    cells.into_iter().collect()
}

fn rank_name(picture: &BoardPicture, row: u8) -> String {
    let rank = picture.square_at(0, row).map_or(0, Square::rank);
    match picture.coordinates {
        CoordinateStyle::FromZero => rank.to_string(),
        CoordinateStyle::FromOne => (rank + 1).to_string(),
        CoordinateStyle::Files | CoordinateStyle::Chinese | CoordinateStyle::None => String::new(),
    }
}

/// Returns the lines of names above or below the board, from above.
fn file_names(picture: &BoardPicture, layout: TextLayout, is_above: bool) -> Vec<String> {
    let is_black = is_above != picture.flipped;
    let chinese = |file: u8| {
        let red = CHINESE_NUMERALS.iter().rev().nth(usize::from(file)).copied();
        if is_black { Some(char::from(b'1' + file)) } else { red }
    };
    let digits = |file: u8| Some(char::from(if is_black { b'1' + file } else { b'9' - file }));
    let latin = |file: u8| Some(char::from(b'a' + file));
    let mut lines = Vec::new();
    let is_latin =
        matches!(picture.coordinates, CoordinateStyle::FromZero | CoordinateStyle::FromOne);
    if is_latin && !is_above {
        lines.push(names_in_line(picture, latin));
    }
    if picture.coordinates == CoordinateStyle::Files {
        lines.push(names_in_line(picture, digits));
    }
    if picture.coordinates == CoordinateStyle::Chinese || layout.has_chinese_files {
        lines.push(names_in_line(picture, chinese));
    }
    lines
}

fn names_in_line(picture: &BoardPicture, name: impl Fn(u8) -> Option<char>) -> String {
    let mut line = String::from("    ");
    for column in 0..Square::FILES {
        let file = if picture.flipped { 8 - column } else { column };
        if let Some(name) = name(file) {
            line.push(name);
            line += if name.is_ascii() { "   " } else { "  " };
        }
    }
    line
}
