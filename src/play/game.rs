//! The game that is played, and its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use cannonade_game::{ChangeKind, ClockControl, GameClock, GameEnd, PlayedGame};
use cannonade_tables::atomic_file;
use jiff::Timestamp;
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, NodeId, Problem, RecordError, TextEncoding, write};
use xiangqi::rules::{GameResult, Regulations};

use super::move_times;
use super::side_choice::SideChoice;
use crate::input;

/// The name of the person in the files that are written.
pub(super) const PERSON: &str = "Player";

/// A game between a person and the engine, and its files.
#[derive(Clone)]
pub(super) struct TerminalGame {
    game: PlayedGame,
    /// The content of the last file that the game was loaded from or saved to.
    saved: Option<SavedGame>,
    /// The main line of the file that the game was loaded from.
    loaded: Option<Vec<Move>>,
    /// The files that hold this game and no other one.
    files: Vec<PathBuf>,
    /// The time that the mover had left after a move.
    times: BTreeMap<NodeId, Duration>,
}

/// The main line of a file, and an end otherwise than by the rules.
#[derive(Clone)]
struct SavedGame {
    moves: Vec<Move>,
    forfeit: Option<GameEnd>,
}

/// A game that was read from a file.
pub(super) struct LoadedGame {
    pub(super) game: TerminalGame,
    pub(super) rest: RestOfFile,
}

/// The rest of a file, besides the moves that were loaded.
pub(super) struct RestOfFile {
    /// The number of games.
    pub(super) games: usize,
    /// The defects of the game that was loaded: of its variations and its bytes.
    pub(super) defects: Vec<Problem>,
    /// The encoding of the text if it is not the one that is written.
    pub(super) encoding: Option<TextEncoding>,
}

impl TerminalGame {
    /// Creates a game with these legal moves, and a clock if there is a time.
    pub(super) fn new(
        start: Position,
        moves: &[Move],
        regulations: Regulations,
        time: Option<ClockControl>,
    ) -> TerminalGame {
        let game = played(Game::new(start), moves, regulations, time);
        let (files, times) = (Vec::new(), BTreeMap::new());
        TerminalGame { game, saved: None, loaded: None, files, times }
    }

    /// Reads the first game of a file; defects of its other games do not matter. Without a time the
    /// clocks of the file go on.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the start or the main line of the game has a defect.
    pub(super) fn load(
        path: &Path,
        regulations: Regulations,
        time: Option<ClockControl>,
    ) -> anyhow::Result<LoadedGame> {
        let collection = input::read_collection(path)?;
        let games = collection.games.len();
        let is_whole = games == 1 && collection.problems.is_empty();
        let mut defects = collection.problems;
        defects.retain(|problem| problem.game == 1);
        let is_unplayable = |problem: &Problem| {
            problem.affects_main_line() || matches!(problem.defect, RecordError::Start(_))
        };
        if let Some(at) = defects.iter().position(is_unplayable) {
            return Err(defects.swap_remove(at)).with_context(|| input::name(path));
        }
        let is_other = collection.kind.is_text() && collection.encoding != TextEncoding::Utf8;
        let encoding = is_other.then_some(collection.encoding);
        let record = collection.games.into_iter().next().context("the file holds no game")?;
        let mut game = TerminalGame::loaded(record, regulations, time);
        // A file that holds more than was read is not replaced by this game.
        if is_whole {
            game.files.extend(fs::canonicalize(path));
        }
        Ok(LoadedGame { game, rest: RestOfFile { games, defects, encoding } })
    }

    /// Plays the main line of a record. With another time the times of the record are dropped.
    fn loaded(
        mut record: Game,
        regulations: Regulations,
        time: Option<ClockControl>,
    ) -> TerminalGame {
        let moves = record.moves();
        let kept = if time.is_none() { move_times::read(&record) } else { None };
        if time.is_some() {
            move_times::remove(&mut record);
        }
        let game = match kept {
            Some((control, times)) => {
                let mut game = played(record, &[], regulations, Some(control));
                for (&mv, time) in moves.iter().zip(times) {
                    game.change(ChangeKind::Move, |game| {
                        let side = game.game().position().side();
                        if let (Some(clock), Some(time)) = (game.clock_mut(), time) {
                            clock.end_turn_with(side, time);
                        }
                        game.play(mv);
                    });
                }
                game
            }
            None => played(record, &moves, regulations, time),
        };
        let (files, times) = (Vec::new(), BTreeMap::new());
        let saved = Some(SavedGame { moves: moves.clone(), forfeit: None });
        TerminalGame { game, saved, loaded: Some(moves), files, times }
    }

    /// Returns the side of the person if the game was loaded from a file that was saved here.
    pub(super) fn side_of_person(&self) -> Option<SideChoice> {
        self.loaded.as_ref()?;
        let record = self.game.record();
        let is_person = |name: &str| record.tag(name) == Some(PERSON);
        match (is_person("Red"), is_person("Black")) {
            (true, true) => Some(SideChoice::Both),
            (true, false) => Some(SideChoice::Red),
            (false, true) => Some(SideChoice::Black),
            (false, false) => None,
        }
    }

    /// Returns whether the path is a file with anything but this game: it was neither loaded from
    /// there nor saved there.
    pub(super) fn would_replace_another(&self, path: &Path) -> bool {
        // A path that is not a file, such as /dev/stdout, is written to but not replaced.
        let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
        is_file && !fs::canonicalize(path).is_ok_and(|path| self.files.contains(&path))
    }

    /// Writes the game to a file, as the kind that its name shows or else as PGN; `players` are the
    /// names of Red and Black.
    pub(super) fn save(&mut self, path: &Path, players: [&str; 2]) -> anyhow::Result<()> {
        let kind = FileKind::of_path(path)?.unwrap_or(FileKind::Pgn);
        let mut record = self.record();
        if kind == FileKind::Pgn {
            move_times::write(&self.times, &mut record);
        }
        if self.loaded.is_none() {
            record.set_tag("Event", "Casual game")?;
            record.set_tag("Date", Timestamp::now().strftime("%Y.%m.%d").to_string())?;
            record.set_tag("Red", players[0])?;
            record.set_tag("Black", players[1])?;
        }
        if let Some(time) = self.time() {
            record.set_tag("TimeControl", time.to_string())?;
        }
        let bytes = write(&[record], kind, Notation::Iccs, TextEncoding::Utf8)?;
        atomic_file::replace(path, &bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
        self.files.extend(fs::canonicalize(path));
        self.saved = Some(SavedGame { moves: self.game.moves(), forfeit: self.game.forfeit() });
        Ok(())
    }

    /// Returns the record, with the moves of this game as its main line, and its result.
    fn record(&self) -> Game {
        let (mut record, moves) = (self.game.record().clone(), self.game.moves());
        let main_line = self.loaded.as_deref().unwrap_or_default();
        if main_line != moves {
            let last = self.game.node();
            record.promote(last);
            if main_line.starts_with(&moves) {
                // The moves after it were undone.
                for child in record.children(last).to_vec() {
                    record.remove(child);
                }
            }
            record.result = GameResult::Unknown;
        }
        if let Some(end) = self.game.end() {
            record.result = end.result();
        }
        record
    }

    pub(super) fn game(&self) -> &PlayedGame {
        &self.game
    }

    /// Returns the current position with its history.
    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    /// Returns the end of the game, if it is over.
    pub(super) fn end(&self) -> Option<GameEnd> {
        self.game.end()
    }

    /// Returns the time control of the clocks.
    pub(super) fn time(&self) -> Option<ClockControl> {
        self.game.clock().map(GameClock::control)
    }

    pub(super) fn clock_mut(&mut self) -> Option<&mut GameClock> {
        self.game.clock_mut()
    }

    /// Returns whether there are moves, or an end otherwise than by the rules, that the last file
    /// does not have.
    pub(super) fn is_unsaved(&self) -> bool {
        let forfeit = self.game.forfeit();
        let has_all = |saved: &SavedGame| {
            saved.moves.starts_with(&self.game.moves())
                && (forfeit.is_none() || forfeit == saved.forfeit)
        };
        self.game.position().ply() > 0 && !self.saved.as_ref().is_some_and(has_all)
    }

    /// Makes a legal move in time.
    pub(super) fn play(&mut self, mv: Move) {
        let (mover, now) = (self.game.position().side(), Instant::now());
        self.game.play_in_time(mv, now);
        if let Some(clock) = self.game.clock() {
            self.times.insert(self.game.node(), clock.left(mover, now));
        }
    }

    /// Undoes the last move. Returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        self.game.last_change() == Some(ChangeKind::Move) && self.game.undo().is_some()
    }

    /// Redoes the last move that was undone. Returns whether there was one.
    pub(super) fn redo(&mut self) -> bool {
        self.game.last_undone() == Some(ChangeKind::Move) && self.game.redo().is_some()
    }

    /// Ends the game by resignation.
    pub(super) fn resign(&mut self, side: Color) {
        self.game.resign(side);
    }

    /// Ends the game as a draw to which both sides agree.
    pub(super) fn agree_to_draw(&mut self) {
        self.game.agree_to_draw();
    }

    /// Ends the game because the time of a side has run out.
    pub(super) fn lose_on_time(&mut self, side: Color) {
        self.game.lose_on_time(side);
    }

    /// Continues a game that ended otherwise than by the rules. Returns whether it had.
    pub(super) fn continue_after_forfeit(&mut self) -> bool {
        self.game.forfeit().is_some() && self.game.undo().is_some()
    }

    /// Returns the flags of a command line that continues the game.
    pub(super) fn flags(&self) -> String {
        let fen = self.game.record().start().fen();
        let start = if fen == START_FEN { String::new() } else { format!(" --fen '{fen}'") };
        let moves: Vec<String> = self.game.moves().iter().map(Move::to_string).collect();
        format!("{start} --moves {}", moves.join(" "))
    }
}

/// Returns the game of a record after these moves, each of which can be undone.
fn played(
    record: Game,
    moves: &[Move],
    regulations: Regulations,
    time: Option<ClockControl>,
) -> PlayedGame {
    let mut game = PlayedGame::new(record, regulations);
    game.set_clock(time.map(|control| GameClock::new(control, Duration::ZERO)));
    for &mv in moves {
        game.play(mv);
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut TerminalGame, moves: &[&str]) {
        for text in moves {
            let mv = game.position().parse_move(text).expect("a legal move");
            game.play(mv);
        }
    }

    fn game(moves: &[&str]) -> TerminalGame {
        let mut game = TerminalGame::new(Position::startpos(), &[], Regulations::default(), None);
        play(&mut game, moves);
        game
    }

    fn loaded(text: &str) -> TerminalGame {
        let record = xiangqi::records::read(text.as_bytes()).games.remove(0);
        TerminalGame::loaded(record, Regulations::default(), None)
    }

    #[test]
    fn moves_are_taken_back_and_made_again() {
        let mut game = game(&["h2e2", "h9g7"]);
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!(game.position().fen(), START_FEN);
        assert!(game.redo() && game.redo() && !game.redo());
        assert_eq!(game.position().ply(), 2);
        game.undo();
        play(&mut game, &["b9c7"]);
        assert!(!game.redo(), "another move was made instead");
    }

    #[test]
    fn a_repetition_is_seen_before_it_is_ruled() {
        let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
        let mut game = game(&turn);
        assert_eq!(game.game().repetition().map(|found| found.times), Some(2));
        assert_eq!(game.end(), None);
        play(&mut game, &["h0g2", "h9g7", "g2h0"]);
        let last = game.position().parse_move("g7h9").expect("a legal move");
        let outcome = game.game().outcome_after(last);
        assert!(outcome.is_some_and(|outcome| outcome.winner.is_none()));
        game.play(last);
        assert!(matches!(game.end(), Some(end) if end.winner.is_none()));
    }

    #[test]
    fn a_loaded_record_keeps_what_it_has() {
        let mut game = loaded("[Event \"x\"]\n\n1. h2e2 {a} h9g7 (1... b9c7) 2. h0g2 1-0");
        let same = game.record();
        assert_eq!((same.len(), same.result), (4, GameResult::RedWins));
        let mut longer = game.clone();
        play(&mut longer, &["i9h9"]);
        let record = longer.record();
        assert_eq!((record.moves().len(), record.result), (4, GameResult::Unknown));
        assert!(game.undo());
        let shorter = game.record();
        assert_eq!((shorter.moves().len(), shorter.result), (2, GameResult::Unknown));
        assert!(game.undo());
        play(&mut game, &["b9c7"]);
        let other = game.record();
        assert_eq!(other.moves(), game.game().moves());
        assert_eq!(
            (other.tag("Event"), other.len()),
            (Some("x"), 4),
            "with the old line as a variation"
        );
    }

    #[test]
    fn a_variation_that_is_played_in_part_keeps_its_other_moves() {
        let mut game = loaded("1. h2e2 h9g7 (1... b9c7 2. h0g2 {a} a9b9) 2. b0c2 *");
        let moves = game.record().len();
        assert!(game.undo() && game.undo());
        play(&mut game, &["b9c7"]);
        let record = game.record();
        assert_eq!(record.len(), moves);
        let played: Vec<_> = record.moves().iter().map(ToString::to_string).collect();
        assert_eq!(played, ["h2e2", "b9c7", "h0g2", "a9b9"]);
    }

    #[test]
    fn the_flags_of_a_game_are_its_start_and_its_moves() {
        assert_eq!(game(&["h2e2", "h9g7"]).flags(), " --moves h2e2 h9g7");
    }

    #[test]
    fn a_game_that_was_given_up_is_not_saved_and_can_go_on() {
        let mut game = game(&["h2e2"]);
        game.saved = Some(SavedGame { moves: game.game().moves(), forfeit: None });
        assert!(!game.is_unsaved() && !game.continue_after_forfeit());
        game.resign(Color::Black);
        assert!(game.is_unsaved() && game.end().is_some());
        assert!(game.continue_after_forfeit());
        assert_eq!(game.end(), None);
    }

    #[test]
    fn a_game_is_unsaved_while_it_has_what_no_file_has() {
        let mut game = loaded("1. h2e2 h9g7 *");
        assert!(!game.is_unsaved());
        assert!(game.undo() && !game.is_unsaved() && game.redo());
        assert!(!game.is_unsaved(), "the same moves");
        play(&mut game, &["h0g2"]);
        assert!(game.is_unsaved());
        assert!(game.undo() && !game.is_unsaved() && game.redo() && game.is_unsaved());
    }

    #[test]
    fn clocks_and_sides_are_those_of_the_file() {
        let text = "[Red \"Cannonade level 5\"]\n[Black \"Player\"]\n[TimeControl \"300+3\"]\n\n\
                    1. h2e2 {[%clk 0:04:58]} h9g7 {a [%clk 0:04:40.5]} 2. h0g2 *";
        let mut game = loaded(text);
        assert_eq!(game.side_of_person(), Some(SideChoice::Black));
        let left = |game: &TerminalGame| {
            let clock = game.game().clock().expect("a clock");
            Color::ALL.map(|side| clock.left(side, Instant::now()).as_millis())
        };
        assert_eq!(left(&game), [298_000, 280_500]);
        assert!(game.undo() && game.undo());
        assert_eq!(left(&game), [298_000, 300_000]);
        play(&mut game, &["b9c7"]);
        let mut record = game.record();
        move_times::write(&game.times, &mut record);
        let last = game.game().node();
        assert_eq!(record.comment(last), "[%clk 0:05:03]");
    }

    #[test]
    fn another_time_takes_the_place_of_that_of_the_file() {
        let text = "[TimeControl \"40/300+3\"]\n\n\
                    1. h2e2 {[%clk 0:04:58]} h9g7 {a [%clk 0:04:40.5]} 2. h0g2 *";
        assert_eq!(loaded(text).time().map(|time| time.to_string()).as_deref(), Some("40/300+3"));
        let record = xiangqi::records::read(text.as_bytes()).games.remove(0);
        let other = "60+1".parse().ok();
        let game = TerminalGame::loaded(record, Regulations::default(), other);
        assert_eq!(game.time(), other);
        let record = game.record();
        let comments = record.line_after(NodeId::ROOT).map(|node| record.comment(node));
        assert_eq!(comments.collect::<Vec<_>>(), ["", "a", ""]);
    }
}
