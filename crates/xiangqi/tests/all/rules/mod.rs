//! The repetition rules against the rule book.

mod diagrams;
mod explanations;
mod limits;
mod material;
mod oracle;
mod random;
mod rule_sets;
mod sentences;
mod third_occurrence;
