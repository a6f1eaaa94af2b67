//! The files of CCBridge (象棋桥): CBR records, CBL libraries of records, and CBF in XML.
//!
//! Texts are UTF-16LE and end with a NUL. Squares count from a9, row by row from the top. A CBR
//! record has its header of 2214 bytes, then one record per move: flags, 0, from, to, and a
//! comment. Flag 1 ends a line, 2 announces an alternative to the move, 4 a comment. After the end
//! of a line the next record is the alternative to the last move that announced one. The content of
//! a library's index is not known, so libraries are not written.

mod layout;
mod reader;
mod writer;
mod xml;

pub(super) use layout::{LIBRARY_MAGIC, RECORD_MAGIC};
pub(super) use reader::{read_library, read_record};
pub(super) use writer::write_record;
pub(super) use xml::{read_xml, write_xml};
