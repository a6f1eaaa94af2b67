//! Games, samples and the trainer.

mod files;
mod games;
mod trainer;
