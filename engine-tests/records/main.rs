//! Game files: reading every kind, writing two of them, and `cannonade convert`.

mod convert;
mod hostile;
mod pgn;
mod samples;
mod tree;
mod trees;
