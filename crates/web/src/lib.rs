//! A board in the browser: a local server with its page.
//!
//! ```text
//! page (page/)  <- HTTP, one stream of events per tab ->  server -> routes -> session -> engine pool
//! ```
//!
//! [`Server`] listens on one address. `http` reads requests and `guard` refuses those of other
//! sites; `routes` maps a request to one of the `changes` of a session, a game as one of the
//! `game_files`, a move of the `books`. A `session` holds the `state` of one tab, which is the game
//! and the engine's tasks; the `search_queue` lets the sessions use the engine in turn, on a thread
//! of the `engine_pool`, and `keeping` writes changed games to a folder. The page is part of the
//! program; of the machine only the kept games are read.
//!
//! [`LocalBoards`] is the same without a server, for a worker of the page; [`export()`] writes that
//! page as files.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod assets;
mod books;
mod bundle;
mod changes;
mod contest;
mod engine_pool;
mod error_page;
mod export;
mod game_files;
mod guard;
mod http;
mod judging;
mod keeping;
mod kept_games;
mod local;
mod pictures;
mod problems;
mod reporting;
mod request_error;
mod requests;
mod routes;
mod search_queue;
mod search_request;
mod server;
mod session;
mod sessions;
mod state;
mod token;
mod view;

pub use export::{ExportError, export};
pub use keeping::{KeepFile, StoredFile};
pub use local::{LocalAnswer, LocalBoards, SendEvent};
pub use server::{Server, ServerError, ServerSettings, Stopper};
