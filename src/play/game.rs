//! The game that is played, and its file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use cannonade_game::PlayedGame;
use cannonade_tables::atomic_file;
use jiff::Timestamp;
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, Problem, RecordError, TextEncoding, write};
use xiangqi::rules::{GameResult, Outcome, Regulations};

use super::SideChoice;
use crate::input;
use crate::output::print_error;

/// The name of the person in the files that are written.
pub(super) const PERSON: &str = "Player";

/// A game between a person and the engine, and its file.
pub(super) struct TerminalGame {
    played: PlayedGame,
    /// The main line of the file from which the game was loaded.
    loaded: Option<Vec<Move>>,
    /// The moves in the file to which the game was saved last, or from which it was loaded.
    saved: Vec<Move>,
    /// A file that holds this game and nothing else.
    file: Option<PathBuf>,
}

impl TerminalGame {
    /// Creates a game with these legal moves, each of which can be undone.
    pub(super) fn new(start: Position, moves: &[Move], regulations: Regulations) -> TerminalGame {
        TerminalGame::of(Game::new(start), moves, regulations)
    }

    fn of(record: Game, moves: &[Move], regulations: Regulations) -> TerminalGame {
        let mut played = PlayedGame::new(record, regulations);
        for &mv in moves {
            played.play(mv);
        }
        TerminalGame { played, loaded: None, saved: Vec::new(), file: None }
    }

    /// Reads the first game of a file, at the end of its main line. Prints other defects of the
    /// file and the number of its games, which are not errors.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the start or the main line of the game has a defect.
    pub(super) fn load(path: &Path, regulations: Regulations) -> anyhow::Result<TerminalGame> {
        let mut collection = input::read_collection(path)?;
        let is_utf8 = !collection.kind.is_text() || collection.encoding == TextEncoding::Utf8;
        let count = collection.games.len();
        let is_whole = count == 1 && collection.problems.is_empty() && is_utf8;
        collection.problems.retain(|problem| problem.game == 1);
        let is_unplayable = |problem: &&Problem| {
            problem.affects_main_line() || matches!(problem.defect, RecordError::Start(_))
        };
        if let Some(problem) = collection.problems.iter().find(is_unplayable) {
            return Err(problem.clone()).with_context(|| input::name(path));
        }
        let record = collection.games.into_iter().next().context("the file holds no game")?;
        input::report_defects(path, &collection.problems);
        if count > 1 {
            let name = input::name(path);
            print_error(format_args!("{name} holds {count} games; this is the first one"));
        }
        let moves = record.moves();
        let mut game = TerminalGame::of(record, &moves, regulations);
        // A file that holds more than this game must not be overwritten by it.
        game.file = is_whole.then(|| path.to_owned());
        (game.loaded, game.saved) = (Some(moves.clone()), moves);
        Ok(game)
    }

    /// Returns the side of the person if the game was loaded from a file that `play` saved.
    pub(super) fn side_of_person(&self) -> Option<SideChoice> {
        self.loaded.as_ref()?;
        let is_person = |name| self.played.record().tag(name) == Some(PERSON);
        match (is_person("Red"), is_person("Black")) {
            (true, true) => Some(SideChoice::Both),
            (true, false) => Some(SideChoice::Red),
            (false, true) => Some(SideChoice::Black),
            (false, false) => None,
        }
    }

    /// Returns the file that holds this game and nothing else.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Checks that the game can be saved to this file.
    ///
    /// # Errors
    /// If the kind of file cannot be written, or the file exists and is not [`Self::file`].
    pub(super) fn check_target(&self, path: &Path) -> anyhow::Result<FileKind> {
        ensure!(path != Path::new("-"), "'-' is not a file here; give the name of a file");
        // Anything but a regular file, such as /dev/null, is written to and not replaced.
        let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
        let is_own = || self.file.as_ref().is_some_and(|file| atomic_file::is_same(file, path));
        let name = path.display();
        ensure!(
            !is_file || is_own(),
            "{name} exists and holds something else; choose another name"
        );
        Ok(FileKind::of_path(path)?.unwrap_or(FileKind::Pgn))
    }

    /// Writes the game to a file, as the kind that its name shows or else as PGN; `players` are the
    /// names of Red and Black.
    ///
    /// # Errors
    /// As [`Self::check_target`]; if the file cannot be written or its kind cannot hold the game.
    pub(super) fn save(&mut self, path: &Path, players: [&str; 2]) -> anyhow::Result<()> {
        let kind = self.check_target(path)?;
        let mut record = self.record();
        if self.loaded.is_none() {
            record.set_tag("Event", "Casual game")?;
            record.set_tag("Date", Timestamp::now().strftime("%Y.%m.%d").to_string())?;
            record.set_tag("Red", players[0])?;
            record.set_tag("Black", players[1])?;
        }
        let bytes = write(&[record], kind, Notation::Iccs, TextEncoding::Utf8)?;
        atomic_file::replace(path, &bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
        (self.file, self.saved) = (Some(path.to_owned()), self.played.moves());
        Ok(())
    }

    /// Returns the record, with the moves of this game as its main line, and its result.
    fn record(&self) -> Game {
        let (mut record, moves) = (self.played.record().clone(), self.played.moves());
        let main_line = self.loaded.as_deref().unwrap_or_default();
        if main_line != moves {
            let last = self.played.node();
            record.promote(last);
            if main_line.starts_with(&moves) {
                // The moves after it were undone.
                for child in record.children(last).to_vec() {
                    record.remove(child);
                }
            }
            record.result = GameResult::Unknown;
        }
        if let Some(end) = self.played.outcome() {
            record.result = end.result();
        }
        record
    }

    pub(super) fn played(&self) -> &PlayedGame {
        &self.played
    }

    /// Returns the current position with its history.
    pub(super) fn position(&self) -> &Position {
        self.played.position()
    }

    /// Returns the end of the game by the rules, if it is over.
    pub(super) fn end(&self) -> Option<Outcome> {
        self.played.outcome()
    }

    /// Returns whether the file has other moves.
    pub(super) fn is_unsaved(&self) -> bool {
        self.saved != self.played.moves()
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        self.played.play(mv);
    }

    /// Takes back moves until it is the turn of the person for the `count`th time, or the first
    /// time in the game. Returns whether the person had moved.
    pub(super) fn undo(&mut self, count: usize, side: SideChoice) -> bool {
        let first = self.played.record().start().side();
        let is_own =
            |ply: &usize| side.includes(if ply.is_multiple_of(2) { first } else { !first });
        let turns = (0..self.position().ply()).rev().filter(is_own);
        let Some(target) = turns.take(count).last() else { return false };
        while self.position().ply() > target && self.played.undo() {}
        true
    }

    /// Returns the flags of a command line that continues the game.
    pub(super) fn flags(&self) -> String {
        let fen = self.played.record().start().fen();
        let start = if fen == START_FEN { String::new() } else { format!(" --fen '{fen}'") };
        let moves: Vec<String> = self.played.moves().iter().map(Move::to_string).collect();
        if moves.is_empty() { start } else { format!("{start} --moves {}", moves.join(" ")) }
    }
}
