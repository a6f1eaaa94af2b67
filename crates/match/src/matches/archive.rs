//! The file of the games of a match: each is written as it ends, and a match that was stopped
//! continues from the games in the file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cannonade_tables::file_lock::try_lock;
use thiserror::Error;
use xiangqi::board::{Position, START_FEN};
use xiangqi::rules::Wdl;

use super::super::engine::FaultKind;
use super::super::game::{
    GameRecord, PgnStyle, RecordedGame, RecordedGameError, read_games, write_game,
};
use super::runner::MatchSetup;

/// The reason why a match cannot write to a file or continue from it.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file has the games of another match.
    #[error("{0} exists; give --resume to continue its match, or another file")]
    Exists(PathBuf),
    /// The file cannot be opened, read or written.
    #[error("cannot read or write the game file {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another match writes to the file.
    #[error("{0} is being written by another match; wait for its end, or give another file")]
    Busy(PathBuf),
    /// The file does not hold games.
    #[error("cannot resume from {path}")]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The error of the text.
        source: RecordedGameError,
    },
    /// The file holds something else than finished games and one that was cut off.
    #[error(
        "{path}: the text from line {line} on is not a game of this match; remove it, or give \
         another file"
    )]
    Rest {
        /// The file.
        path: PathBuf,
        /// The number of its first line, from 1.
        line: usize,
    },
    /// A game is not one of this match, or was played in another way.
    #[error("{path}: {game}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The game and the difference.
        game: Box<OtherGame>,
    },
}

/// The reason why a recorded game does not count in a match.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OtherGame {
    /// It was broken off.
    #[error("game {round} has no result; remove it from the file to play it again")]
    NoResult {
        /// Its round.
        round: String,
    },
    /// It belongs to another match.
    #[error(
        "game {round} of {red} and {black} is not in the plan of this match; resume with the same \
         engines, rounds and games"
    )]
    Unplanned {
        /// Its round.
        round: String,
        /// The name of the player with Red.
        red: String,
        /// The name of the player with Black.
        black: String,
    },
    /// It was played with another time control.
    #[error(
        "in game {round} {player} had the limit '{was}', now it is '{now}'; resume with the same \
         limits, or give another file"
    )]
    Limit {
        /// Its round.
        round: String,
        /// The engine.
        player: String,
        /// Its time control in the game.
        was: String,
        /// Its time control now.
        now: String,
    },
    /// It was played by other rules.
    #[error(
        "game {round} was played by the rules '{was}', now they are '{now}'; resume with the same \
         --rules, --resign, --draw and --maxmoves, or give another file"
    )]
    Rules {
        /// Its round.
        round: String,
        /// The rules of the game.
        was: String,
        /// Those of this match.
        now: String,
    },
    /// It was played by another version of an engine, or with other options.
    #[error(
        "in game {round} {player} was '{was}', now it is '{now}'; resume with the same program and \
         options, or give another file"
    )]
    Engine {
        /// Its round.
        round: String,
        /// The engine.
        player: String,
        /// Its version and options in the game.
        was: String,
        /// Its version and options in this match.
        now: String,
    },
    /// It began in another position.
    #[error(
        "game {round} began in another position than in this match; resume with the same openings, \
         order and seed, or give another file"
    )]
    Opening {
        /// Its round.
        round: String,
    },
}

/// A game of the match that was played before.
pub(super) struct EarlierGame {
    /// Its number in the schedule.
    pub(super) number: u32,
    /// Its result for Red.
    pub(super) result: Wdl,
    /// The kind of its end.
    pub(super) ending: String,
    /// The name of the engine that lost it by a fault of this kind.
    pub(super) faulty: Option<String>,
}

/// A growing file of game records, which no other match can write to (on Unix).
#[derive(Debug)]
pub(super) struct Archive {
    path: PathBuf,
    file: File,
    style: PgnStyle,
}

impl Archive {
    /// Checks that [`Archive::create`] may use the path, without changing anything.
    ///
    /// # Errors
    ///
    /// If there is a file with content.
    pub(super) fn check_new(path: &Path) -> Result<(), ArchiveError> {
        let has_content = path.metadata().is_ok_and(|data| data.is_file() && data.len() > 0);
        if has_content { Err(ArchiveError::Exists(path.to_owned())) } else { Ok(()) }
    }

    /// Returns the time that distinguishes the match from others: of a resumed one that of its
    /// first part.
    pub(super) fn match_began(&self) -> &str {
        &self.style.match_began
    }

    /// Creates a file; one that is not empty is an error and is left unchanged.
    ///
    /// # Errors
    ///
    /// If the file cannot be created, or has content already.
    pub(super) fn create(path: &Path, style: PgnStyle) -> Result<Archive, ArchiveError> {
        let archive = Archive::open(path, style)?;
        match archive.file.metadata() {
            Ok(data) if data.len() == 0 => Ok(archive),
            Ok(_) => Err(ArchiveError::Exists(path.to_owned())),
            Err(source) => Err(ArchiveError::File { path: path.to_owned(), source }),
        }
    }

    /// Continues a file: returns its games. A last game that was cut off while it was written is
    /// removed.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or holds anything else than games of this match.
    pub(super) fn resume(
        path: &Path,
        style: PgnStyle,
        setup: &MatchSetup,
    ) -> Result<(Archive, Vec<EarlierGame>), ArchiveError> {
        let file_error = |source| ArchiveError::File { path: path.to_owned(), source };
        let mut archive = Archive::open(path, style)?;
        let mut bytes = Vec::new();
        archive.file.read_to_end(&mut bytes).map_err(file_error)?;
        let text = text_before_a_cut(&bytes).map_err(file_error)?;
        let mut games = read_games(text)
            .map_err(|source| ArchiveError::Pgn { path: path.to_owned(), source })?;
        games.retain(|game| game.is_complete);
        let end = games.last().map_or(0, |game| game.end);
        let earlier = games.iter().map(|game| earlier_game(game, setup, &archive.style));
        let earlier = earlier.collect::<Result<Vec<_>, _>>();
        let other = |game| ArchiveError::Game { path: path.to_owned(), game: Box::new(game) };
        let earlier = earlier.map_err(other)?;
        if let Some(began) = games.first().and_then(|game| game.match_began.clone()) {
            archive.style.match_began = began;
        }
        if !is_cut_game(&text[end..], end > 0, &archive.style.match_began) {
            let line = text[..end].matches('\n').count() + 1;
            return Err(ArchiveError::Rest { path: path.to_owned(), line });
        }
        archive.file.set_len(end as u64).map_err(file_error)?;
        archive.file.seek(SeekFrom::End(0)).map_err(file_error)?;
        if end > 0 {
            archive.file.write_all(b"\n").map_err(file_error)?;
        }
        Ok((archive, earlier))
    }

    fn open(path: &Path, style: PgnStyle) -> Result<Archive, ArchiveError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|source| ArchiveError::File { path: path.to_owned(), source })?;
        if !try_lock(&file) {
            return Err(ArchiveError::Busy(path.to_owned()));
        }
        Ok(Archive { path: path.to_owned(), file, style })
    }

    /// Writes a game in one piece.
    ///
    /// # Errors
    /// If the file cannot be written; then the part that was written is removed, since a game after
    /// it could not be read.
    pub(super) fn append(&mut self, record: &GameRecord, round: &str) -> Result<(), ArchiveError> {
        let text = write_game(record, round, &self.style);
        let begin = self.file.stream_position();
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        // A pipe has no position, and keeps the part.
        if written.is_err()
            && let Ok(begin) = begin
        {
            let cut = self.file.set_len(begin);
            let _ = cut.and_then(|()| self.file.seek(SeekFrom::Start(begin)));
        }
        written.map_err(|source| ArchiveError::File { path: self.path.clone(), source })
    }
}

/// Returns the text of a file that may end within a character.
///
/// # Errors
/// If it is not UTF-8 for another reason.
fn text_before_a_cut(bytes: &[u8]) -> io::Result<&str> {
    let error = match str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    match (error.error_len(), bytes.get(..error.valid_up_to()).map(str::from_utf8)) {
        (None, Some(Ok(text))) => Ok(text),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
    }
}

/// Returns whether the rest of a file is empty or, after games of the match, the beginning of
/// another one.
fn is_cut_game(rest: &str, follows_games: bool, match_began: &str) -> bool {
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let is_of_match = |game: &RecordedGame| match &game.match_began {
        Some(began) => began == match_began,
        None => rest.lines().all(|line| line.starts_with('[')),
    };
    rest.is_empty()
        || follows_games
            && rest.starts_with('[')
            && read_games(rest).is_ok_and(|games| games.len() <= 1 && games.iter().all(is_of_match))
}

/// Returns a recorded game as one of the match.
///
/// # Errors
/// If it has no result, is of other engines, or was played in another way than the match plays it.
fn earlier_game(
    game: &RecordedGame,
    setup: &MatchSetup,
    style: &PgnStyle,
) -> Result<EarlierGame, OtherGame> {
    let number = number_of(game, setup, style)?;
    let result = game.result.ok_or_else(|| OtherGame::NoResult { round: game.round.clone() })?;
    let reason = game.termination.as_deref().unwrap_or("unknown");
    let fault = FaultKind::of_termination(reason).map(FaultKind::text);
    let [red, black] = &game.players;
    let loser = match result {
        Wdl::Win => Some(black),
        Wdl::Loss => Some(red),
        Wdl::Draw => None,
    };
    Ok(EarlierGame {
        number,
        result,
        ending: fault.unwrap_or(reason).to_owned(),
        faulty: fault.and(loser).cloned(),
    })
}

/// Returns the number of a recorded game in the schedule.
///
/// # Errors
/// If it is of other engines, or was played in another way than the match plays it.
fn number_of(game: &RecordedGame, setup: &MatchSetup, style: &PgnStyle) -> Result<u32, OtherGame> {
    let round = game.round.clone();
    let plan = setup.schedule.number_of(&game.round).and_then(|number| setup.schedule.plan(number));
    let engines = plan.map(|plan| plan.engines.map(|engine| &*setup.engines[engine]));
    let fits = engines
        .is_some_and(|engines| engines.map(|engine| &engine.name) == game.players.each_ref());
    let (Some(plan), Some(engines), true) = (plan, engines, fits) else {
        let [red, black] = game.players.clone();
        return Err(OtherGame::Unplanned { round, red, black });
    };
    // What the record does not tell is taken to be equal.
    let differs = |was: Option<&String>, now: &str| was.filter(|was| *was != now).cloned();
    for (engine, was) in engines.iter().zip(&game.controls) {
        let now = engine.control.to_string();
        if let Some(was) = differs(was.as_ref(), &now) {
            return Err(OtherGame::Limit { round, player: engine.name.clone(), was, now });
        }
    }
    for (index, was) in plan.engines.into_iter().zip(&game.engines) {
        let now = style.engines.get(index).cloned().unwrap_or_default();
        if let Some(was) = differs(was.as_ref(), &now) {
            let player = setup.engines[index].name.clone();
            return Err(OtherGame::Engine { round, player, was, now });
        }
    }
    if let Some(was) = differs(game.rules.as_ref(), &style.rules) {
        return Err(OtherGame::Rules { round, was, now: style.rules.clone() });
    }
    let start = Position::from_fen(game.start.as_deref().unwrap_or(START_FEN));
    if !start.is_ok_and(|start| start.fen() == setup.openings.opening(plan.opening).fen()) {
        return Err(OtherGame::Opening { round });
    }
    Ok(plan.number)
}
