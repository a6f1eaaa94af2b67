//! The folder of kept games: a file for each, which only its owner can read.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use cannonade_tables::atomic_file;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use web_time::SystemTime;

use super::request_error::RequestError;
use super::requests::KeepRequest;

/// The maximum number of games that are listed, the newest ones.
const MAX_LISTED: usize = 200;

/// The time after which a removed game and the rest of a write that was cut off are deleted.
const REMAINS: Duration = Duration::from_secs(24 * 3600);

const KEPT: &str = "json";
const REMOVED: &str = "removed";

/// Hexadecimal digits of a key.
const KEY_LENGTH: usize = 32;

/// The data of a game in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct GameSummary {
    red: String,
    black: String,
    event: String,
    date: String,
    result: String,
    /// Half-moves of the main line.
    plies: usize,
    /// The shown position.
    fen: String,
    /// True if the game is played and has not ended.
    is_going_on: bool,
}

#[derive(Serialize)]
pub(super) struct ListedGame {
    key: String,
    revision: u64,
    /// Milliseconds since 1970.
    changed: u64,
    #[serde(flatten)]
    summary: GameSummary,
}

#[derive(Serialize, Deserialize)]
struct FileHead {
    /// Counts the writes.
    revision: u64,
    /// Milliseconds since 1970.
    changed: u64,
    summary: GameSummary,
}

#[derive(Serialize)]
struct KeptFile<'a> {
    head: FileHead,
    game: &'a serde_json::Value,
}

/// The head of a file, without its game.
#[derive(Deserialize)]
struct HeadOnly {
    head: FileHead,
}

/// The folder of kept games.
#[derive(Clone)]
pub(super) struct GamesFolder {
    path: PathBuf,
    /// When the last game was written; writes come one after the other.
    last_change: Arc<Mutex<u64>>,
}

impl GamesFolder {
    /// Opens a folder, which is created for its owner alone if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or no file can be created in it.
    pub(super) fn open(path: &Path) -> io::Result<GamesFolder> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)?;
        let path = fs::canonicalize(path)?;
        atomic_file::check_writable(&path.join("probe"))?;
        let folder = GamesFolder { path, last_change: Arc::default() };
        folder.delete_remains()?;
        Ok(folder)
    }

    /// Returns the path of the folder.
    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Returns the names of the files, and when they were written, in milliseconds since 1970.
    fn files(&self) -> io::Result<Vec<(String, u64)>> {
        let files = fs::read_dir(&self.path)?.filter_map(Result::ok).filter_map(|entry| {
            let modified = entry.metadata().ok()?.modified().ok()?;
            let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
            Some((entry.file_name().into_string().ok()?, milliseconds(modified)))
        });
        Ok(files.collect())
    }

    /// Deletes removed games and the rests of writes that were cut off.
    fn delete_remains(&self) -> io::Result<()> {
        for (name, modified) in self.files()? {
            let (stem, end) = name.split_once('.').unwrap_or((&name, ""));
            let is_rest = end == REMOVED || end.starts_with(KEPT) && end != KEPT;
            let age = Duration::from_millis(now().saturating_sub(modified));
            if is_key(stem) && is_rest && age > REMAINS {
                // Another server on this folder may have done it.
                let _ = fs::remove_file(self.path.join(&name));
            }
        }
        Ok(())
    }

    /// Returns the newest games, the newest one first. Files that cannot be read are left out.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(super) fn list(&self) -> io::Result<Vec<ListedGame>> {
        let keyed = self.files()?.into_iter().filter_map(|(name, modified)| {
            let key = name.strip_suffix(".json").filter(|key| is_key(key))?.to_owned();
            Some((modified, key))
        });
        let mut keyed: Vec<_> = keyed.collect();
        keyed.sort_by(|(a, _), (b, _)| b.cmp(a));
        let listed = keyed.into_iter().take(MAX_LISTED).filter_map(|(_, key)| {
            let FileHead { revision, changed, summary } = self.head(&key).ok()?;
            Some(ListedGame { key, revision, changed, summary })
        });
        let mut listed: Vec<ListedGame> = listed.collect();
        listed.sort_by_key(|game| std::cmp::Reverse(game.changed));
        Ok(listed)
    }

    fn head(&self, key: &str) -> io::Result<FileHead> {
        let bytes = fs::read(self.place(key, KEPT))?;
        Ok(serde_json::from_slice::<HeadOnly>(&bytes)?.head)
    }

    /// Returns the file of a game: its head and its game.
    ///
    /// # Errors
    /// If there is no such game, or its file was damaged.
    pub(super) fn read(&self, key: &str) -> Result<serde_json::Value, RequestError> {
        let bytes = fs::read(self.place_of(key, KEPT)?).map_err(of_folder)?;
        serde_json::from_slice(&bytes).map_err(|_| RequestError::BadKeptGame)
    }

    /// Writes a game. Its revision follows that of the file; a game without a file may have any.
    ///
    /// # Errors
    /// If others have written or removed the file since, or it cannot be written.
    pub(super) fn write(&self, wanted: &KeepRequest) -> Result<(), RequestError> {
        let place = self.place_of(&wanted.key, KEPT)?;
        let mut last = self.last_change.lock();
        let is_next = match self.head(&wanted.key) {
            Ok(head) => wanted.revision == head.revision.saturating_add(1),
            Err(_) => !place.exists() && !self.place(&wanted.key, REMOVED).exists(),
        };
        if !is_next {
            return Err(RequestError::KeptElsewhere);
        }
        // Games written in one millisecond keep their order.
        *last = now().max(last.saturating_add(1));
        let head =
            FileHead { revision: wanted.revision, changed: *last, summary: wanted.summary.clone() };
        let file = KeptFile { head, game: &wanted.game };
        let bytes = serde_json::to_vec(&file).unwrap_or_default();
        atomic_file::replace_private(&place, &bytes).map_err(RequestError::NotKept)
    }

    /// Removes a game from the list. It can be restored for a day.
    ///
    /// # Errors
    /// If there is no such game.
    pub(super) fn remove(&self, key: &str) -> Result<(), RequestError> {
        let (from, to) = (self.place_of(key, KEPT)?, self.place_of(key, REMOVED)?);
        fs::rename(from, to).map_err(of_folder)
    }

    /// Brings a removed game back.
    ///
    /// # Errors
    /// If there is no such game.
    pub(super) fn restore(&self, key: &str) -> Result<(), RequestError> {
        let (from, to) = (self.place_of(key, REMOVED)?, self.place_of(key, KEPT)?);
        fs::rename(from, to).map_err(of_folder)
    }

    fn place(&self, key: &str, end: &str) -> PathBuf {
        self.path.join(format!("{key}.{end}"))
    }

    /// Returns the path of a file, if the key is one: it becomes a part of the path.
    fn place_of(&self, key: &str, end: &str) -> Result<PathBuf, RequestError> {
        if is_key(key) { Ok(self.place(key, end)) } else { Err(RequestError::NoKeptGame) }
    }
}

fn of_folder(error: io::Error) -> RequestError {
    match error.kind() {
        io::ErrorKind::NotFound => RequestError::NoKeptGame,
        _ => RequestError::GamesFolder(error),
    }
}

fn is_key(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == KEY_LENGTH && text.bytes().all(is_digit)
}

/// Returns the time in milliseconds since 1970.
fn now() -> u64 {
    milliseconds(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default())
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
