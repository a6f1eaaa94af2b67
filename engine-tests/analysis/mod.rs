//! Analysing games: `cannonade analyze` and its reports.

mod command;
#[cfg(unix)]
mod interruptions;
mod openings;
mod page;
