//! Self-play data and the trainer of the network, from bottom to top:
//!
//! ```text
//! network     the trainer: samples -> a network for `evaluation`
//! self_play   the engine plays itself -> files of games
//! data        games, samples, their files, and the filter that turns games into samples
//! ```
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod data;
mod network;
mod self_play;

pub use data::{
    ArchiveWriter, DEFAULT_LOOKAHEAD, Damage, DataFile, FilterCounts, FilterSettings, GameError,
    GameFileError, GamePly, GameReader, GameTextError, GameWriter, LabelCounts, LabelError,
    LabelReader, LabelSettings, MAX_PIECES, MAX_PLIES, PackedBoard, Sample, SampleFilter,
    SelfPlayEnding, SelfPlayGame, Statistics, game_from_text, game_to_text, read_samples,
    write_samples,
};
pub use network::{
    BatchProgress, CLIP, CheckpointError, EpochResult, Model, NetworkCheck, Trainer,
    TrainingSettings, average_weights, check_rounding, check_values, loss_curve, random_games,
};
pub use self_play::{
    DatagenError, DatagenPlan, DatagenProgress, OpeningPlan, SelfPlayAdjudication, generate,
    read_openings,
};
