//! Starts, saves, loads and rewinds games.

use std::path::Path;

use cannonade_game::EndReason;
use xiangqi::geometry::Color;

use super::game::{PERSON, RestOfFile, TerminalGame};
use super::session::TerminalSession;
use super::side_choice::SideChoice;

impl TerminalSession {
    /// Prints how to resume an unsaved game.
    pub(super) fn say_farewell(&mut self) {
        if self.game.is_unsaved() {
            let time = self.game.time();
            let setup = self.setup.flags(self.opponent.level(), time);
            let moves = self.game.flags();
            let command = format!("cannonade play{setup}{moves}");
            self.out.line(self.setup.words().farewell(&command));
        }
    }

    /// Undoes `count` moves of the person and their replies; a resignation or an agreed draw counts
    /// as a move.
    /// Without a move, a game that has ended by time forfeit goes on.
    pub(super) fn undo(&mut self, count: usize) {
        let is_by_word = |reason| matches!(reason, EndReason::Resignation | EndReason::Agreement);
        let count = count - usize::from(self.game.end().is_some_and(|end| is_by_word(end.reason)));
        if count == 0 {
            self.game.continue_after_forfeit();
            self.after_jump();
            return;
        }
        let first = self.game.game().record().start().side();
        let mover = |ply: usize| if ply.is_multiple_of(2) { first } else { !first };
        let plies = self.game.position().ply();
        let own: Vec<usize> =
            (0..plies).rev().filter(|&ply| self.setup.side.includes(mover(ply))).collect();
        let target = own.get(count - 1).or(own.last()).copied();
        let was_lost = self.game.continue_after_forfeit();
        if target.is_none() && !was_lost {
            self.out.line(self.setup.words().nothing_to_undo());
            return;
        }
        let undone = target.map_or(0, |target| plies - target);
        for _ in 0..undone {
            self.game.undo();
        }
        self.after_jump();
    }

    /// Redoes moves until it is the person's turn, `count` times.
    pub(super) fn redo(&mut self, count: usize) {
        let mut is_redone = false;
        for _ in 0..count {
            if !self.game.redo() {
                break;
            }
            is_redone = true;
            while !self.setup.side.includes(self.game.position().side()) && self.game.redo() {}
        }
        if !is_redone {
            self.out.line(self.setup.words().nothing_to_redo());
            return;
        }
        self.after_jump();
    }

    /// Makes the engine wait after moves were undone or redone.
    fn after_jump(&mut self) {
        self.doubtful = None;
        self.engine_waits = true;
        self.show_position();
    }

    /// Begins another game from the position where this one began.
    pub(super) fn begin(&mut self, side: Option<&str>) {
        let choice = match side.map(str::to_lowercase).as_deref() {
            None => self.setup.side,
            Some("red" | "红" | "紅" | "红方" | "紅方") => SideChoice::Red,
            Some("black" | "黑" | "黑方") => SideChoice::Black,
            Some("both" | "双方" | "雙方") => SideChoice::Both,
            Some(other) => {
                self.out.line(self.setup.words().no_side(other));
                return;
            }
        };
        // Names the side of the game that is left.
        self.say_farewell();
        self.setup.side = choice;
        if side.is_some() {
            self.setup.style.flipped = choice == SideChoice::Black;
        }
        let played = self.game.game();
        let start = played.record().start().clone();
        let game = TerminalGame::new(start, &[], played.regulations(), self.game.time());
        self.change_game(game);
        self.engine_waits = false;
        self.greet();
        self.advance();
    }

    /// Plays the side that the loaded file gives to the person, if it names one.
    fn take_side_of_file(&mut self) {
        if let Some(side) = self.game.side_of_person() {
            self.setup.side = side;
            self.setup.style.flipped = side == SideChoice::Black;
        }
    }

    pub(super) fn change_game(&mut self, game: TerminalGame) {
        self.game = game;
        self.doubtful = None;
        self.opponent.new_game();
    }

    /// Writes the game to a file. Another game's file is replaced only if the person confirms it.
    pub(super) fn save(&mut self, file: &str, is_confirmed: bool) {
        if self.is_stream(file) {
            return;
        }
        if !is_confirmed && self.game.would_replace_another(Path::new(file)) {
            self.doubtful_file = Some(file.to_owned());
            self.out.line(self.setup.words().file_exists(file));
            return;
        }
        let engine = self.opponent.name();
        let player = |side| if self.setup.side.includes(side) { PERSON } else { engine.as_str() };
        let players = Color::ALL.map(player);
        match self.game.save(Path::new(file), players) {
            Ok(()) => self.out.line(self.setup.words().saved(file)),
            Err(error) => self.out.line(self.setup.words().not_saved(&error)),
        }
    }

    /// Returns whether the file is `-`, which is refused: commands come from standard input.
    fn is_stream(&mut self, file: &str) -> bool {
        if file == "-" {
            self.out.line(self.setup.words().no_stream());
        }
        file == "-"
    }

    pub(super) fn load(&mut self, file: &str) {
        if self.is_stream(file) {
            return;
        }
        match TerminalGame::load(Path::new(file), self.game.game().regulations(), self.setup.time) {
            Ok(loaded) => {
                self.say_farewell();
                self.change_game(loaded.game);
                self.engine_waits = true;
                self.take_side_of_file();
                self.note_rest_of_file(Path::new(file), &loaded.rest);
                self.show_position();
            }
            Err(error) => self.out.line(self.setup.words().not_loaded(&error)),
        }
    }

    /// Notes what else a file holds besides the moves that were loaded: its defects, other games,
    /// and an encoding that is not kept.
    pub(super) fn note_rest_of_file(&mut self, path: &Path, rest: &RestOfFile) {
        let words = self.setup.words();
        for defect in &rest.defects {
            self.out.line(words.defect(path, defect));
        }
        if rest.games > 1 {
            self.out.line(words.first_of_several(path, rest.games));
        }
        if let Some(encoding) = rest.encoding {
            self.out.line(words.other_encoding(path, encoding));
        }
    }
}
