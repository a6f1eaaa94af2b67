//! The rules of xiangqi (Chinese chess), for servers, viewers, tools and engines.
//!
//! | to | use |
//! |---|---|
//! | set up a position, list and make moves | [`Position`], [`Move`], [`Square`], [`Piece`], [`Color`] |
//! | judge a game as it is played | [`Referee`], with [`Regulations`] and a [`RuleSet`] |
//! | judge all repetitions of a game, explain one | [`judge_game`], [`rules::explanation::explain`] |
//! | read and write moves: ICCS, UCI, WXF, Chinese, algebraic | [`notation::read`], [`notation::write`] |
//! | read and write game files: PGN, XQF, DhtmlXQ, CBR, CBF, WXF | [`records::read`], [`records::write`], [`Game`], [`records::Cursor`] |
//! | draw the board: SVG, PNG, text, a board for pages | [`BoardPicture`], [`pictures::svg`] |
//! | generate attacks, count perft, search | [`Bitboard`], [`geometry`], [`perft`], [`rules::search::GameHistory`] |
//!
//! ```
//! use xiangqi::{Notation, Position, notation};
//!
//! let mut position = Position::startpos();
//! let mv = notation::read(&position, "炮二平五")?;
//! assert_eq!(mv.to_string(), "h2e2");
//! assert_eq!(notation::write(&position, mv, Notation::Wxf), "C2=5");
//! position.play(mv)?;
//! assert_eq!(position.legal_moves().len(), 45);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tour
//!
//! A [`Referee`] follows a game and reports its end; [`explain`](rules::explanation::explain) gives
//! the reasons of a ruling, with the articles and diagrams of the rule book:
//!
//! ```
//! use xiangqi::rules::explanation::{Language, explain};
//! use xiangqi::{Color, Position, Referee, Regulations, RuleSet, notation};
//!
//! let start = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")?;
//! let moves = ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"];
//! let mut referee = Referee::new(start.clone(), Regulations::default());
//! let mut outcome = None;
//! for mv in notation::read_moves(&start, &moves)? {
//!     outcome = referee.play(mv)?;
//! }
//! assert_eq!(outcome.and_then(|end| end.winner), Some(Color::Black));
//!
//! let explanation = explain(referee.position(), RuleSet::Wxf).ok_or("no repetition")?;
//! let reason = Language::English.reason(&explanation.reasons[0], RuleSet::Wxf);
//! assert!(reason.starts_with("Red: perpetual check loses (WXF 2018, article 20"), "{reason}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A game file of any kind is read as [`Game`]s: trees of moves with comments and tags. A
//! [`BoardPicture`] draws a position:
//!
//! ```
//! # #[cfg(all(feature = "pictures", feature = "records"))] {
//! use xiangqi::{BoardPicture, Notation, notation, pictures, records};
//!
//! let file = "1. 炮二平五 马８进７ {屏风马} 2. 马二进三 *";
//! let game = &records::read(file.as_bytes()).games[0];
//! let moves = notation::write_line(game.start(), &game.moves(), Notation::Wxf);
//! assert_eq!(moves, ["C2=5", "H8+7", "H2+3"]);
//!
//! let mut picture = BoardPicture::new(game.last_position().board().clone());
//! picture.last_move = game.moves().last().copied();
//! assert!(pictures::svg(&picture).starts_with("<svg"));
//! # }
//! ```
//!
//! # Layers
//!
//! Each module uses only those below it; all code is safe Rust.
//!
//! ```text
//! records      game files: PGN, XQF, DhtmlXQ, CBR, CBL, CBF, WXF
//! pictures     the board as SVG, PNG and text, and the board of pages
//! rules        repetition judge, rule sets, results; explanations; the part for engines
//! notation     ICCS, UCI, WXF, Chinese and algebraic <-> Move
//! board        Board, Position, Move, FEN, move generation
//! geometry     Square, Bitboard, Piece, attacks
//! text_form    serialization of values as texts
//! ```
//!
//! # Features
//!
//! | feature | adds | dependencies |
//! |---|---|---|
//! | `records` (default) | game files | `encoding_rs`, `html-escape`, `roxmltree` |
//! | `pictures` (default) | SVG and text | none |
//! | `png` | PNG | `resvg` |
//! | `serde` | values as their texts, regulations and ends of games, rulings with their reasons | `serde` |
//!
//! # Stability
//!
//! Versions follow [semantic versioning](https://semver.org): from 1.0.0 on, a minor version only
//! adds. FENs, moves, notations and serialized values keep their form. The words of errors and
//! explanations and the look of pictures may change in any version, and so may a ruling that was
//! wrong. An enum that may get more values is `non_exhaustive`, and so is a struct that may get more
//! fields. A minor version may need a newer Rust; `rust-version` of the package names it.
//!
//! The text of an error has its whole cause; `source` returns none that the text has.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![warn(missing_debug_implementations)]
// Without a feature, links to what it adds are plain text.
#![cfg_attr(
    not(all(feature = "pictures", feature = "records")),
    allow(rustdoc::broken_intra_doc_links, reason = "they name what is not there")
)]
// Input of any kind is an error, not a panic; tests fail by panics.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::exit))]
// For the library only, not for its tests.
#![warn(unreachable_pub, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod board;
pub mod geometry;
pub mod notation;
#[cfg(feature = "pictures")]
pub mod pictures;
#[cfg(feature = "records")]
pub mod records;
pub mod rules;
mod score;
mod text_form;

pub use board::{Board, Move, MoveError, MoveList, Position, START_FEN, perft};
pub use geometry::{Bitboard, Color, Piece, PieceKind, Square};
pub use notation::Notation;
#[cfg(feature = "pictures")]
pub use pictures::BoardPicture;
#[cfg(feature = "records")]
pub use records::Game;
pub use rules::{
    EndByRules, GameLoop, GameResult, LoopRuling, Outcome, Referee, Regulations, RuleSet, Wdl,
    judge_game,
};
pub use score::Score;

/// Runs the program of the README.
#[cfg(all(doctest, feature = "pictures", feature = "records"))]
#[doc = include_str!("../README.md")]
struct Readme;
