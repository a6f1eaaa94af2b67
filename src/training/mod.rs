//! Self-play data and the trainer of the network.
//!
//! `datagen` lets the engine play itself into files of games; the sieve turns games into samples;
//! the trainer turns samples into a network for `evaluation`.

mod checkpoint;
mod curve;
mod datagen;
mod filter;
mod game;
mod game_file;
mod gates;
mod gradient;
mod lookahead;
mod model;
mod opening;
mod optimizer;
mod packed;
mod random_games;
mod sample_file;
mod self_play;
mod simd;
mod statistics;
mod text;
mod trainer;

pub use checkpoint::CheckpointError;
pub use curve::loss_curve;
pub use datagen::{Plan, Progress, generate};
pub use filter::{Filter, FilterCounts, Sieve};
pub use game::{Ending, Game, GameError, GamePly, GameResult, MAX_PLIES};
pub use game_file::{Damage, FileError, GameReader, GameWriter};
pub use gates::{Gate, check_rounding, check_values};
pub use lookahead::DEFAULT_LOOKAHEAD;
pub use model::{CLIP, Model};
pub use opening::{OpeningPlan, read_openings};
pub use packed::{MAX_PIECES, PackedBoard, Sample};
pub use random_games::random_games;
pub use sample_file::{read_samples, recognises_samples, write_samples};
pub use self_play::Adjudication;
pub use statistics::Statistics;
pub use text::{TextError, game_from_text, game_to_text};
pub use trainer::{Batch, Epoch, Settings, Trainer};
