//! Games, samples and the trainer.

mod files;
mod trainer;
