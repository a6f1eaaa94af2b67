//! Builds a game move by move, for readers that jump between lines.

use crate::board::{Move, Position};

use super::{Cursor, Game, NodeId, RecordError};

/// A [`Game`] that is being built, and the node where the next move is made.
#[derive(Debug)]
pub(super) struct GameBuilder {
    pub(super) game: Game,
    cursor: Cursor,
}

impl GameBuilder {
    pub(super) fn new(start: Position) -> GameBuilder {
        let game = Game::new(start);
        let cursor = Cursor::new(&game);
        GameBuilder { game, cursor }
    }

    /// Returns the position where the next move is made.
    pub(super) fn position(&self) -> &Position {
        self.cursor.position()
    }

    /// Returns the node of the last move, to come back to.
    pub(super) fn node(&self) -> NodeId {
        self.cursor.node()
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        let child = self.game.add_unchecked(self.cursor.node(), mv);
        self.cursor.enter(&self.game, child);
    }

    /// Takes the last move back, so that a variation to it can follow.
    pub(super) fn back(&mut self) {
        self.cursor.back(&self.game);
    }

    /// Goes to a node of this game.
    pub(super) fn go_to(&mut self, node: NodeId) {
        self.cursor.go_to(&self.game, node);
    }

    /// Checks a move of a format that gives squares and makes it; the text of squares that are no
    /// move is a defect.
    pub(super) fn play_squares(&mut self, mv: Result<Move, String>) -> Result<(), RecordError> {
        let position = self.position();
        let (number, side) = (position.move_number(), position.side());
        let mv = mv.map_err(|text| RecordError::OffBoard { number, text })?;
        let mv = position.check_move(mv).map_err(|reason| RecordError::Squares {
            number,
            side,
            reason,
        })?;
        self.play(mv);
        Ok(())
    }
}
