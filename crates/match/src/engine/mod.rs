//! An engine of a match: its settings, its process with pipes, its input and output, its clock, and
//! its faults.
//!
//! Bottom to top: [`EngineSettings`] and [`TimeControl`] describe an engine;
//! [`process::EngineProcess`] moves lines; [`EngineProtocol`], `GoParameters` and the answers
//! give the lines their meaning; [`RunningEngine`] combines them.

mod answers;
mod core_shares;
mod declared_option;
mod dialogue_log;
mod fault;
mod go_command;
mod orphans;
mod process;
mod process_group;
mod protocol;
mod running_engine;
mod settings;
mod stop_signal;
mod time_control;

pub use answers::EngineInfo;
pub use core_shares::{CoreShareError, CoreShares};
pub use declared_option::EngineOptionError;
pub use dialogue_log::DialogueLog;
pub use fault::{Fault, FaultKind};
pub use orphans::OrphanGuard;
pub use protocol::{EngineProtocol, TimeUnit};
pub(super) use running_engine::{EngineError, EngineRequest, RunningEngine};
pub use settings::{EngineSettings, SettingsError};
pub use stop_signal::StopSignal;
pub(super) use time_control::EngineClock;
pub use time_control::TimeControl;
