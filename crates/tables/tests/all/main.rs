//! Endgame tables: built, read back, probed.

mod built;
mod cases;
mod files;
#[path = "../../../../engine-tests/common/folder.rs"]
mod folder;
