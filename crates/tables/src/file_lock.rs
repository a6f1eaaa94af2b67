//! Locks that keep two processes from writing the same files.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

/// Locks a regular file for as long as it is open. Returns false if another process has locked it;
/// on a file system without locks, true.
#[cfg(unix)]
pub fn try_lock(file: &File) -> bool {
    let is_file = file.metadata().is_ok_and(|data| data.is_file());
    !is_file || !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Returns true: on Windows a lock would also stop readers, and other platforms have no locks.
#[cfg(not(unix))]
pub fn try_lock(_file: &File) -> bool {
    true
}

/// Opens a file to read and write it, creates it if it is missing, and locks it for as long as it
/// is open; `None` if another process has locked it.
///
/// # Errors
/// If the file cannot be opened.
pub fn open_locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file =
            File::options().create(true).truncate(false).read(true).write(true).open(path)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(None);
        }
        // The process before may have removed the file after it was opened here.
        let is_current = Handle::from_path(path).is_ok_and(|now| {
            file.try_clone().and_then(Handle::from_file).is_ok_and(|own| own == now)
        });
        if is_current {
            return Ok(Some(file));
        }
    }
}

/// A file that is locked, and removed when the lock is dropped: for outputs that are replaced whole
/// and cannot be locked themselves.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    _file: File,
}

impl LockFile {
    /// Creates the file and locks it; `None` if another process has.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn acquire(path: &Path) -> io::Result<Option<LockFile>> {
        let file = open_locked(path)?;
        Ok(file.map(|file| LockFile { path: path.to_owned(), _file: file }))
    }
}

/// Locks an output that is written after hours of work and replaced whole, by a file beside it whose
/// name ends with `.lock`. A pipe or a device has no lock.
///
/// # Errors
/// If another process writes the output, or the file beside it cannot be created.
pub fn lock_output(path: &Path) -> io::Result<Option<LockFile>> {
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if name.exists() && !name.is_file() {
        return Ok(None);
    }
    name.as_mut_os_string().push(".lock");
    let busy = || {
        let text = "another process is writing it; wait for its end, or give another file";
        io::Error::new(io::ErrorKind::ResourceBusy, text)
    };
    LockFile::acquire(&name)?.map(Some).ok_or_else(busy)
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // One that stays is locked again by the next process.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_is_held_once_and_gone_afterwards() {
        let path = std::env::temp_dir().join(format!("cannonade-lock-{}", std::process::id()));
        fs::write(&path, "left by a killed process").expect("a writable folder");
        let first = LockFile::acquire(&path).expect("a writable folder");
        assert!(first.is_some());
        assert!(LockFile::acquire(&path).expect("a writable folder").is_none());
        drop(first);
        assert!(!path.exists());
        assert!(LockFile::acquire(&path).expect("a writable folder").is_some());
    }

    #[test]
    fn a_second_writer_of_an_output_is_refused() {
        let path = std::env::temp_dir().join(format!("cannonade-output-{}", std::process::id()));
        let first = lock_output(&path).expect("a writable folder");
        assert!(first.is_some());
        let error = lock_output(&path).expect_err("locked");
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        drop(first);
        assert!(lock_output(&path).expect("a writable folder").is_some());
    }
}
