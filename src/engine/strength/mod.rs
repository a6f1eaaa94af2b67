//! Playing below full strength, for people: levels from a beginner upwards.
//!
//! A level looks at the position as a weaker player does. It does not consider all of its own
//! moves, it overlooks some of the opponent's answers (rather a distant capture by a cannon than a
//! recapture on the square it looks at), it misjudges positions by some centipawns, and it
//! calculates few nodes. Within what it sees it plays the best move, so its mistakes are oversights
//! and not random moves. What is overlooked at a move is the same for all moves considered: a
//! threat that is not seen is not met.
//!
//! | files | content |
//! |---|---|
//! | `levels` | the table of levels, and the strengths between them |
//! | `perception` | what is overlooked and misjudged in a position |
//! | `limited_search` | the search of one move |
//!
//! docs/levels.md explains it to users.

mod levels;
mod limited_search;
mod perception;

pub use levels::Strength;
pub(super) use levels::{Handicap, MAX_ELO, MAX_SKILL, MIN_ELO};
pub(super) use limited_search::LimitedSearch;
