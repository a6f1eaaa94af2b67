//! Ends a game by resignation or by agreement.

use super::session::TerminalSession;

/// The number of the move before which the engine agrees to no draw.
const FIRST_DRAW: u32 = 10;

impl TerminalSession {
    /// Gives the game up; with both sides, for the side to move.
    pub(super) fn resign(&mut self) {
        if self.game.end().is_some() {
            self.show_end();
            return;
        }
        let loser = self.setup.side.color().unwrap_or(self.game.position().side());
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
        if let Some(own) = self.setup.side.color() {
            let position = self.game.position();
            if position.move_number() < FIRST_DRAW {
                self.out.line(self.setup.words().too_early_for_a_draw(FIRST_DRAW));
                return;
            }
            if !self.opponent.accepts_draw(position, !own, &mut self.terminal) {
                self.out.line(self.setup.words().draw_declined());
                return;
            }
        }
        self.game.agree_to_draw();
        self.show_end();
    }
}
