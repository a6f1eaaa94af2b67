//! Cannonade: a xiangqi (Chinese chess) engine, as a program and as a library. The game itself,
//! without an engine, is the crate [`xiangqi`].
//!
//! | to | use |
//! |---|---|
//! | search a position | [`engine::BlockingEngine`]; [`engine::Engine`] returns at once and sends events |
//! | serve a client by UCI or UCCI, over any reader and writer | [`protocol::Session`] |
//! | play a game: place, clocks, end, undo and redo | [`game::PlayedGame`] |
//! | find mistakes and better moves of games | [`analysis::analyse_game`], [`analysis::CollectionAnalysis`] |
//! | probe opening books and endgame tables | [`book::Book`], [`tables::Tables`] |
//! | evaluate a position without a search | [`evaluation::static_value`] |
//! | play matches between engines, with SPRT and ratings | [`tournament::MatchRecorder`], [`tournament::statistics`] |
//! | play the engine against itself and train a network | [`training`] |
//!
//! ```
//! use cannonade::engine::BlockingEngine;
//! use cannonade::search::Limits;
//! use xiangqi::{Notation, Position, notation};
//!
//! let position = Position::from_fen("4k4/R8/9/9/9/9/9/9/9/3K3R1 w")?;
//! let limits = Limits { nodes: Some(5_000), ..Limits::default() };
//! let mut engine = BlockingEngine::new();
//! let found = engine.search(position.clone(), limits, || false, |line| {
//!     println!("depth {}: {:?} after {} nodes", line.depth, line.score, line.nodes);
//! });
//! let line = notation::write_line(&position, found.best_line(), Notation::Chinese);
//! assert_eq!(line, ["车二进九"]); // mate
//! # Ok::<(), xiangqi::board::FenError>(())
//! ```
//!
//! # Layers
//!
//! Each layer imports only from the layers below it (`engine-tests/architecture` checks this).
//!
//! ```text
//! commands     the command line: analyze, judge, perft, bench, match, datagen, ...
//! web          a board in the browser: a local server with its page
//! tournament   engine against engine: processes, clocks, referee, statistics
//! training     self-play data and the trainer of the network
//! analysis     games analysed: mistakes, accuracy, reports
//! protocol     text <-> Command / Event, the session loop: UCI, UCCI
//! game         a game that is played or viewed: record, place, clocks, end, undo and redo
//! engine       the Engine facade, options, worker threads
//! search       alpha-beta, staged move picker, histories, hash table, time
//! evaluation   NNUE and the hand-written evaluation
//! book         opening books: built from games, probed, verified
//! tables       endgame tables: results and distances to mate with few pieces
//! free_memory  the free memory of the system
//! atomic_file  replaces a file whole or not at all
//! file_lock    locks against a second writer
//! input_file   reads files that may be endless
//! random       random numbers from a seed
//! user_data    the folder of the user's data
//! version      the version and the commit
//! ```
//!
//! `evaluation` does not import `rules`, `analysis` and `training` not `protocol`, and `tournament`
//! not `training`.
//!
//! # Stability
//!
//! As that of [`xiangqi`](xiangqi#stability). Moves, scores and node counts of a search may change
//! in any version. What these pages do not show is not part of the interface.

// A panic ends the process of a client in the middle of a game; tests fail by them.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::exit))]
// For the library only, not for its tests.
#![warn(unreachable_pub, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod analysis;
mod atomic_file;
pub mod book;
#[doc(hidden)]
pub mod commands;
pub mod engine;
pub mod evaluation;
mod file_lock;
mod free_memory;
pub mod game;
pub mod input_file;
pub mod protocol;
#[doc(hidden)]
pub mod random;
pub mod search;
pub mod tables;
pub mod tournament;
pub mod training;
mod user_data;
mod version;
#[cfg(feature = "web")]
pub mod web;
