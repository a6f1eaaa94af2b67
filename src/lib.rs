//! Cannonade: a xiangqi (Chinese chess) engine.
//!
//! The crate is a stack of layers; each imports only from the layers below it
//! (`engine-tests/architecture` checks that).
//!
//! ```text
//! commands     the command line: analyze, judge, perft, bench, match, datagen, ...
//! web          a board in the browser: a local server with its page
//! tournament   engine against engine: processes, clocks, referee, statistics
//! training     self-play data and the trainer of the network
//! analysis     games analysed: mistakes, accuracy, reports
//! protocol     text <-> Command / Event, the session loop: UCI, UCCI
//! game         a game as it is played: record, place, clocks, end, undo and redo
//! engine       the Engine facade, options, worker threads
//! search       alpha-beta, staged move picker, histories, hash table, time
//! evaluation   NNUE and the hand-written evaluation
//! book         opening books: built from games, probed, verified
//! tables       endgame tables: who wins, and how fast, with few pieces
//! free_memory  how much memory the system can give
//! atomic_file  replaces a file whole or not at all
//! file_lock    locks against a second writer
//! input_file   reads files that may have no end
//! random       random numbers from a seed
//! version      the version and the commit
//! ```
//!
//! Below all of them lies the crate [`xiangqi`]: the board, the rules, notations, game files and
//! pictures.
//!
//! `evaluation` does not import `rules`, `analysis` and `training` not `protocol`, and `tournament`
//! not `training`.

// A panic ends the process of a client in the middle of a game; tests fail by them.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::exit))]
// For the library only, not for its tests.
#![warn(unreachable_pub, clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod analysis;
pub mod atomic_file;
pub mod book;
pub mod commands;
pub mod engine;
pub mod evaluation;
mod file_lock;
mod free_memory;
pub mod game;
mod input_file;
pub mod protocol;
pub mod random;
pub mod search;
pub mod tables;
pub mod tournament;
pub mod training;
pub mod version;
#[cfg(feature = "web")]
pub mod web;
