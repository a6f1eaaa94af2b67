//! Pictures of the board: what is on them, that they are well-formed, and that they need nothing else.

mod command;
mod drawings;
mod sheets;
mod texts;
