//! Games, samples and the trainer.

mod commands;
mod files;
mod trainer;
