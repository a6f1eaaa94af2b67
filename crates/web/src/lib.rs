//! A board in the browser: a local server with its page.
//!
//! ```text
//! page (page/): the game, its clocks, its moves
//!   calls over HTTP    -> server -> routes -> functions -> turns -> engine
//!   calls as messages  -> local  --------->
//! ```
//!
//! The page owns its game. It asks for what it cannot do by `functions` without a memory:
//! to judge a line, to read and write files, to draw, to look into books and tables, to search, to
//! keep a game. `turns` lets the pages share the one engine; `streams` carries what a search tells.
//!
//! [`Server`] listens on one address. `http` reads requests and `guard` refuses those of other
//! sites. The page is part of the program; of the machine only the kept games are read.
//!
//! [`LocalServices`] is the same without a server, for a worker of the page; [`export()`] writes
//! that page as files.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod assessing;
mod assets;
mod books;
mod bundle;
mod error_page;
mod export;
mod functions;
mod guard;
mod http;
mod judging;
mod keeping;
mod local;
mod old_games;
mod pictures;
mod problems;
mod reading;
mod request_error;
mod requests;
mod routes;
mod server;
mod streams;
mod token;
mod trees;
mod turns;

pub use export::{ExportError, export};
pub use local::{LocalAnswer, LocalServices, SendEvent};
pub use server::{Server, ServerError, ServerSettings, Stopper};
