//! Games that outlive the server: a file for each in a folder, written after every change.

mod files;
mod folder;
mod keeper;

pub(super) use files::KeptFiles;
pub(super) use folder::{GameKey, GamesFolder, KeptPlace};
pub(super) use keeper::{Keeper, KeeperHandle, KeptSession};
