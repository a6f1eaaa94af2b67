//! The rules room against the rule book.

mod diagrams;
mod material;
