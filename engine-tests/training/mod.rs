//! Games, samples and the trainer.

mod commands;
mod files;
#[cfg(unix)]
mod full_disks;
mod trainer;
