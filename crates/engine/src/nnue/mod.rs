//! Static evaluation of a position: by a network, by hand-written rules, or by material only.

mod accumulators;
mod changes;
mod choice;
mod default_network;
mod evaluator;
mod features;
mod handcrafted;
mod input_rows;
mod material;
mod network;
mod network_file;
mod piece_square;
mod piece_values;
mod second_layer;
mod simd;
mod threats;
mod weights;

pub use accumulators::Accumulators;
pub use choice::Evaluation;
pub use default_network::default_network;
pub use default_network::default_network_checksum;
pub use evaluator::Evaluator;
pub use evaluator::LARGEST_EVALUATION;
pub use features::{FEATURES, bucket, feature, mirrored};
pub use handcrafted::evaluate as evaluate_handcrafted;
pub use input_rows::{InputRows, piece_rows, threat_rows};
pub use network::Network;
pub use network_file::{NetworkError, network_to_bytes};
pub use piece_values::{piece_values, static_value};
pub use simd::Simd;
pub use threats::{attacked_squares, is_attacker};
pub use threats::{features_with_threats, threat};
pub use weights::{
    ACTIVATION_SCALE, INPUT_SCALE, LOGIT, OUTPUT_SCALE, SECOND_SCALE, Shape, Weights,
};
