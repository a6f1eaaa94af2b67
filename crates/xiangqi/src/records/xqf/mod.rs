//! XQF, the binary format of Xiangqi Wizard (象棋演播室) and XQStudio.
//!
//! A header of 1024 bytes with the squares of 32 men, a result and texts in GB18030, then one
//! record per move: from, to, flags, and a comment. From version 0x0B on everything after the
//! header is scrambled with keys of the header. The first record is the start; a record is followed
//! by its continuation, then by its alternative. Version 0x0A, which every reader knows, is
//! written.

mod reader;
mod writer;

pub(super) use reader::{is_xqf, read};
pub(super) use writer::write;

const HEADER: usize = 1024;

/// The last version whose records are not scrambled.
const PLAIN_VERSION: u8 = 0x0A;

/// Texts of the header: offset, size with the length byte, tag.
const TEXTS: [(usize, usize, &str); 12] = [
    (80, 64, "Title"),
    (144, 64, "Title2"),
    (208, 64, "Event"),
    (272, 16, "Date"),
    (288, 16, "Site"),
    (304, 16, "Red"),
    (320, 16, "Black"),
    (336, 64, "TimeControl"),
    (400, 16, "RedTime"),
    (416, 16, "BlackTime"),
    (464, 16, "Annotator"),
    (480, 16, "Author"),
];
