//! Game files: reading and writing every kind.

mod hostile;
mod people;
mod pgn;
mod samples;
mod tree;
mod trees;
mod variations;
mod written;
mod wxf_files;
