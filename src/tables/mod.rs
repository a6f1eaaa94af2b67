//! Endgame tables: result and distance to mate of every position with few pieces.
//!
//! A table holds one [`Signature`], such as knight and pawn against two advisors and a bishop. Its
//! values come from retrograde analysis ([`build`]) and are kept compressed in a file of
//! which the parts that are probed are read ([`Tables`]). `docs/endings.md` has the format, the figures
//! and what the tables leave out: repetitions and the natural-move limit.

mod builder;
mod bytes;
mod camp;
mod collection;
mod compression;
mod families;
mod file;
mod generator;
mod group;
mod layout;
mod placements;
mod sample;
mod signature;
mod solved;
mod value;
mod verifier;

pub use builder::{TableReport, build, check_size, missing, summarize, with_smaller};
pub use collection::{Probe, Tables};
pub use compression::StreamError;
pub use families::{ParseFamilyError, parse_family};
pub use file::{EXTENSION, TableContentError, TableFileError};
pub use generator::{BuildError, Monitor};
pub use sample::Sampler;
pub use signature::{Force, ParseSignatureError, Signature};
pub use value::{Value, Wdl};
pub use verifier::{TableVerification, VerifyPlan, verify};
