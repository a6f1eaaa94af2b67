//! Endgame tables: result and distance to mate of every position with few pieces.
//!
//! A table holds one [`Signature`], such as knight and pawn against two advisors and a bishop. Its
//! values come from retrograde analysis ([`build`]) and are kept compressed in a file, of which
//! only the probed parts are read ([`Tables`]). Tables leave repetitions and the natural-move limit
//! out (`docs/endings.md`); `docs/formats.md` has the format, `docs/lab/tables.md` the figures.
//!
//! This is the lowest crate of the engine, so what several crates do with files stands here too:
//! [`atomic_file`] replaces a file whole, [`file_lock`] keeps a second writer away, [`input_file`]
//! reads a file that may have no end; and [`random`] draws numbers from a seed.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod atomic_file;
mod builder;
mod bytes;
mod camp;
mod collection;
mod compression;
mod families;
mod file;
pub mod file_lock;
mod free_memory;
mod generator;
mod group;
pub mod input_file;
mod layout;
mod placements;
mod quiet_results;
pub mod random;
mod sample;
mod signature;
mod solved;
mod source;
pub mod user_data;
mod value;
mod verifier;

pub use builder::{TableReport, build, check_size, missing, summarize, with_smaller};
pub use collection::{Probe, ProbeError, Tables};
pub use compression::StreamError;
pub use families::{ParseFamilyError, parse_family};
pub use file::{EXTENSION, TableContentError, TableFileError};
pub use free_memory::free_mebibytes;
pub use generator::{BuildError, Monitor};
pub use quiet_results::{PackError, QuietResult, QuietResults, pack};
pub use sample::Sampler;
pub use signature::{Force, ParseSignatureError, Signature};
pub use source::{FOLDER_VARIABLE, NO_FOLDER, OpenedTables, TableSource, user_folder};
pub use value::Value;
pub use verifier::{TableVerification, VerifyPlan, verify};
