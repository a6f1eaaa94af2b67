//! Xiangqi (Chinese chess): positions, legal moves, repetition rules, notations, game files and
//! pictures of the board.
//!
//! ```text
//! records      game files: PGN, XQF, DhtmlXQ, CBR, CBL, CBF
//! pictures     the board as SVG, PNG and text, and the board of pages
//! notation     ICCS, UCI, WXF, Chinese and algebraic <-> Move
//! rules        the repetition judge (WXF), natural-move limit, material draws
//! board        Board, Position, Move, FEN, move generation
//! geometry     Square, Bitboard, Piece, attacks
//! ```

// What only the library needs, not its tests.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::exit))]
#![warn(unreachable_pub, clippy::missing_errors_doc, clippy::missing_panics_doc)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod board;
pub mod geometry;
pub mod notation;
#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(feature = "records")]
pub mod records;
pub mod rules;
