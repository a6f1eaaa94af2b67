//! The rules room against the rule book.

mod diagrams;
mod limits;
mod material;
mod oracle;
mod random;
