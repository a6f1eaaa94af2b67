//! Self-play: openings, the loop of one game, and runs of many games into one file.

mod datagen;
mod game_loop;
mod openings;

pub use datagen::{DatagenError, DatagenPlan, DatagenProgress, generate};
pub use game_loop::SelfPlayAdjudication;
pub use openings::{OpeningPlan, read_openings};
