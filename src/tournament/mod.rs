//! Engine against engine, and what the results say.

pub mod statistics;
