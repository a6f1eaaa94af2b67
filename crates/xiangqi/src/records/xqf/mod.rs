//! XQF, the binary format of Xiangqi Wizard (象棋演播室) and XQStudio.
//!
//! A header of 1024 bytes with the squares of 32 men, a result and texts in GB18030, then one
//! record per move: from, to, flags, and a comment. From version 0x0B on everything after the
//! header is scrambled with keys of the header. The first record is the start; a record is followed
//! by its continuation, then by its alternative. Version 0x0A, which every reader knows, is
//! written.

mod layout;
mod reader;
mod writer;

pub(super) use reader::{is_xqf, read};
pub(super) use writer::write;
