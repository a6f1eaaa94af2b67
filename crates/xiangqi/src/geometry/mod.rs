//! Geometry of the board: squares, sets of squares, pieces, and attacks given the occupied squares,
//! without positions and rules of play.

mod attacks;
mod bitboard;
mod lines;
mod piece;
mod square;

pub use attacks::{
    advisor_attacks, bishop_attacks, bishop_eye, king_attacks, knight_attackers, knight_attacks,
    knight_leg, pawn_attackers, pawn_attacks,
};
pub use bitboard::Bitboard;
pub use lines::{
    LineAttacks, between, cannon_attacks, line_attacks, lines_of, quiet_line_moves, rook_attacks,
};
pub use piece::{Color, ParseColorError, ParsePieceError, Piece, PieceKind};
pub use square::{ParseSquareError, Square};
