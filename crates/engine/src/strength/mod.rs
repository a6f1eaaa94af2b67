//! Playing below full strength, for people: levels from a beginner upwards.
//!
//! A level perceives the position as a weaker player does. It does not consider all of its own
//! moves, it overlooks some of the opponent's answers (rather a distant capture by a cannon than a
//! recapture on the square it looks at), it misjudges positions by some centipawns, and it
//! calculates few nodes. Within its sight it plays the best move, so its mistakes are oversights
//! and not random moves. Oversights at a move are the same for all moves considered: an unseen
//! threat is not met.
//!
//! | files | content |
//! |---|---|
//! | `levels` | the table of levels, and the strengths between them |
//! | `perception` | oversights and misjudgements in a position |
//! | `calculation` | candidate moves, and the order in which they are calculated |
//! | `limited_search` | the search of one move |
//!
//! docs/levels.md explains it to users.

mod calculation;
mod levels;
mod limited_search;
mod perception;

pub use levels::Strength;
pub(crate) use levels::{Handicap, MAX_ELO, MAX_SKILL, MIN_ELO};
pub(crate) use limited_search::{LimitedRun, LimitedSearch};
