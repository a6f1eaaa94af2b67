//! Moves through the tree of a game and keeps the position up to date, for readers and writers.

use crate::board::{Move, Position};

use super::{Game, NodeId, RecordError};

/// A place in the tree of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TreePlace {
    node: NodeId,
    /// The plies from the root.
    depth: usize,
}

/// A place in the tree of a game with its position, which moves from place to place.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    position: Position,
    place: TreePlace,
}

impl TreePlace {
    pub(super) fn node(self) -> NodeId {
        self.node
    }
}

impl Cursor {
    /// Returns the cursor at the start of a game.
    pub(super) fn new(game: &Game) -> Cursor {
        Cursor { position: game.start().clone(), place: TreePlace { node: NodeId::ROOT, depth: 0 } }
    }

    /// Returns the position here, with its history.
    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn place(&self) -> TreePlace {
        self.place
    }

    /// Goes one move back; nothing happens at the root.
    pub(super) fn back(&mut self, game: &Game) {
        if self.place.depth > 0 {
            self.position.unmake();
            self.place =
                TreePlace { node: game.parent(self.place.node), depth: self.place.depth - 1 };
        }
    }

    /// Goes to a child of this place.
    pub(super) fn enter(&mut self, game: &Game, child: NodeId) {
        if let Some(mv) = game.mv(child) {
            self.position.play_unchecked(mv);
            self.place = TreePlace { node: child, depth: self.place.depth + 1 };
        }
    }

    /// Goes to another place of the same game.
    pub(super) fn go_to(&mut self, game: &Game, target: TreePlace) {
        // The nodes after the last one that both lines share.
        let mut ahead = Vec::new();
        let mut shared = target;
        while shared.node != self.place.node {
            if shared.depth >= self.place.depth {
                ahead.push(shared.node);
                shared = TreePlace { node: game.parent(shared.node), depth: shared.depth - 1 };
            } else {
                self.back(game);
            }
        }
        for node in ahead.into_iter().rev() {
            self.enter(game, node);
        }
    }
}

/// Builds a [`Game`] move by move and keeps its position up to date, for readers that jump between
/// lines.
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
        &self.cursor.position
    }

    /// Returns the node of the last move.
    pub(super) fn node(&self) -> NodeId {
        self.cursor.place.node
    }

    /// Makes a legal move.
    pub(super) fn play(&mut self, mv: Move) {
        let child = self.game.add_unchecked(self.cursor.place.node, mv);
        self.cursor.enter(&self.game, child);
    }

    /// Takes the last move back, so that a variation to it can follow.
    pub(super) fn back(&mut self) {
        self.cursor.back(&self.game);
    }

    /// Returns the present place, to come back to.
    pub(super) fn place(&self) -> TreePlace {
        self.cursor.place
    }

    /// Goes to a place of this game.
    pub(super) fn go_to(&mut self, place: TreePlace) {
        self.cursor.go_to(&self.game, place);
    }

    /// Checks a move of a format that gives squares and makes it; the text of squares that are no
    /// move is a defect.
    pub(super) fn play_squares(&mut self, mv: Result<Move, String>) -> Result<(), RecordError> {
        let position = self.position();
        let (number, side) = (position.move_number(), position.side());
        let mv = mv.map_err(|text| RecordError::OffBoard { number, text })?;
        let mv = position.check_move(mv).map_err(|source| RecordError::Squares {
            number,
            side,
            source,
        })?;
        self.play(mv);
        Ok(())
    }
}
