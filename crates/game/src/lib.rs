//! A game that is played or viewed: its record with variations, the place that is shown, clocks,
//! its end, and undo and redo of every change.
//!
//! [`PlayedGame`] owns all of it. The terminal, the page and an analysis are views of one.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod clock;
mod clock_control;
mod edit;
mod end;
mod history;
mod played_game;
#[cfg(test)]
mod tests;
mod undo;

pub use clock::{GameClock, PlayerClock};
pub use clock_control::{ClockControl, ClockControlError, parse_seconds};
pub use edit::Edit;
pub use end::{EndReason, GameEnd};
pub use history::ChangeKind;
pub use played_game::{PlayedGame, Repetition};
