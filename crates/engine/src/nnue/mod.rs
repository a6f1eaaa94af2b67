//! Static evaluation of a position: by a network, by hand-written rules, or by material only.
//!
//! | file | content |
//! |---|---|
//! | `evaluator` | the evaluations a user can choose, and the evaluator of one worker |
//! | `arch` | the shape of a network and the scales of its numbers |
//! | `features` | the inputs, and those that a move changes |
//! | `accumulator` | the hidden layers of the positions on the current path |
//! | `forward` | from hidden layers to centipawns |
//! | `simd` | the inner loops, one file per instruction set |
//! | `file` | a network as a file: format, checks, the built-in one |
//! | `handcrafted` | the evaluations without a network |

mod accumulator;
mod arch;
mod evaluator;
mod features;
mod file;
mod forward;
mod handcrafted;
mod simd;

pub use accumulator::Accumulators;
pub use arch::{ACTIVATION_SCALE, INPUT_SCALE, LOGIT, OUTPUT_SCALE, SECOND_SCALE, Shape};
pub use evaluator::{Evaluation, Evaluator, LARGEST_EVALUATION, piece_values, static_value};
pub use features::{FEATURES, bucket, feature, features_with_threats, mirrored, threat};
pub use features::{InputRows, attacked_squares, is_attacker, piece_rows, threat_rows};
pub use file::{
    NetworkError, Weights, default_network, default_network_checksum, network_to_bytes,
};
pub use forward::Network;
pub use simd::Simd;
