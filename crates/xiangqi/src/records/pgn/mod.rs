//! PGN, the text format of games: tags, then moves with comments and variations.
//!
//! Source: S. Edwards, "Portable Game Notation Specification" (1994), with the tags of xiangqi
//! programs: `Red`, `Format`, `RedTeam`, `BlackTeam`.

mod lexer;
mod line_starts;
mod raw_game;
mod reader;
mod tags;
mod writer;

pub(super) use lexer::SEPARATORS;
pub use lexer::raw_games;
pub use raw_game::RawGame;
pub(super) use reader::read;
pub(super) use tags::first_tag;
pub use writer::write_pgn;

/// The signs that numeric annotation glyphs stand for, from 1 on.
pub const GLYPH_SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
