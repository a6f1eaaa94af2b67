//! Analysing games: mistakes, reports, and `cannonade analyze` with files.

mod assessment;
mod command;
#[cfg(unix)]
mod interruptions;
mod openings;
mod page;
