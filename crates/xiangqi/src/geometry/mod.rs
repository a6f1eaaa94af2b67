//! Geometry of the board: squares, sets of squares, pieces, and attacks given the occupied squares,
//! without positions and rules of play.
//!
//! ```
//! use xiangqi::geometry::{cannon_attacks, knight_attacks, rook_attacks};
//! use xiangqi::{Bitboard, Position};
//!
//! let occupied = Position::startpos().occupied();
//! let knight_moves: Bitboard = ["a2".parse()?, "c2".parse()?].into_iter().collect();
//! assert_eq!(knight_attacks("b0".parse()?, occupied), knight_moves); // the bishop c0 blocks the leg
//! assert!(cannon_attacks("h2".parse()?, occupied).contains("h9".parse()?)); // over the cannon h7
//! assert_eq!(rook_attacks("a0".parse()?, occupied).len(), 4);
//! # Ok::<(), xiangqi::geometry::ParseSquareError>(())
//! ```

mod attacks;
mod bitboard;
mod lines;
mod piece;
mod square;

pub use attacks::{
    advisor_attacks, bishop_attacks, bishop_eye, king_attacks, knight_attackers, knight_attacks,
    knight_leg, pawn_attackers, pawn_attacks,
};
pub use bitboard::{Bitboard, Squares};
pub use lines::{
    LineAttacks, between, cannon_attacks, line_attacks, lines_of, quiet_line_moves, rook_attacks,
};
pub use piece::{Color, ParseColorError, ParsePieceError, ParsePieceKindError, Piece, PieceKind};
pub use square::{ParseSquareError, Square};
