//! Pictures of the board: their content, that they are well-formed, and that they need no other
//! file.

mod drawings;
mod sheets;
mod texts;
