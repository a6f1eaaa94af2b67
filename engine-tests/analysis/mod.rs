//! Analysing games: mistakes, reports, and `cannonade analyze` with files.

mod assessment;
mod command;
mod openings;
mod page;
