//! Table files: one signature each, of which only the parts that are probed are read.
//!
//! `docs/formats.md` describes the format.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::file_lock::{LockFile, lock_output};
use crate::{atomic_file, input_file};

use super::bytes::{Bytes, FileBytes};
use super::compression::{Encoded, Source as _, Stream, StreamError, encode};
use super::group::GroupSquares;
use super::layout::Layout;
use super::signature::{ParseSignatureError, Signature};
use super::solved::Solved;
use super::value::Value;

/// The extension of a table file.
pub const EXTENSION: &str = "cnt";

const MAGIC: &[u8; 8] = b"CNDTABLE";
const VERSION: u32 = 1;
/// Magic, version, checksum, length of the file, name of the signature.
const HEADER: usize = 8 + 4 + 4 + 8 + NAME;
/// Bytes for the name of the signature.
const NAME: usize = 24;

/// Results as encoded in the first two rows.
const LOSS: u8 = 0;
const DRAW: u8 = 1;
const WIN: u8 = 2;
const UNRULED_DRAW: u8 = 3;

/// Maximum size of a file whose checksum is tested on opening; larger ones are tested when they are
/// verified, sampled or read whole, since the test would delay the game.
const CHECKED_SIZE: usize = 16 << 20;

/// Failure to read or write a table file.
#[derive(Debug, Error)]
pub enum TableFileError {
    /// The system refused the operation.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// Attempted operation.
        action: &'static str,
        /// Path of the file or folder.
        path: PathBuf,
        /// Reason given by the system.
        error: io::Error,
    },
    /// The bytes are not a table.
    #[error("{} is not used: {reason}; build it again with 'cannonade tables build'", path.display())]
    Content {
        /// Path of the file.
        path: PathBuf,
        /// Defect found.
        reason: TableContentError,
    },
}

impl TableFileError {
    /// Returns the error of the system, if it is the cause.
    pub fn system_error(&self) -> Option<&io::Error> {
        match self {
            TableFileError::Io { error, .. } => Some(error),
            TableFileError::Content { .. } => None,
        }
    }
}

/// Defect in the bytes of a table.
#[derive(Debug, Error)]
pub enum TableContentError {
    /// Another kind of file.
    #[error("it is not a table file")]
    Foreign,
    /// A format this version does not read.
    #[error("its format has version {0}, this program reads version {VERSION}")]
    Version(u32),
    /// Too short or too long.
    #[error("it has {found} bytes instead of {expected}")]
    Length {
        /// The length in the header.
        expected: u64,
        /// Actual length.
        found: u64,
    },
    /// The file could not be read.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// The checksum differs.
    #[error("its checksum is wrong")]
    Checksum,
    /// The name inside is not a signature.
    #[error(transparent)]
    Name(#[from] ParseSignatureError),
    /// The name inside is a signature that no table can have.
    #[error("no table can hold {0}")]
    Signature(Signature),
    /// The name inside belongs to another file.
    #[error("it holds the table {0}")]
    Renamed(Signature),
    /// The compressed data.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

/// A table that can be probed.
#[derive(Debug)]
pub(super) struct Table {
    /// Path of the file; `None` for a built-in table.
    path: Option<PathBuf>,
    bytes: Bytes,
    layout: Layout,
    /// Result, for each side to move.
    wdl: [Stream; 2],
    /// Plies of the positions that are not drawn.
    distance: [Stream; 2],
}

impl Table {
    /// Opens a file, whose name must be that of its signature.
    pub(super) fn open(path: &Path) -> Result<Table, TableFileError> {
        let io = |error| TableFileError::Io { action: "open", path: path.to_owned(), error };
        input_file::check_regular(path).map_err(io)?;
        let file = File::open(path).map_err(io)?;
        let bytes = Bytes::File(FileBytes::new(file).map_err(io)?);
        let content = |reason| TableFileError::Content { path: path.to_owned(), reason };
        let mut table = Table::parse(bytes, CHECKED_SIZE).map_err(content)?;
        table.path = Some(path.to_owned());
        if path.file_name().is_none_or(|name| *name != *file_name(table.signature())) {
            return Err(content(TableContentError::Renamed(table.signature())));
        }
        Ok(table)
    }

    /// Returns the path of the file; `None` for a built-in table.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Opens the table of a signature.
    pub(super) fn open_in(folder: &Path, signature: Signature) -> Result<Table, TableFileError> {
        Table::open(&folder.join(file_name(signature)))
    }

    /// Parses a table; its checksum is tested if it has at most `checked` bytes.
    pub(super) fn parse(bytes: Bytes, checked: usize) -> Result<Table, TableContentError> {
        let name = parse_header(&bytes)?;
        if bytes.len() <= checked {
            check_sum(&bytes)?;
        }
        let signature: Signature = String::from_utf8_lossy(&name).trim_end_matches('\0').parse()?;
        let layout = Layout::new(signature).ok_or(TableContentError::Signature(signature))?;
        let mut at = HEADER;
        let mut stream = || -> Result<Stream, TableContentError> {
            let (stream, end) = Stream::parse(&bytes, at, layout.len())?;
            at = end;
            Ok(stream)
        };
        let wdl = [stream()?, stream()?];
        let distance = [stream()?, stream()?];
        Ok(Table { path: None, bytes, layout, wdl, distance })
    }

    pub(super) fn signature(&self) -> Signature {
        self.layout.signature()
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the size of the table in bytes.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Returns whether the table is part of the program.
    pub(super) fn is_built_in(&self) -> bool {
        self.path.is_none()
    }

    /// Reads the whole table, whose checksum is tested; indices without a position have arbitrary
    /// values.
    pub(super) fn solved(&self) -> Result<Solved, TableFileError> {
        self.check()?;
        let values = |side| self.values(side).map_err(|error| self.content_error(error.into()));
        Ok(Solved { layout: self.layout.clone(), values: [values(0)?, values(1)?] })
    }

    /// Returns the values of all indices with `side` to move.
    fn values(&self, side: usize) -> Result<Vec<u8>, StreamError> {
        let mut values = self.distance[side].values(&self.bytes)?;
        for (value, wdl) in values.iter_mut().zip(self.wdl[side].values(&self.bytes)?) {
            match wdl {
                DRAW => *value = Value::DRAW.byte(),
                UNRULED_DRAW => *value = Value::UNRULED_DRAW.byte(),
                _ => {}
            }
        }
        Ok(values)
    }

    /// Tests the checksum of a table of any size.
    pub(super) fn check(&self) -> Result<(), TableFileError> {
        check_sum(&self.bytes).map_err(|reason| self.content_error(reason))
    }

    fn content_error(&self, reason: TableContentError) -> TableFileError {
        TableFileError::Content { path: self.path.clone().unwrap_or_default(), reason }
    }

    /// Returns the value with `side` (0 for the stronger one) to move; `None` if the file can no
    /// longer be read there.
    #[inline]
    pub(super) fn value(&self, squares: &GroupSquares, side: usize) -> Option<Value> {
        let (all, index) = (&self.bytes, self.layout.index(squares)?);
        match self.wdl[side].value(all, index)? {
            DRAW => Some(Value::DRAW),
            UNRULED_DRAW => Some(Value::UNRULED_DRAW),
            _ => {
                let value = Value::from_byte(self.distance[side].value(all, index)?);
                (value != Value::ILLEGAL).then_some(value)
            }
        }
    }
}

/// Checks all but the checksum; returns the name of the signature.
fn parse_header(bytes: &Bytes) -> Result<[u8; NAME], TableContentError> {
    let truncated = TableContentError::Stream(StreamError::Truncated);
    if bytes.read(0) != Some(*MAGIC) {
        return Err(TableContentError::Foreign);
    }
    let header: [u8; HEADER] = bytes.read(0).ok_or(truncated)?;
    let version = u32::from_le_bytes(header[8..12].try_into().unwrap_or_default());
    if version != VERSION {
        return Err(TableContentError::Version(version));
    }
    let expected = u64::from_le_bytes(header[16..24].try_into().unwrap_or_default());
    if expected != bytes.len() as u64 {
        return Err(TableContentError::Length { expected, found: bytes.len() as u64 });
    }
    Ok(header[24..].try_into().unwrap_or_default())
}

fn check_sum(bytes: &Bytes) -> Result<(), TableContentError> {
    let stored = bytes.read(12).map(u32::from_le_bytes);
    let found = bytes.checksum(16).map_err(TableContentError::Unreadable)?;
    if stored == Some(found) { Ok(()) } else { Err(TableContentError::Checksum) }
}

/// Returns the bytes of a table file.
pub(super) fn to_bytes(solved: &Solved) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.resize(24, 0);
    bytes.extend(solved.layout.signature().to_string().into_bytes());
    bytes.resize(HEADER, 0);
    let wdl = |side: usize| -> Encoded {
        encode(&solved.values[side], |byte| match Value::from_byte(byte) {
            Value::ILLEGAL => None,
            Value::UNRULED_DRAW => Some(UNRULED_DRAW),
            value => Some([LOSS, DRAW, WIN][value.wdl() as usize]),
        })
    };
    let distance = |side: usize| -> Encoded {
        encode(&solved.values[side], |byte| Value::from_byte(byte).plies().map(|_| byte))
    };
    for side in 0..2 {
        wdl(side).write(&mut bytes);
    }
    for side in 0..2 {
        distance(side).write(&mut bytes);
    }
    let size = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&size.to_le_bytes());
    let sum = crc32fast::hash(&bytes[16..]);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Parses concatenated table files, up to the first that is not sound.
pub(super) fn parse_all(mut bytes: &'static [u8]) -> Vec<Table> {
    let mut tables = Vec::new();
    while let Some(size) = stored_length(bytes).filter(|&size| size <= bytes.len()) {
        let (first, rest) = bytes.split_at(size);
        let Ok(table) = Table::parse(Bytes::Static(first), CHECKED_SIZE) else { break };
        tables.push(table);
        bytes = rest;
    }
    tables
}

/// Returns the length of the file by its header.
fn stored_length(bytes: &[u8]) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(bytes.get(16..24)?.try_into().ok()?)).ok()
}

fn file_name(signature: Signature) -> String {
    format!("{signature}.{EXTENSION}")
}

/// Checks before hours of computation that [`write()`] can be expected to work.
pub(super) fn check_writable(folder: &Path, signature: Signature) -> Result<(), TableFileError> {
    let path = folder.join(file_name(signature));
    // Writing to a pipe could block forever.
    let is_special = fs::metadata(&path).is_ok_and(|data| !data.is_file() && !data.is_dir());
    let checked = if is_special {
        input_file::check_regular(&path).map(drop)
    } else {
        atomic_file::check_writable(&path)
    };
    checked.map_err(|error| TableFileError::Io { action: "write", path, error })
}

/// Refuses a second process that builds a table of this folder, as long as the lock is held.
pub(super) fn lock(
    folder: &Path,
    signature: Signature,
) -> Result<Option<LockFile>, TableFileError> {
    let path = folder.join(file_name(signature));
    lock_output(&path).map_err(|error| TableFileError::Io { action: "write", path, error })
}

/// Writes a table atomically under its name; returns its size in bytes.
pub(super) fn write(folder: &Path, solved: &Solved) -> Result<u64, TableFileError> {
    let path = folder.join(file_name(solved.layout.signature()));
    let io = |error| TableFileError::Io { action: "write", path: path.clone(), error };
    let bytes = to_bytes(solved);
    atomic_file::replace(&path, &bytes).map_err(io)?;
    Ok(bytes.len() as u64)
}
