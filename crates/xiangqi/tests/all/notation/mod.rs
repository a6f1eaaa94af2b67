//! Moves as text: every notation, written and read.

mod cases;
mod games;
mod properties;
