//! Opening books: built from games, written, read back and verified.

mod build;
mod files;
#[path = "../../../../engine-tests/common/folder.rs"]
mod folder;
mod games;
mod obk;
