//! What a position is worth.

mod evaluator;
mod handcrafted;
mod piece_square;

pub use evaluator::Evaluator;
pub use handcrafted::evaluate as evaluate_handcrafted;
