//! A game as it is played or viewed, and the clock of a player. [`PlayedGame`] has the record, the
//! shown place and its end by the rules; the terminal, a match and an analysis are views of one.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod clock;
mod clock_control;
mod played_game;

pub use clock::PlayerClock;
pub use clock_control::{ClockControl, ClockControlError, parse_seconds};
pub use played_game::{PlayedGame, Repetition};
