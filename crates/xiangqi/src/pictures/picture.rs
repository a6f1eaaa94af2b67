//! The content of a picture, independent of its format.

use crate::board::{Board, Move};
use crate::geometry::Square;

use super::{Arrow, CoordinateStyle, Mark, PieceSet, Theme};

/// A board with its pieces, arrows and marks.
///
/// ```
/// use xiangqi::pictures::{TextStyle, svg, text};
/// use xiangqi::{BoardPicture, Position};
///
/// let mut picture = BoardPicture::new(Position::startpos().board().clone());
/// picture.last_move = "h2e2".parse().ok();
/// picture.arrows.push("b9c7".parse()?);
/// assert!(svg(&picture).starts_with("<svg"));
/// assert!(text(&picture, TextStyle::Ascii).contains('R'));
/// # Ok::<(), xiangqi::pictures::ParseAnnotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BoardPicture {
    /// The pieces and the side to move.
    pub board: Board,
    /// The last move; its two squares are marked.
    pub last_move: Option<Move>,
    /// Arrows, drawn in this order.
    pub arrows: Vec<Arrow>,
    /// Marked squares.
    pub marks: Vec<Mark>,
    /// True if Black is below.
    pub flipped: bool,
    /// The signs on the discs.
    pub pieces: PieceSet,
    /// The names at the edges.
    pub coordinates: CoordinateStyle,
    /// The colours.
    pub theme: Theme,
}

impl BoardPicture {
    /// Returns the board alone, with Red below and everything else as by default.
    pub fn new(board: Board) -> BoardPicture {
        BoardPicture {
            board,
            last_move: None,
            arrows: Vec::new(),
            marks: Vec::new(),
            flipped: false,
            pieces: PieceSet::default(),
            coordinates: CoordinateStyle::default(),
            theme: Theme::default(),
        }
    }

    /// Returns the column (0 to 8, from the left) and the row (0 to 9, from the top) of a square.
    pub(super) fn cell(&self, square: Square) -> (u8, u8) {
        cell(square, self.flipped)
    }

    /// Returns the point of a square in units.
    pub(super) fn point(&self, square: Square) -> (i32, i32) {
        let (column, row) = self.cell(square);
        (100 * i32::from(column), 100 * i32::from(row))
    }

    /// Returns the square in a column and row.
    pub(super) fn square_at(&self, column: u8, row: u8) -> Option<Square> {
        Square::new(column, row).map(|cell| seen(cell, self.flipped))
    }
}

/// Returns the column and the row of a square on a board that may be flipped.
pub(super) fn cell(square: Square, flipped: bool) -> (u8, u8) {
    let cell = seen(square, flipped);
    (cell.file(), cell.rank())
}

/// Returns the square whose file and rank are the column and the row of this one; also the reverse.
fn seen(square: Square, flipped: bool) -> Square {
    if flipped { square.mirror() } else { square.flip() }
}
