//! Endgame tables: result and distance to mate of every position with few pieces.
//!
//! A table holds one [`Signature`], such as knight and pawn against two advisors and a bishop. Its
//! values come from retrograde analysis ([`build`]) and are kept compressed in a file, of which
//! only the probed parts are read ([`Tables`]). Tables leave repetitions and the natural-move limit
//! out (`docs/endings.md`); `docs/formats.md` has the format, `docs/lab/tables.md` the figures.

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
mod quiet_results;
mod sample;
mod signature;
mod solved;
mod source;
mod value;
mod verifier;

pub(crate) use builder::check_size;
pub use builder::{TableReport, build, missing, summarize, with_smaller};
pub use collection::{Probe, ProbeError, Tables};
pub use compression::StreamError;
pub use families::{ParseFamilyError, parse_family};
pub use file::{EXTENSION, TableContentError, TableFileError};
pub use generator::{BuildError, Monitor};
pub use quiet_results::{PackError, QuietResult, QuietResults, pack};
pub use sample::Sampler;
pub use signature::{Force, ParseSignatureError, Signature};
pub use source::{FOLDER_VARIABLE, NO_FOLDER, OpenedTables, TableSource, user_folder};
pub use value::Value;
pub use verifier::{TableVerification, VerifyPlan, verify};
