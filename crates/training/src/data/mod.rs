//! Games of self-play and the samples made of them, in memory and in files.

mod archive;
mod data_file;
mod filter;
mod game;
mod game_file;
mod game_text;
mod labelled;
mod lookahead;
mod packed_board;
mod sample_file;
mod statistics;

pub use data_file::DataFile;
pub use filter::{FilterCounts, FilterSettings, SampleFilter};
pub use game::{GameError, GamePly, MAX_PLIES, SelfPlayEnding, SelfPlayGame};
pub use game_file::{ArchiveWriter, Damage, GameFileError, GameReader, GameWriter};
pub use game_text::{GameTextError, game_from_text, game_to_text};
pub use labelled::{LabelCounts, LabelError, LabelReader, LabelSettings};
pub use lookahead::DEFAULT_LOOKAHEAD;
pub use packed_board::{MAX_PIECES, PackedBoard, Sample};
pub use sample_file::{read_samples, write_samples};
pub use statistics::Statistics;
