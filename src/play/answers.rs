//! Shows the position, and answers questions.

use std::time::Instant;

use cannonade_engine::FinishedSearch;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write, write_line};

use super::clock::clock_text;
use super::colors::Role;
use super::level::parse_level;
use super::session::TerminalSession;
use crate::output::printable;

/// The number of moves shown of a best line.
const LINE_MOVES: usize = 6;

impl TerminalSession {
    pub(super) fn greet(&mut self) {
        let text = self.setup.words().greeting(self.setup.side, self.opponent.level());
        self.out.line(text);
    }

    /// Returns a move in the notation of the person, with its squares.
    pub(super) fn move_text(&self, position: &Position, mv: Move) -> String {
        match self.setup.notation() {
            Notation::Uci => mv.to_string(),
            notation => format!("{} ({mv})", write(position, mv, notation)),
        }
    }

    pub(super) fn show_board(&mut self) {
        let drawing =
            self.setup.style.draw(self.game.position().board(), self.game.game().last_move());
        self.out.painted_line(drawing.trim_end());
    }

    /// Shows the board, the side to move, the clocks and the judge's verdict.
    pub(super) fn show_position(&mut self) {
        self.show_board();
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let position = self.game.position();
        let side = position.side();
        let clocks = self.game.game().clock().map(|clock| {
            let now = Instant::now();
            Color::ALL.map(|side| clock_text(clock.left(side, now)))
        });
        let words = self.setup.words();
        let text = words.turn(position.move_number(), side, position.in_check(), clocks);
        self.out.line(text);
        if let Some(repetition) = self.game.game().repetition() {
            let text = words.repetition(self.game.game(), repetition);
            self.notice(&text);
        }
        if !self.setup.side.includes(side) {
            self.out.line(words.engine_waits());
        }
    }

    pub(super) fn show_end(&mut self) {
        let Some(end) = self.game.end() else { return };
        for line in self.setup.words().end(self.game.game(), end, self.setup.notation()) {
            self.notice(&line);
        }
    }

    /// Prints a highlighted notice.
    pub(super) fn notice(&mut self, text: &str) {
        let text = printable(text);
        self.out.painted_line(self.setup.style.colors.paint(&text, Role::Notice, false));
    }

    pub(super) fn hint(&mut self) {
        let Some(found) = self.help() else { return };
        let line = found.best_line();
        let line = &line[..line.len().min(LINE_MOVES)];
        let texts = write_line(self.game.position(), line, self.setup.notation());
        self.out.line(self.setup.words().best_line(&texts.join(" ")));
    }

    /// Searches the position for the player. Returns `None` if the game has ended, which is printed
    /// then, or without an engine.
    fn help(&mut self) -> Option<FinishedSearch> {
        if self.game.end().is_some() {
            self.show_end();
            return None;
        }
        self.opponent.help(self.game.position(), &mut self.terminal)
    }

    pub(super) fn evaluate(&mut self) {
        let Some(found) = self.help() else { return };
        let side = self.game.position().side();
        let words = self.setup.words();
        let judgement = words.score(found.score(), side);
        self.out.line(words.depth(&judgement, found.conclusion.depth));
    }

    pub(super) fn level(&mut self, wanted: Option<&str>) {
        if let Some(text) = wanted {
            let set = parse_level(text)
                .and_then(|level| self.opponent.set_level(level).map_err(|e| e.to_string()));
            if let Err(message) = set {
                self.out.line(self.setup.words().no_level(text, message));
                return;
            }
        }
        let (level, elo) = (self.opponent.level(), self.opponent.elo());
        self.out.line(self.setup.words().level(level, elo));
    }

    pub(super) fn list_moves(&mut self) {
        let start = self.game.game().record().start();
        let moves = self.game.game().moves();
        let texts = write_line(start, &moves, self.setup.notation());
        if texts.is_empty() {
            self.out.line(self.setup.words().no_move_yet());
            return;
        }
        let mut position = start.clone();
        let mut lines: Vec<String> = Vec::new();
        for (text, &mv) in texts.iter().zip(&moves) {
            match (position.side(), lines.last_mut()) {
                (Color::Black, Some(line)) => {
                    line.push_str("  ");
                    line.push_str(text);
                }
                (Color::Black, None) => {
                    lines.push(format!("{:>3}. ...  {text}", position.move_number()));
                }
                (Color::Red, _) => lines.push(format!("{:>3}. {text}", position.move_number())),
            }
            position.play_unchecked(mv);
        }
        for line in lines {
            self.out.line(line);
        }
    }
}
