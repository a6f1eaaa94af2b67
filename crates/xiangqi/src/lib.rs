//! Xiangqi (Chinese chess) for programs of any kind: servers, viewers, tools, engines.
//!
//! | to | use |
//! |---|---|
//! | set up a position, list and make moves | [`Position`], [`Move`], [`Square`], [`Piece`], [`Color`] |
//! | judge a game as it is played | [`Referee`], with [`Regulations`] and a [`RuleSet`] |
//! | judge all repetitions of a game, explain one | [`judge_game`], [`rules::explanation::explain`] |
//! | read and write moves: ICCS, UCI, WXF, Chinese, algebraic | [`notation::read`], [`notation::write`] |
//! | read and write game files: PGN, XQF, DhtmlXQ, CBR, CBF | [`records::read`], [`records::write`], [`Game`] |
//! | draw the board: SVG, PNG, text, a board for pages | [`BoardPicture`], [`pictures::svg`] |
//! | generate attacks, count perft, search | [`Bitboard`], [`geometry`], [`perft`], [`rules::search::History`] |
//!
//! ```
//! use xiangqi::{Notation, Position, notation};
//!
//! let mut position = Position::startpos();
//! let mv = notation::read(&position, "炮二平五")?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(notation::write(&position, mv, Notation::Wxf), "C2=5");
//! position.make(mv);
//! assert_eq!(position.legal_moves().len(), 45);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Layers
//!
//! Each module uses only those below it; all code is safe Rust.
//!
//! ```text
//! records      game files: PGN, XQF, DhtmlXQ, CBR, CBL, CBF
//! pictures     the board as SVG, PNG and text, and the board of pages
//! notation     ICCS, UCI, WXF, Chinese and algebraic <-> Move
//! rules        repetition judge, rule sets, results; explanations; the part for engines
//! board        Board, Position, Move, FEN, move generation
//! geometry     Square, Bitboard, Piece, attacks
//! text_form    serialization of values as texts
//! ```
//!
//! # Features
//!
//! | feature | brings | dependencies |
//! |---|---|---|
//! | `records` (default) | game files | `encoding_rs`, `html-escape`, `roxmltree` |
//! | `pictures` (default) | SVG and text | none |
//! | `png` | PNG | `resvg` |
//! | `serde` | values as their texts, rulings with their reasons | `serde` |
#![forbid(unsafe_code)]
#![deny(missing_docs)]
// Input of any kind is an error, not a panic; tests fail by panics.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::exit))]
// What only the library needs, not its tests.
#![warn(unreachable_pub, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod board;
pub mod geometry;
pub mod notation;
#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(feature = "records")]
pub mod records;
pub mod rules;
mod text_form;

pub use board::{Board, Move, MoveError, MoveList, Position, START_FEN, perft};
pub use geometry::{Bitboard, Color, Piece, PieceKind, Square};
pub use notation::Notation;
#[cfg(feature = "pictures")]
pub use pictures::BoardPicture;
#[cfg(feature = "records")]
pub use records::Game;
pub use rules::{
    GameLoop, GameResult, LoopRuling, Outcome, Referee, Regulations, RuleSet, Wdl, judge_game,
};

/// Runs the program of the README.
#[cfg(all(doctest, feature = "pictures", feature = "records"))]
#[doc = include_str!("../README.md")]
struct Readme;
