//! The kept games: a file for each.

use std::io;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::storage::{FolderStorage, GameStorage, MemoryStorage, now};
use crate::state::Snapshot;
use crate::token::random_digits;

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
pub(crate) struct GameKey(String);

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
pub(crate) struct KeptPlace {
    pub(crate) key: GameKey,
    revision: u64,
}

/// The data of a game in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct GameSummary {
    pub(crate) red: String,
    pub(crate) black: String,
    pub(crate) event: String,
    pub(crate) date: String,
    pub(crate) result: String,
    /// Half-moves of the main line.
    pub(crate) plies: usize,
    /// The shown position.
    pub(crate) fen: String,
    /// True if the game is played and has not ended.
    pub(crate) is_going_on: bool,
}

#[derive(Serialize)]
pub(crate) struct ListedGame {
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

/// The head of a file, without its game.
#[derive(Deserialize)]
struct HeadOnly {
    head: FileHead,
}

/// The folder of kept games, or what takes its place.
#[derive(Clone)]
pub(crate) struct GamesFolder {
    name: String,
    files: Arc<dyn GameStorage>,
    /// When the last game was written.
    last_change: Arc<Mutex<u64>>,
}

impl GamesFolder {
    /// Opens a folder, which is created for its owner alone if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or no file can be created in it.
    pub(crate) fn open(path: &Path) -> io::Result<GamesFolder> {
        let files = FolderStorage::open(path)?;
        let name = files.path().display().to_string();
        let folder = GamesFolder { name, files: Arc::new(files), last_change: Arc::default() };
        folder.delete_remains()?;
        Ok(folder)
    }

    /// Keeps games in memory, for a page that has its browser keep them.
    pub(crate) fn in_memory(name: &str, files: Arc<MemoryStorage>) -> GamesFolder {
        let folder = GamesFolder { name: name.to_owned(), files, last_change: Arc::default() };
        // Memory has a list of its files.
        let _ = folder.delete_remains();
        folder
    }

    /// Returns the path of the folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Deletes removed games and the rests of writes that were cut off.
    fn delete_remains(&self) -> io::Result<()> {
        for file in self.files.names()? {
            let (stem, end) = file.name.split_once('.').unwrap_or((&file.name, ""));
            let is_rest = end == REMOVED || end.starts_with(KEPT) && end != KEPT;
            let age = Duration::from_millis(now().saturating_sub(file.modified));
            if stem.parse::<GameKey>().is_ok() && is_rest && age > REMAINS {
                // Another server on this folder may have done it.
                let _ = self.files.remove(&file.name);
            }
        }
        Ok(())
    }

    /// Returns the newest games, the newest one first. Files that cannot be read are left out.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn list(&self) -> io::Result<Vec<ListedGame>> {
        let keyed = self.files.names()?.into_iter().filter_map(|file| {
            let key: GameKey = file.name.strip_suffix(".json")?.parse().ok()?;
            Some((file.modified, key))
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
        let bytes = self.files.read(&file_name(key, KEPT))?;
        Ok(serde_json::from_slice::<HeadOnly>(&bytes)?.head)
    }

    /// Reads a game.
    ///
    /// # Errors
    /// If there is no such game, or its file was damaged.
    pub(crate) fn read(&self, key: &GameKey) -> io::Result<(KeptPlace, Snapshot)> {
        let bytes = self.files.read(&file_name(key, KEPT))?;
        let KeptFile { head, game } = serde_json::from_slice(&bytes)?;
        Ok((KeptPlace { key: key.clone(), revision: head.revision }, game))
    }

    /// Writes a game to its place. If there is none yet, or others have written or removed the file
    /// since, the game gets a new one, so that neither is lost.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(
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
        let changed = self.time_of_change();
        let head = FileHead { revision: place.revision, changed, summary: summary.clone() };
        let bytes = serde_json::to_vec(&KeptFile { head, game: game.clone() })?;
        self.files.replace(&file_name(&place.key, KEPT), &bytes)?;
        Ok(place)
    }

    /// Returns the time, but a later one than before, so that games written in one millisecond
    /// keep their order.
    fn time_of_change(&self) -> u64 {
        let mut last = self.last_change.lock();
        *last = now().max(last.saturating_add(1));
        *last
    }

    /// Removes a game from the list. It can be restored for a day.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn remove(&self, key: &GameKey) -> io::Result<()> {
        self.files.rename(&file_name(key, KEPT), &file_name(key, REMOVED))
    }

    /// Brings a removed game back.
    ///
    /// # Errors
    /// If there is no such game.
    pub(crate) fn restore(&self, key: &GameKey) -> io::Result<()> {
        self.files.rename(&file_name(key, REMOVED), &file_name(key, KEPT))
    }
}

fn file_name(key: &GameKey, end: &str) -> String {
    format!("{}.{end}", key.0)
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;
    use xiangqi::records::Game;

    use super::*;
    use crate::state::SessionState;

    #[test]
    fn games_written_in_one_millisecond_are_listed_with_the_last_one_first() {
        let folder =
            GamesFolder::in_memory("memory", Arc::new(MemoryStorage::new(Box::new(|_, _| {}))));
        let game = SessionState::new(Game::new(Position::default())).snapshot();
        let summary = GameSummary {
            red: String::new(),
            black: String::new(),
            event: String::new(),
            date: String::new(),
            result: "*".to_owned(),
            plies: 0,
            fen: String::new(),
            is_going_on: false,
        };
        let write = |_| folder.write(None, &summary, &game).expect("memory").key;
        let written: Vec<GameKey> = (0..50).map(write).collect();
        let listed = folder.list().expect("memory").into_iter().map(|game| game.key);
        assert_eq!(listed.rev().collect::<Vec<_>>(), written);
    }
}
