//! The game that is played: its moves, those taken back, and how it has ended.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jiff::Timestamp;
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, GameResult, NodeId, Problem, TextEncoding, write};
use xiangqi::rules::{LoopRuling, Outcome, Referee, Regulations, judge_loop, occurrences};

use crate::atomic_file;
use crate::commands::input;

/// How a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameEnd {
    /// By the rules.
    Ruled(Outcome),
    /// This side gave up.
    Resigned(Color),
    /// The time of this side ran out.
    OutOfTime(Color),
}

impl GameEnd {
    /// Who has won; nobody if it is a draw.
    pub(super) fn winner(self) -> Option<Color> {
        match self {
            GameEnd::Ruled(outcome) => outcome.winner,
            GameEnd::Resigned(loser) | GameEnd::OutOfTime(loser) => Some(!loser),
        }
    }
}

/// A position that has occurred before, and what the next occurrence means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repetition {
    /// How often the position has occurred.
    pub(super) times: usize,
    /// What both sides did since the last time.
    pub(super) ruling: LoopRuling,
}

/// A game between a person and the engine.
#[derive(Clone)]
pub(super) struct PlayedGame {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// Moves taken back, the last one first.
    undone: Vec<Move>,
    regulations: Regulations,
    end: Option<GameEnd>,
    /// Whether there are moves that no file has.
    unsaved: bool,
    /// The record that the game was loaded from, with its tags, comments and variations.
    loaded: Option<Box<Game>>,
    /// The files that hold this game and no other one.
    files: Vec<PathBuf>,
}

impl PlayedGame {
    /// A game with these legal moves.
    pub(super) fn new(start: Position, moves: Vec<Move>, regulations: Regulations) -> PlayedGame {
        let mut position = start.clone();
        for &mv in &moves {
            position.make(mv);
        }
        let unsaved = !moves.is_empty();
        let undone = Vec::new();
        let mut game = PlayedGame {
            start,
            position,
            moves,
            undone,
            regulations,
            end: None,
            unsaved,
            loaded: None,
            files: Vec::new(),
        };
        game.rule();
        game
    }

    /// The main line of the first game of a file, and how many games the file holds; defects of its
    /// other games do not matter.
    pub(super) fn load(
        path: &Path,
        regulations: Regulations,
    ) -> anyhow::Result<(PlayedGame, usize)> {
        let collection = input::read_collection(path)?;
        let mut problems = collection.problems.into_iter();
        let is_wrong = |problem: &Problem| problem.game == 1 && problem.affects_moves();
        if let Some(problem) = problems.find(is_wrong) {
            return Err(problem).with_context(|| input::name(path));
        }
        let count = collection.games.len();
        let game = collection.games.into_iter().next().context("the file holds no game")?;
        let mut played = PlayedGame::new(game.start().clone(), game.moves(), regulations);
        played.unsaved = false;
        played.loaded = Some(Box::new(game));
        if count == 1 {
            played.files.extend(fs::canonicalize(path));
        }
        Ok((played, count))
    }

    /// Whether the path is a file with something else than this game: it was neither loaded from
    /// there nor saved there.
    pub(super) fn would_replace_another(&self, path: &Path) -> bool {
        // What is not a file, such as /dev/stdout, is written to but not replaced.
        let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
        is_file && !fs::canonicalize(path).is_ok_and(|path| self.files.contains(&path))
    }

    /// Writes the game to a file, as the kind that its name shows or else as PGN; `players` are the
    /// names of Red and Black.
    pub(super) fn save(
        &mut self,
        path: &Path,
        players: [&str; 2],
        time_control: Option<String>,
    ) -> anyhow::Result<()> {
        let mut record = match &self.loaded {
            Some(loaded) => loaded.as_ref().clone(),
            None => {
                let mut record = Game::new(self.start.clone());
                record.set_tag("Event", "Casual game");
                record.set_tag("Date", Timestamp::now().strftime("%Y.%m.%d").to_string());
                record.set_tag("Red", players[0]);
                record.set_tag("Black", players[1]);
                record.set_tag("TimeControl", time_control.unwrap_or_default());
                record
            }
        };
        self.write_into(&mut record);
        let kind = FileKind::of_path(path)?.unwrap_or(FileKind::Pgn);
        let bytes = write(&[record], kind, Notation::Iccs, TextEncoding::Utf8)?;
        atomic_file::replace(path, &bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
        self.files.extend(fs::canonicalize(path));
        self.unsaved = false;
        Ok(())
    }

    /// Makes the moves of this game the main line of a record, with its result.
    fn write_into(&self, record: &mut Game) {
        let main_line = record.moves();
        if main_line != self.moves {
            let mut last = NodeId::ROOT;
            for &mv in &self.moves {
                let mut known = record.children(last).iter().copied();
                let known = known.find(|&child| record.mv(child) == Some(mv));
                last = known.unwrap_or_else(|| record.add(last, mv));
            }
            record.promote(last);
            if main_line.starts_with(&self.moves) {
                // What followed was taken back.
                for child in record.children(last).to_vec() {
                    record.remove(child);
                }
            }
            record.result = GameResult::Unknown;
        }
        match self.end.map(GameEnd::winner) {
            None => {}
            Some(None) => record.result = GameResult::Draw,
            Some(Some(winner)) => record.result = GameResult::won_by(winner),
        }
    }

    /// The present position with its past.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// The position before the first move.
    pub(super) fn start(&self) -> &Position {
        &self.start
    }

    /// The moves so far.
    pub(super) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The last move.
    pub(super) fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// The rules.
    pub(super) fn regulations(&self) -> &Regulations {
        &self.regulations
    }

    /// How the game has ended, if it has.
    pub(super) fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Whether there are moves that no file has.
    pub(super) fn is_unsaved(&self) -> bool {
        self.unsaved && !self.moves.is_empty()
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        if self.undone.last() == Some(&mv) {
            self.undone.pop();
        } else {
            self.undone.clear();
        }
        self.moves.push(mv);
        self.position.make(mv);
        self.unsaved = true;
        self.rule();
    }

    /// How the game would end by a legal move, if it would.
    pub(super) fn end_after(&self, mv: Move) -> Option<Outcome> {
        let mut position = self.position.clone();
        position.make(mv);
        Referee::new(position, self.regulations).outcome()
    }

    /// Takes the last move back. Returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let Some(mv) = self.moves.pop() else { return false };
        self.undone.push(mv);
        self.position.unmake();
        self.rule();
        true
    }

    /// Makes the last move again that was taken back. Returns whether there was one.
    pub(super) fn redo(&mut self) -> bool {
        match self.undone.last() {
            Some(&mv) => {
                self.play(mv);
                true
            }
            None => false,
        }
    }

    /// Ends the game by resignation.
    pub(super) fn resign(&mut self, side: Color) {
        self.end = Some(GameEnd::Resigned(side));
        self.unsaved = true;
    }

    /// Ends the game because the time of a side has run out.
    pub(super) fn lose_on_time(&mut self, side: Color) {
        self.end = Some(GameEnd::OutOfTime(side));
        self.unsaved = true;
    }

    /// Lets a game go on that has ended by resignation or time. Returns whether it had.
    pub(super) fn continue_after_forfeit(&mut self) -> bool {
        let is_forfeit = matches!(self.end, Some(GameEnd::Resigned(_) | GameEnd::OutOfTime(_)));
        self.rule();
        is_forfeit
    }

    /// Whether the position has occurred before, and what both sides did since then.
    pub(super) fn repetition(&self) -> Option<Repetition> {
        let mut earlier = occurrences(&self.position);
        let since = earlier.next()?;
        let length = self.position.ply() - since;
        let ruling = judge_loop(&self.position, length, self.regulations.rules);
        Some(Repetition { times: 2 + earlier.count(), ruling })
    }

    /// The flags of a command line that continues the game.
    pub(super) fn flags(&self) -> String {
        let fen = self.start.fen();
        let start = if fen == START_FEN { String::new() } else { format!(" --fen '{fen}'") };
        let moves: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        format!("{start} --moves {}", moves.join(" "))
    }

    fn rule(&mut self) {
        let outcome = Referee::new(self.position.clone(), self.regulations).outcome();
        self.end = outcome.map(GameEnd::Ruled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &[&str]) -> PlayedGame {
        let mut game = PlayedGame::new(Position::startpos(), Vec::new(), Regulations::default());
        for text in moves {
            let mv = game.position().parse_move(text).expect("a legal move");
            game.play(mv);
        }
        game
    }

    #[test]
    fn moves_are_taken_back_and_made_again() {
        let mut game = game(&["h2e2", "h9g7"]);
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!(game.position().fen(), START_FEN);
        assert!(game.redo() && game.redo() && !game.redo());
        assert_eq!(game.moves().len(), 2);
        game.undo();
        let other = game.position().parse_move("b9c7").expect("a legal move");
        game.play(other);
        assert!(!game.redo(), "another move was made instead");
    }

    #[test]
    fn a_repetition_is_seen_before_it_is_ruled() {
        let turn = ["h0g2", "h9g7", "g2h0", "g7h9"];
        let mut game = game(&turn);
        assert_eq!(game.repetition().map(|found| found.times), Some(2));
        assert_eq!(game.end(), None);
        for text in ["h0g2", "h9g7", "g2h0"] {
            let mv = game.position().parse_move(text).expect("a legal move");
            game.play(mv);
        }
        let last = game.position().parse_move("g7h9").expect("a legal move");
        assert!(game.end_after(last).is_some_and(|outcome| outcome.winner.is_none()));
        game.play(last);
        assert!(matches!(game.end(), Some(end) if end.winner().is_none()));
    }

    #[test]
    fn a_loaded_record_keeps_what_it_has() {
        let text = "[Event \"x\"]\n\n1. h2e2 {a} h9g7 (1... b9c7) 2. h0g2 1-0";
        let record = xiangqi::records::read(text.as_bytes()).games.remove(0);
        let written = |game: &PlayedGame| {
            let mut written = record.clone();
            game.write_into(&mut written);
            written
        };
        let mut game = game(&["h2e2", "h9g7", "h0g2"]);
        let same = written(&game);
        assert_eq!((same.len(), same.result), (4, GameResult::RedWins));
        assert!(game.undo());
        let shorter = written(&game);
        assert_eq!((shorter.moves().len(), shorter.result), (2, GameResult::Unknown));
        assert!(game.undo());
        game.play(game.position().parse_move("b9c7").expect("a legal move"));
        let other = written(&game);
        assert_eq!(other.moves(), game.moves());
        assert_eq!(
            (other.tag("Event"), other.len()),
            (Some("x"), 4),
            "with the old line as a variation"
        );
    }

    #[test]
    fn a_variation_that_is_played_in_part_keeps_its_other_moves() {
        let text = "1. h2e2 h9g7 (1... b9c7 2. h0g2 {a} a9b9) 2. b0c2 *";
        let mut record = xiangqi::records::read(text.as_bytes()).games.remove(0);
        let moves = record.len();
        game(&["h2e2", "b9c7"]).write_into(&mut record);
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
        game.unsaved = false;
        assert!(!game.continue_after_forfeit());
        game.resign(Color::Black);
        assert!(game.is_unsaved() && game.end().is_some());
        assert!(game.continue_after_forfeit());
        assert_eq!(game.end(), None);
    }
}
