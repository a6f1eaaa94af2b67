//! Self-play, samples and networks: the commands.

mod commands;
#[cfg(unix)]
mod full_disks;
#[path = "../../crates/training/tests/all/games.rs"]
mod games;
