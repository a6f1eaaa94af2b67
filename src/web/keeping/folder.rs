//! The folder of kept games. Files are replaced as a whole, and only their owner can read them.

use std::fs::{self, DirBuilder, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::atomic_file;
use crate::web::state::Snapshot;
use crate::web::token::random_digits;

/// The maximum number of games that are listed, the newest ones.
const MAX_LISTED: usize = 200;

/// The time after which a removed game and the rest of a write that was cut off are deleted.
const REMAINS: Duration = Duration::from_secs(24 * 3600);

const KEPT: &str = "json";
const REMOVED: &str = "removed";

/// Hexadecimal digits of a key.
const KEY_LENGTH: usize = 32;

/// The name of a kept game: 32 hexadecimal digits, so that it can be the name of a file.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub(in crate::web) struct GameKey(String);

impl GameKey {
    fn random() -> io::Result<GameKey> {
        random_digits().map(GameKey).map_err(|error| io::Error::other(error.to_string()))
    }
}

impl FromStr for GameKey {
    type Err = ();

    fn from_str(text: &str) -> Result<GameKey, ()> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_key = text.len() == KEY_LENGTH && text.bytes().all(is_digit);
        is_key.then(|| GameKey(text.to_owned())).ok_or(())
    }
}

/// A kept game and the number of its last write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::web) struct KeptPlace {
    pub(in crate::web) key: GameKey,
    revision: u64,
}

/// The data of a game in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(in crate::web) struct GameSummary {
    pub(in crate::web) red: String,
    pub(in crate::web) black: String,
    pub(in crate::web) event: String,
    pub(in crate::web) date: String,
    pub(in crate::web) result: String,
    /// Half-moves of the main line.
    pub(in crate::web) plies: usize,
    /// The shown position.
    pub(in crate::web) fen: String,
    /// It is played, and has not ended.
    pub(in crate::web) is_going_on: bool,
}

/// A game in the list.
#[derive(Serialize)]
pub(in crate::web) struct ListedGame {
    key: GameKey,
    /// Milliseconds since 1970.
    changed: u64,
    #[serde(flatten)]
    summary: GameSummary,
}

#[derive(Serialize, Deserialize)]
struct FileHead {
    revision: u64,
    /// Milliseconds since 1970.
    changed: u64,
    summary: GameSummary,
}

#[derive(Serialize, Deserialize)]
struct KeptFile {
    head: FileHead,
    game: Snapshot,
}

/// A file of which the game is not read.
#[derive(Deserialize)]
struct HeadOnly {
    head: FileHead,
}

/// The folder of kept games.
#[derive(Clone, Debug)]
pub(in crate::web) struct GamesFolder {
    path: PathBuf,
}

impl GamesFolder {
    /// Opens a folder, which is created for its owner alone if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or no file can be created in it.
    pub(in crate::web) fn open(path: &Path) -> io::Result<GamesFolder> {
        create_private(path)?;
        let folder = GamesFolder { path: fs::canonicalize(path)? };
        atomic_file::check_writable(&folder.path.join("probe"))?;
        folder.delete_remains()?;
        Ok(folder)
    }

    /// The folder.
    pub(in crate::web) fn path(&self) -> &Path {
        &self.path
    }

    /// Deletes removed games and the rests of writes that were cut off.
    fn delete_remains(&self) -> io::Result<()> {
        for entry in self.entries()? {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let (stem, end) = name.split_once('.').unwrap_or((&name, ""));
            let is_rest = end == REMOVED || end.starts_with(KEPT) && end != KEPT;
            let is_old = age(&entry).is_some_and(|age| age > REMAINS);
            if stem.parse::<GameKey>().is_ok() && is_rest && is_old {
                // Another server on this folder may have done it.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    fn entries(&self) -> io::Result<Vec<DirEntry>> {
        Ok(fs::read_dir(&self.path)?.filter_map(Result::ok).collect())
    }

    fn file(&self, key: &GameKey, end: &str) -> PathBuf {
        self.path.join(format!("{}.{end}", key.0))
    }

    /// The newest games, the newest one first. Files that cannot be read are left out.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(in crate::web) fn list(&self) -> io::Result<Vec<ListedGame>> {
        let keyed = self.entries()?.into_iter().filter_map(|entry| {
            let name = entry.file_name();
            let key: GameKey = name.to_str()?.strip_suffix(".json")?.parse().ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, key))
        });
        let mut keyed: Vec<_> = keyed.collect();
        keyed.sort_by(|(a, _), (b, _)| b.cmp(a));
        let listed = keyed.into_iter().take(MAX_LISTED).filter_map(|(_, key)| {
            let FileHead { changed, summary, .. } = self.head(&key).ok()?;
            Some(ListedGame { key, changed, summary })
        });
        let mut listed: Vec<ListedGame> = listed.collect();
        listed.sort_by_key(|game| std::cmp::Reverse(game.changed));
        Ok(listed)
    }

    fn head(&self, key: &GameKey) -> io::Result<FileHead> {
        let bytes = fs::read(self.file(key, KEPT))?;
        Ok(serde_json::from_slice::<HeadOnly>(&bytes)?.head)
    }

    /// Reads a game.
    ///
    /// # Errors
    /// If there is no such game, or its file was damaged.
    pub(in crate::web) fn read(&self, key: &GameKey) -> io::Result<(KeptPlace, Snapshot)> {
        let bytes = fs::read(self.file(key, KEPT))?;
        let KeptFile { head, game } = serde_json::from_slice(&bytes)?;
        Ok((KeptPlace { key: key.clone(), revision: head.revision }, game))
    }

    /// Writes a game to its place. If there is none yet, or others have written or removed the file
    /// since, the game gets a new one, so that neither is lost.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(in crate::web) fn write(
        &self,
        place: Option<&KeptPlace>,
        summary: &GameSummary,
        game: &Snapshot,
    ) -> io::Result<KeptPlace> {
        let is_own = |place: &&KeptPlace| {
            self.head(&place.key).is_ok_and(|head| head.revision == place.revision)
        };
        let place = match place.filter(is_own) {
            Some(place) => KeptPlace { revision: place.revision + 1, ..place.clone() },
            None => KeptPlace { key: GameKey::random()?, revision: 1 },
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let head = FileHead {
            revision: place.revision,
            changed: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
            summary: summary.clone(),
        };
        let bytes = serde_json::to_vec(&KeptFile { head, game: game.clone() })?;
        atomic_file::replace_private(&self.file(&place.key, KEPT), &bytes)?;
        Ok(place)
    }

    /// Removes a game from the list. It can be restored for a day.
    ///
    /// # Errors
    /// If there is no such game.
    pub(in crate::web) fn remove(&self, key: &GameKey) -> io::Result<()> {
        fs::rename(self.file(key, KEPT), self.file(key, REMOVED))
    }

    /// Brings a removed game back.
    ///
    /// # Errors
    /// If there is no such game.
    pub(in crate::web) fn restore(&self, key: &GameKey) -> io::Result<()> {
        fs::rename(self.file(key, REMOVED), self.file(key, KEPT))
    }
}

fn age(entry: &DirEntry) -> Option<Duration> {
    entry.metadata().ok()?.modified().ok()?.elapsed().ok()
}

fn create_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}
