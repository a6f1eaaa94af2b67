//! The file of the games of a match: each is written as it ends, and a match that was stopped
//! continues from the games in the file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::super::game::{
    GameRecord, PgnStyle, RecordedGame, RecordedGameError, read_games, write_game,
};
use super::super::statistics::PlayerResult;
use super::schedule::Schedule;

/// Why a match cannot write to a file or continue from it.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file has the games of another match.
    #[error("{0} exists; give --resume to continue its match, or another file")]
    Exists(PathBuf),
    /// The file cannot be opened, read or written.
    #[error("cannot use the game file {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The text of the file is not that of games.
    #[error("cannot resume from {path}")]
    Pgn {
        /// The file.
        path: PathBuf,
        /// Why.
        source: RecordedGameError,
    },
    /// A game was broken off.
    #[error("{path}: game {round} has no result; remove it from the file to play it again")]
    NoResult {
        /// The file.
        path: PathBuf,
        /// The round of the game.
        round: String,
    },
    /// The games belong to another match.
    #[error(
        "{path}: game {round} of {red} and {black} is not in the plan of this match; resume with \
         the same engines, rounds and games"
    )]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The round of the game.
        round: String,
        /// Who was Red.
        red: String,
        /// Who was Black.
        black: String,
    },
}

/// A growing file of game records.
#[derive(Debug)]
pub struct Archive {
    file: File,
    style: PgnStyle,
}

impl Archive {
    /// Checks that [`Archive::create`] may use the path, and leaves everything as it is.
    ///
    /// # Errors
    /// If there is a file with content.
    pub fn check_new(path: &Path) -> Result<(), ArchiveError> {
        let has_content = path.metadata().is_ok_and(|data| data.is_file() && data.len() > 0);
        if has_content { Err(ArchiveError::Exists(path.to_owned())) } else { Ok(()) }
    }

    /// Creates a file; one that is not empty is an error and stays as it is.
    ///
    /// # Errors
    /// If the file cannot be created, or has content already.
    pub fn create(path: &Path, style: PgnStyle) -> Result<Archive, ArchiveError> {
        let archive = Archive::open(path, style)?;
        match archive.file.metadata() {
            Ok(data) if data.len() == 0 => Ok(archive),
            Ok(_) => Err(ArchiveError::Exists(path.to_owned())),
            Err(source) => Err(ArchiveError::File { path: path.to_owned(), source }),
        }
    }

    /// Continues a file: the numbers of its games in the schedule and their results for Red. The
    /// rest of a game that was cut off while it was written is removed.
    ///
    /// # Errors
    /// If the file cannot be read or written, or its games are not of this schedule.
    pub fn resume(
        path: &Path,
        style: PgnStyle,
        schedule: &Schedule,
        names: &[String],
    ) -> Result<(Archive, Vec<(u32, PlayerResult)>), ArchiveError> {
        let file_error = |source| ArchiveError::File { path: path.to_owned(), source };
        let mut archive = Archive::open(path, style)?;
        let mut text = String::new();
        archive.file.read_to_string(&mut text).map_err(file_error)?;
        let mut games = read_games(&text)
            .map_err(|source| ArchiveError::Pgn { path: path.to_owned(), source })?;
        games.retain(|game| game.is_complete);
        let end = games.last().map_or(0, |game| game.end);
        let number_of = |game: &RecordedGame| {
            let number = schedule.number_of(&game.round)?;
            let plan = schedule.plan(number)?;
            let fits = (0..2).all(|i| names.get(plan.engines[i]) == Some(&game.players[i]));
            fits.then_some(number)
        };
        let results = games.iter().map(|game| {
            let (path, round) = (path.to_owned(), game.round.clone());
            let Some(number) = number_of(game) else {
                let [red, black] = game.players.clone();
                return Err(ArchiveError::OtherMatch { path, round, red, black });
            };
            let result = game.result.ok_or(ArchiveError::NoResult { path, round })?;
            Ok((number, result))
        });
        let results = results.collect::<Result<Vec<_>, _>>()?;
        archive.file.set_len(end as u64).map_err(file_error)?;
        archive.file.seek(SeekFrom::End(0)).map_err(file_error)?;
        if end > 0 {
            archive.file.write_all(b"\n").map_err(file_error)?;
        }
        Ok((archive, results))
    }

    fn open(path: &Path, style: PgnStyle) -> Result<Archive, ArchiveError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|source| ArchiveError::File { path: path.to_owned(), source })?;
        Ok(Archive { file, style })
    }

    /// Writes a game in one piece.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, record: &GameRecord, round: &str) -> io::Result<()> {
        let text = write_game(record, round, &self.style);
        self.file.write_all(text.as_bytes())?;
        self.file.flush()
    }
}
