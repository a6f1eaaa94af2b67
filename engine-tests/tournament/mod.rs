//! Engine against engine: every fault an engine can have, whole matches through the binary.

mod breakdowns;
pub mod fake_engine;
mod faults;
mod flags;
mod interruptions;
mod library;
mod matches;
mod ratings;
mod results;
pub mod support;
