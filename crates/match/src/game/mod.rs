//! One game between two engines: its start, its play, its end, and its record.

mod adjudication;
mod openings;
mod pgn;
mod play;
mod record;
mod recorded_games;
mod table_referee;
mod termination;

pub use adjudication::{AdjudicationRules, DrawRule, MoveCap, ResignRule};
pub use openings::{OpeningBook, OpeningError};
pub use pgn::{MoveComments, PgnStyle, write_game};
pub(super) use play::{EngineSlot, GameRules, play_game};
pub use record::{EngineMove, GameRecord};
pub use recorded_games::{RecordedGame, RecordedGameError, read_games};
pub use table_referee::TableReferee;
pub use termination::Termination;
