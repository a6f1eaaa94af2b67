//! A picture as text, with Chinese characters and box-drawing characters or in ASCII.

use crate::geometry::{Piece, Square};

use super::coordinates::CHINESE_NUMERALS;
use super::discs::{simplified, traditional};
use super::{BoardPicture, CoordinateStyle, PieceSet};

/// The characters that a board is drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextStyle {
    /// Box-drawing characters; with Chinese pieces, which take two columns.
    Unicode,
    /// ASCII; pieces are the letters of FEN.
    Ascii,
}

/// Columns between two files.
const WIDTH: usize = 4;

/// The picture as text of 19 lines, with coordinates around it. The last move is between `[` and `]`,
/// marked squares between `(` and `)`; arrows are not shown.
pub fn text(picture: &BoardPicture, style: TextStyle) -> String {
    let mut text = file_names(picture, true);
    for row in 0..Square::RANKS {
        let label = rank_name(picture, row);
        text += &format!("{label:>2} {}\n", points(picture, style, row));
        if row + 1 < Square::RANKS {
            text += &format!("   {}\n", between(style, row));
        }
    }
    text += &file_names(picture, false);
    text
}

/// A row of points with the lines between them.
fn points(picture: &BoardPicture, style: TextStyle, row: u8) -> String {
    let horizontal = if style == TextStyle::Unicode { '─' } else { '-' };
    let mut text = String::new();
    for column in 0..Square::FILES {
        let square = picture.square_at(column, row);
        let piece = square.and_then(|square| picture.board.piece_on(square));
        let brackets = square.and_then(|square| brackets(picture, square));
        let [left, right] =
            [column > 0, column < 8].map(|is_line| if is_line { horizontal } else { ' ' });
        let (opened, closed) = brackets.unwrap_or((left, right));
        text.push(opened);
        match (style, piece) {
            (TextStyle::Unicode, Some(piece)) if is_chinese(picture.pieces) => {
                text.push(chinese(piece, picture.pieces));
            }
            (_, piece) => {
                text.push(piece.map_or_else(|| crossing(style, column, row), Piece::letter));
                text.push(right);
            }
        }
        text.push(closed);
    }
    text.truncate(text.trim_end().len());
    text
}

const fn is_chinese(set: PieceSet) -> bool {
    matches!(set, PieceSet::Chinese | PieceSet::Simplified)
}

const fn chinese(piece: Piece, set: PieceSet) -> char {
    match set {
        PieceSet::Simplified => simplified(piece),
        _ => traditional(piece),
    }
}

/// The characters on both sides of a point that is marked.
fn brackets(picture: &BoardPicture, square: Square) -> Option<(char, char)> {
    if picture.marks.iter().any(|mark| mark.square == square) {
        Some(('(', ')'))
    } else if picture.last_move.is_some_and(|mv| [mv.from(), mv.to()].contains(&square)) {
        Some(('[', ']'))
    } else {
        None
    }
}

/// An empty point.
fn crossing(style: TextStyle, column: u8, row: u8) -> char {
    if style == TextStyle::Ascii {
        return '+';
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

/// What is drawn between a row of points and the next one.
fn between(style: TextStyle, row: u8) -> String {
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
    cells.into_iter().collect::<String>().trim_end().to_owned()
}

fn rank_name(picture: &BoardPicture, row: u8) -> String {
    let rank = picture.square_at(0, row).map_or(0, Square::rank);
    match picture.coordinates {
        CoordinateStyle::FromZero => rank.to_string(),
        CoordinateStyle::FromOne => (rank + 1).to_string(),
        CoordinateStyle::Chinese | CoordinateStyle::None => String::new(),
    }
}

/// The names of the files above or below the board, with the end of the line.
fn file_names(picture: &BoardPicture, above: bool) -> String {
    let is_black = above != picture.flipped;
    let mut text = String::from("    ");
    for column in 0..Square::FILES {
        let file = if picture.flipped { 8 - column } else { column };
        let name = match picture.coordinates {
            CoordinateStyle::FromZero | CoordinateStyle::FromOne if !above => {
                char::from(b'a' + file)
            }
            CoordinateStyle::Chinese if is_black => char::from(b'1' + file),
            CoordinateStyle::Chinese => {
                CHINESE_NUMERALS.iter().rev().nth(usize::from(file)).copied().unwrap_or(' ')
            }
            _ => return String::new(),
        };
        text.push(name);
        text += if name.is_ascii() { "   " } else { "  " };
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}
