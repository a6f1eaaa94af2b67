//! The network: arithmetic, incremental updates, symmetries, files; and the evaluator.

mod evaluator;
mod network;
