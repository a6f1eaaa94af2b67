//! Bytes of a table: part of the program, or pieces of its file that are read when needed.
//!
//! A file is not mapped into memory: a table that another program shortens would end the process.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::OnceLock;

use parking_lot::Mutex;

use super::compression::Source;

/// Size of a piece in bytes.
const PIECE: usize = 16 << 10;

/// Bytes shared with the next piece, so that every four-byte number lies in one piece.
const OVERLAP: usize = 3;

/// Storage of the bytes of a table.
#[derive(Debug)]
pub(super) enum Bytes {
    File(FileBytes),
    Static(&'static [u8]),
}

/// A file whose pieces are read when needed, and kept.
#[derive(Debug)]
pub(super) struct FileBytes {
    file: Mutex<File>,
    len: usize,
    pieces: Box<[ReadPiece]>,
}

/// Read when first needed; `None` inside if it could not be read.
type ReadPiece = OnceLock<Option<Box<[u8]>>>;

impl FileBytes {
    /// Creates the bytes of a file, of which none is read yet.
    pub(super) fn new(file: File) -> io::Result<FileBytes> {
        let len = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let pieces = (0..len.div_ceil(PIECE)).map(|_| OnceLock::new()).collect();
        Ok(FileBytes { file: Mutex::new(file), len, pieces })
    }

    #[inline]
    fn read<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        let number = at / PIECE;
        let piece = self.pieces.get(number)?.get_or_init(|| self.read_piece(number).ok());
        let offset = at % PIECE;
        piece.as_ref()?.get(offset..offset + N)?.try_into().ok()
    }

    #[cold]
    fn read_piece(&self, number: usize) -> io::Result<Box<[u8]>> {
        let start = number * PIECE;
        let mut piece = vec![0; (self.len - start).min(PIECE + OVERLAP)];
        let mut file = self.file.lock();
        file.seek(SeekFrom::Start(start as u64))?;
        file.read_exact(&mut piece)?;
        Ok(piece.into_boxed_slice())
    }

    /// Returns the checksum of the bytes from `start` on, up to the actual end of the file.
    fn checksum(&self, start: usize) -> io::Result<u32> {
        let mut hasher = crc32fast::Hasher::new();
        let mut buffer = vec![0; 64 << 10];
        let mut file = self.file.lock();
        file.seek(SeekFrom::Start(start as u64))?;
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hasher.finalize()),
                count => hasher.update(&buffer[..count]),
            }
        }
    }
}

impl Bytes {
    /// Returns the CRC-32 of the bytes from `start` on.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn checksum(&self, start: usize) -> io::Result<u32> {
        match self {
            Bytes::File(file) => file.checksum(start),
            Bytes::Static(bytes) => Ok(crc32fast::hash(bytes.get(start..).unwrap_or_default())),
        }
    }
}

impl Source for Bytes {
    #[inline]
    fn len(&self) -> usize {
        match self {
            Bytes::File(file) => file.len,
            Bytes::Static(bytes) => bytes.len(),
        }
    }

    #[inline]
    fn read<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        match self {
            Bytes::File(file) => file.read(at),
            Bytes::Static(bytes) => bytes.read(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_across_the_pieces_of_a_file_are_those_of_its_bytes() {
        let path = std::env::temp_dir().join(format!("cannonade-bytes-{}", std::process::id()));
        let content: Vec<u8> = (0..3 * PIECE + 2).map(|i| (i * 7 + i / 251) as u8).collect();
        std::fs::write(&path, &content).expect("a writable folder");
        let bytes = FileBytes::new(File::open(&path).expect("the file")).expect("its length");
        let bytes = Bytes::File(bytes);
        assert_eq!(bytes.len(), content.len());
        for at in (0..content.len() + 8).filter(|at| at % PIECE < 9 || at % PIECE > PIECE - 9) {
            assert_eq!(bytes.read::<4>(at), content[..].read::<4>(at), "{at}");
            assert_eq!(bytes.read::<2>(at), content[..].read::<2>(at), "{at}");
        }
        assert_eq!(bytes.checksum(5).expect("readable"), crc32fast::hash(&content[5..]));
        let _ = std::fs::remove_file(&path);
    }
}
