//! Fuzz targets: functions that read any bytes and panic if the program handles them wrongly. Both
//! drivers use them: the tests, which change real input at random, and libFuzzer.

mod engines;
mod files;
mod records;
mod sessions;
mod text;

#[allow(unused_imports, reason = "the fuzz crate has no processes")]
pub use engines::ENGINE_LINES;
pub use sessions::IN_A_ROW;

/// The form of the inputs, which determines their changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A line of words.
    Line,
    /// Bytes of a file.
    File,
    /// Lines of a client.
    Session,
}

/// A part of the program that reads input.
pub struct Target {
    /// The name on the command line and in logs.
    pub name: &'static str,
    /// The form of its inputs.
    pub form: Form,
    /// Inputs of real use, and those that once broke something.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads an input. Returns whether it was accepted; panics if something is wrong.
    pub check: fn(&[u8]) -> bool,
    /// The inputs of a test without optimization, and with it.
    pub inputs: [usize; 2],
    /// The reciprocal of the minimum share of accepted inputs: below it the changes are too wild.
    pub accepted: usize,
}

/// All targets.
pub const TARGETS: [Target; 12] = [
    text::FEN,
    text::MOVE,
    text::LINE,
    text::SETTING,
    records::RECORD,
    records::LARGE,
    engines::ENGINE_LINES,
    files::NETWORK,
    files::SELF_PLAY,
    files::BOOK,
    files::TABLE,
    sessions::SESSIONS,
];
