//! What is fuzzed: a function per target that reads any bytes and panics if the program handles
//! them wrongly. Both drivers use them: the tests, which change real input at random, and libFuzzer.

mod files;
mod records;
mod sessions;
mod text;

pub use sessions::IN_A_ROW;

/// How inputs of a target are changed.
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
    /// How its inputs are changed.
    pub form: Form,
    /// Inputs of real use, and those that once broke something.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads an input. Returns whether it was accepted; panics if something is wrong.
    pub check: fn(&[u8]) -> bool,
    /// The inputs of a test without optimization, and with it.
    pub inputs: [usize; 2],
    /// If fewer than one of so many inputs is accepted, the changes are too wild.
    pub accepted: usize,
}

/// All targets.
pub const TARGETS: [Target; 10] = [
    text::FEN,
    text::MOVE,
    text::LINE,
    text::SETTING,
    records::RECORD,
    files::NETWORK,
    files::SELF_PLAY,
    files::BOOK,
    files::TABLE,
    sessions::SESSIONS,
];
