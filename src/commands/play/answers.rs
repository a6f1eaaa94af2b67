//! Shows the position, and answers questions.

use web_time::Instant;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write, write_line};

use super::clock::clock_text;
use super::colors::Role;
use super::opponent::parse_level;
use super::session::TerminalSession;
use super::setup::FULL_LEVEL;
use super::side_choice::SideChoice;
use super::wording::{describe_end, describe_repetition, describe_score, side_name};

/// The number of moves shown of a best line.
const LINE_MOVES: usize = 6;

impl TerminalSession {
    pub(super) fn greet(&mut self) {
        let opponent = self.opponent.name();
        let players = match self.setup.side {
            SideChoice::Red => format!("You play Red against {opponent}."),
            SideChoice::Black => format!("You play Black against {opponent}."),
            SideChoice::Both => "You play both sides.".to_owned(),
        };
        self.out.line(format_args!("{players} Type a move such as h2e2, or 'help'."));
    }

    /// A move in the notation of the person, with its squares.
    pub(super) fn move_text(&self, position: &Position, mv: Move) -> String {
        match self.setup.notation() {
            Notation::Uci => mv.to_string(),
            notation => format!("{} ({mv})", write(position, mv, notation)),
        }
    }

    pub(super) fn show_board(&mut self) {
        let drawing =
            self.setup.style.draw(self.game.position().board(), self.game.game().last_move());
        self.out.line(drawing.trim_end());
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
        let mut text = format!("Move {}, {} to move", position.move_number(), side_name(side));
        if position.in_check() {
            text += ", in check";
        }
        if let Some(clock) = self.game.game().clock() {
            let now = Instant::now();
            let [red, black] = Color::ALL.map(|side| clock_text(clock.left(side, now)));
            text += &format!("   [Red {red}, Black {black}]");
        }
        self.out.line(text);
        if let Some(repetition) = self.game.game().repetition() {
            let text = describe_repetition(self.game.game(), repetition);
            self.notice(&text);
        }
        if !self.setup.side.includes(side) {
            self.out.line("The engine waits; type 'go' to let it move.");
        }
    }

    pub(super) fn show_end(&mut self) {
        let Some(end) = self.game.end() else { return };
        for line in describe_end(self.game.game(), end) {
            self.notice(&line);
        }
    }

    /// Prints a highlighted notice.
    pub(super) fn notice(&mut self, text: &str) {
        self.out.line(self.setup.style.colors.paint(text, Role::Notice, false));
    }

    pub(super) fn hint(&mut self) {
        if self.game.end().is_some() {
            self.out.line("The game is over.");
            return;
        }
        let Some(found) = self.opponent.help(self.game.position(), self.terminal.interrupts())
        else {
            return;
        };
        let line = found.best_line();
        let line = &line[..line.len().min(LINE_MOVES)];
        let texts = write_line(self.game.position(), line, self.setup.notation());
        self.out.line(format_args!("Full strength plays {}.", texts.join(" ")));
    }

    pub(super) fn evaluate(&mut self) {
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let Some(found) = self.opponent.help(self.game.position(), self.terminal.interrupts())
        else {
            return;
        };
        let side = self.game.position().side();
        let text = describe_score(found.conclusion.score, side);
        self.out.line(format_args!("{text} Depth {}.", found.conclusion.depth));
    }

    pub(super) fn level(&mut self, wanted: Option<&str>) {
        if let Some(text) = wanted {
            let set = parse_level(text)
                .and_then(|level| self.opponent.set_level(level).map_err(|e| e.to_string()));
            if let Err(message) = set {
                self.out.line(message);
                return;
            }
        }
        let level = self.opponent.level();
        match self.opponent.elo() {
            Some(elo) => {
                self.out.line(format_args!(
                    "The engine plays at level {level} of {FULL_LEVEL} (Elo {elo})."
                ));
            }
            None => self.out.line("The engine plays at full strength."),
        }
    }

    pub(super) fn list_moves(&mut self) {
        let start = self.game.game().record().start();
        let moves = self.game.game().moves();
        let texts = write_line(start, &moves, self.setup.notation());
        if texts.is_empty() {
            self.out.line("No move was made yet.");
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
            position.make(mv);
        }
        for line in lines {
            self.out.line(line);
        }
    }
}
