//! Reading files that people name, which may be devices or pipes without an end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The largest file of games or text that is read, in bytes. Larger collections are split.
pub const MAX_SIZE: u64 = 512 << 20;

/// Returns the content of a file of at most [`MAX_SIZE`] bytes.
///
/// # Errors
/// If it cannot be read or is larger.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, MAX_SIZE)
}

/// Returns the content of a regular file of at most `limit` bytes; a pipe or a device could block
/// forever.
///
/// # Errors
/// If it cannot be read, is not a regular file or is larger.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if check_regular(path)? > limit {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is too large"));
    }
    fs::read(path)
}

/// Returns the size of a regular file.
///
/// # Errors
/// If there is no such file or it is not a regular one.
pub fn check_regular(path: &Path) -> io::Result<u64> {
    let data = fs::metadata(path)?;
    if data.is_file() {
        Ok(data.len())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }
}

/// Returns the rest of an input of at most `limit` bytes.
///
/// # Errors
/// If it cannot be read or is larger.
pub fn read_at_most(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let mebibytes = limit >> 20;
        let message = format!("it is larger than {mebibytes} MiB, the most that is read; split it");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_input_is_refused_at_the_limit() {
        let error = read_at_most(io::repeat(0), 1 << 20).expect_err("too large");
        assert!(error.to_string().contains("larger than 1 MiB"), "{error}");
        let whole = read_at_most(io::repeat(7).take(1 << 20), 1 << 20).expect("small enough");
        assert_eq!(whole.len(), 1 << 20);
    }
}
