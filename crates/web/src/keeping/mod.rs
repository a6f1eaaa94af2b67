//! Games that outlive the server or the page: a file for each, written after every change.

mod files;
mod folder;
mod keeper;
mod storage;

pub(super) use files::KeptFiles;
pub(super) use folder::{GameKey, GamesFolder, KeptPlace};
pub(super) use keeper::{Keeper, KeeperHandle, KeptSession, WaitingKeeper};
pub(super) use storage::MemoryStorage;
pub use storage::{KeepFile, StoredFile};
