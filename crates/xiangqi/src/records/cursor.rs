//! A position that moves through the tree of a game.

use crate::board::Position;

use super::{Game, NodeId};

/// A node of a [`Game`] and the position there. It takes back and makes only the moves between two
/// nodes, so that all nodes of a tree are visited in a time that grows as their number. The game
/// may get or lose moves meanwhile.
///
/// ```
/// use xiangqi::records::{self, Cursor};
/// use xiangqi::{Notation, notation};
///
/// let game = &records::read(b"1. C2=5 (1. C8=5 H2+3) H8+7 *").games[0];
/// let mut cursor = Cursor::new(game);
/// let mut texts = Vec::new();
/// for node in game.nodes() {
///     if let Some(mv) = game.mv(node) {
///         let before = cursor.go_to(game, game.parent(node));
///         texts.push(notation::write(before, mv, Notation::Chinese));
///     }
/// }
/// assert_eq!(texts, ["炮二平五", "马８进７", "炮八平五", "马２进３"]);
/// ```
#[derive(Clone, Debug)]
pub struct Cursor {
    position: Position,
    node: NodeId,
}

impl Cursor {
    /// Returns the cursor at the start of a game.
    pub fn new(game: &Game) -> Cursor {
        Cursor { position: game.start().clone(), node: NodeId::ROOT }
    }

    /// Returns the node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Returns the position at the node, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Goes to a node of the same game, and returns the position there.
    pub fn go_to(&mut self, game: &Game, target: NodeId) -> &Position {
        // The nodes after the last one that both lines share.
        let mut ahead = Vec::new();
        let mut shared = target;
        while shared != self.node {
            if game.depth(shared) >= game.depth(self.node) {
                ahead.push(shared);
                shared = game.parent(shared);
            } else {
                self.back(game);
            }
        }
        for node in ahead.into_iter().rev() {
            self.enter(game, node);
        }
        &self.position
    }

    /// Goes one move back; nothing happens at the root.
    pub(super) fn back(&mut self, game: &Game) {
        if self.node != NodeId::ROOT {
            self.position.unmake();
            self.node = game.parent(self.node);
        }
    }

    /// Goes to a child of the node.
    pub(super) fn enter(&mut self, game: &Game, child: NodeId) {
        if let Some(mv) = game.mv(child) {
            self.position.play_unchecked(mv);
            self.node = child;
        }
    }
}
