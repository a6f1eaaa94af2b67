//! The trainer: the network in floating point, its gradient, the optimiser, the training run with
//! its checkpoints, and the checks of the network that comes out.

mod average;
mod checkpoint;
mod checks;
mod factoriser;
mod first_layer;
mod gradient;
mod head;
mod inputs;
mod layout;
mod loss_curve;
mod model;
mod optimizer;
mod random_games;
mod settings;
mod simd;
mod trainer;

pub use average::average_weights;
pub use checkpoint::CheckpointError;
pub use checks::{NetworkCheck, check_rounding, check_values};
pub use loss_curve::loss_curve;
pub use model::{CLIP, Model};
pub use random_games::random_games;
pub use settings::{EpochResult, TrainingSettings};
pub use trainer::{BatchProgress, Trainer};
