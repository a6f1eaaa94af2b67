//! Ends a game by resignation or by agreement.

use xiangqi::geometry::Color;

use super::session::TerminalSession;
use super::side_choice::SideChoice;

/// Moves of each side before which the engine agrees to no draw.
const FIRST_DRAW: u32 = 10;

impl TerminalSession {
    /// Gives the game up; with both sides, for the side to move.
    pub(super) fn resign(&mut self) {
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let loser = match self.setup.side {
            SideChoice::Red => Color::Red,
            SideChoice::Black => Color::Black,
            SideChoice::Both => self.game.position().side(),
        };
        self.game.resign(loser);
        self.show_end();
    }

    /// Offers a draw. The engine agrees if full strength sees no advantage for it; a person who
    /// plays both sides agrees with themselves.
    pub(super) fn offer_draw(&mut self) {
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let engine = match self.setup.side {
            SideChoice::Red => Some(Color::Black),
            SideChoice::Black => Some(Color::Red),
            SideChoice::Both => None,
        };
        if let Some(engine) = engine {
            let first = 2 * FIRST_DRAW as usize;
            if self.game.position().ply() < first {
                self.out.line(self.setup.words().too_early_for_a_draw(FIRST_DRAW));
                return;
            }
            let position = self.game.position();
            if !self.opponent.accepts_draw(position, engine, self.terminal.interrupts()) {
                self.out.line(self.setup.words().draw_declined());
                return;
            }
        }
        self.game.agree_to_draw();
        self.show_end();
    }
}
