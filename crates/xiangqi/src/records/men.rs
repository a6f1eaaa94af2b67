//! The list of 32 men by which XQF and DhtmlXQ give a position: Red's R N B A K A B N R C C P P P P
//! P, then Black's alike, each with its square or off the board.

use crate::board::{Board, Defect, Position};
use crate::geometry::{Color, Piece, PieceKind, Square};

/// The number of men.
pub(super) const COUNT: usize = 32;

/// The kinds of one side's men, in order.
const KINDS: [PieceKind; 16] = [
    PieceKind::Rook,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::King,
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Cannon,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
];

/// Returns the men with the pieces they are.
fn pieces() -> impl Iterator<Item = Piece> {
    Color::ALL.into_iter().flat_map(|color| KINDS.map(|kind| Piece::new(color, kind)))
}

/// Returns the board with the men on these squares.
fn board(squares: &[Option<Square>; COUNT], side: Color) -> Board {
    let mut board = Board::empty();
    for (piece, &square) in pieces().zip(squares) {
        if let Some(square) = square.filter(|&square| board.piece_on(square).is_none()) {
            board.put(piece, square);
        }
    }
    board.set_side(side);
    board
}

/// Returns the start of a game; without a first move to show the side, the other side is tried too.
pub(super) fn start(
    squares: &[Option<Square>; COUNT],
    side: Color,
    is_guess: bool,
) -> Result<Position, Defect> {
    let start = Position::from_recorded_board(board(squares, side), 0);
    let is_sound = start.as_ref().is_ok_and(|start| start.defect().is_none());
    if is_guess && !is_sound {
        Position::from_board(board(squares, !side), 0).or(start)
    } else {
        start
    }
}

/// Returns the squares of the men of a board.
pub(super) fn squares(board: &Board) -> [Option<Square>; COUNT] {
    // The men of the usual start are listed from Red's right, so the right one of a pair is first.
    let mut rest = board.clone();
    let mut squares = [None; COUNT];
    for (slot, piece) in squares.iter_mut().zip(pieces()) {
        let left = rest.pieces(piece.color(), piece.kind());
        let square = match piece.color() {
            Color::Red => left.last(),
            Color::Black => left.first(),
        };
        if let Some(square) = square {
            rest.take(square);
            *slot = Some(square);
        }
    }
    squares
}

/// Returns the side of the man on a square, for formats that do not name the side to move.
pub(super) fn side_of_first_move(
    squares: &[Option<Square>; COUNT],
    from: Option<Square>,
) -> Option<Color> {
    let from = from?;
    let index = squares.iter().position(|&square| square == Some(from))?;
    Some(if index < COUNT / 2 { Color::Red } else { Color::Black })
}
