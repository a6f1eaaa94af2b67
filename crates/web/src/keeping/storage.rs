//! Where the files of kept games are: a folder, or the memory of a page that has its browser keep
//! them.

use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use cannonade_tables::atomic_file;
use parking_lot::Mutex;
use web_time::SystemTime;

/// A file in a list.
pub(crate) struct StoredName {
    pub(crate) name: String,
    /// The time of the last write in milliseconds since 1970.
    pub(crate) modified: u64,
}

/// Files in one place; each is replaced as a whole.
pub(crate) trait GameStorage: Send + Sync {
    /// Returns the files, in any order.
    fn names(&self) -> io::Result<Vec<StoredName>>;
    fn read(&self, name: &str) -> io::Result<Vec<u8>>;
    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    fn remove(&self, name: &str) -> io::Result<()>;
}

/// Returns the time in milliseconds since 1970.
pub(super) fn now() -> u64 {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A folder whose files only their owner can read.
pub(super) struct FolderStorage(PathBuf);

impl FolderStorage {
    /// Opens a folder, which is created for its owner alone if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or no file can be created in it.
    pub(super) fn open(path: &Path) -> io::Result<FolderStorage> {
        create_private(path)?;
        let path = fs::canonicalize(path)?;
        atomic_file::check_writable(&path.join("probe"))?;
        Ok(FolderStorage(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

impl GameStorage for FolderStorage {
    fn names(&self) -> io::Result<Vec<StoredName>> {
        let stored = fs::read_dir(&self.0)?.filter_map(Result::ok).filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let modified = entry.metadata().ok()?.modified().ok()?;
            let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
            Some(StoredName { name, modified: u64::try_from(modified.as_millis()).ok()? })
        });
        Ok(stored.collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.0.join(name))
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        atomic_file::replace_private(&self.0.join(name), bytes)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.0.join(from), self.0.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}

/// Has a file kept outside: its name, and its content or `None` if it is removed.
pub type KeepFile = Box<dyn Fn(&str, Option<&[u8]>) + Send + Sync>;

/// A kept file in memory.
pub struct StoredFile {
    /// The time of the last write in milliseconds since 1970.
    pub modified: u64,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Files in memory, kept outside by `keep`.
pub(crate) struct MemoryStorage {
    files: Mutex<HashMap<String, StoredFile>>,
    /// The reason why files cannot be kept outside.
    problem: Mutex<Option<String>>,
    keep: KeepFile,
}

impl MemoryStorage {
    pub(crate) fn new(keep: KeepFile) -> MemoryStorage {
        MemoryStorage { files: Mutex::default(), problem: Mutex::default(), keep }
    }

    /// Takes what is kept outside: a file, or that it was removed.
    pub(crate) fn take_over(&self, name: &str, file: Option<StoredFile>) {
        let mut files = self.files.lock();
        match file {
            Some(file) => files.insert(name.to_owned(), file),
            None => files.remove(name),
        };
    }

    /// Notes why files cannot be kept outside; `None` if they can.
    pub(crate) fn set_problem(&self, problem: Option<String>) {
        *self.problem.lock() = problem;
    }

    fn not_found() -> io::Error {
        io::ErrorKind::NotFound.into()
    }
}

impl GameStorage for MemoryStorage {
    fn names(&self) -> io::Result<Vec<StoredName>> {
        let files = self.files.lock();
        let stored = files.iter();
        Ok(stored
            .map(|(name, file)| StoredName { name: name.clone(), modified: file.modified })
            .collect())
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let files = self.files.lock();
        files.get(name).map(|file| file.bytes.clone()).ok_or_else(Self::not_found)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        if let Some(problem) = self.problem.lock().clone() {
            return Err(io::Error::other(problem));
        }
        let file = StoredFile { modified: now(), bytes: bytes.to_vec() };
        self.files.lock().insert(name.to_owned(), file);
        (self.keep)(name, Some(bytes));
        Ok(())
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let bytes = self.read(from)?;
        self.replace(to, &bytes)?;
        self.remove(from)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.files.lock().remove(name).ok_or_else(Self::not_found)?;
        (self.keep)(name, None);
        Ok(())
    }
}
