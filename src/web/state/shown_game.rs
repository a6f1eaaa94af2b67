//! A game and the place in it that is shown.

use std::iter;

use xiangqi::board::{Move, Position};
use xiangqi::records::{Game, NodeId};

/// A game with its variations, the place that is shown, and the position there.
#[derive(Debug)]
pub(in crate::web) struct ShownGame {
    /// Nodes are removed from it by [`ShownGame::remove`] alone.
    pub(in crate::web) record: Game,
    node: NodeId,
    /// The position at the node, with its history.
    position: Position,
}

impl ShownGame {
    /// The start of a game.
    pub(super) fn new(record: Game) -> ShownGame {
        let position = record.start().clone();
        ShownGame { record, node: NodeId::ROOT, position }
    }

    pub(in crate::web) fn node(&self) -> NodeId {
        self.node
    }

    pub(in crate::web) fn position(&self) -> &Position {
        &self.position
    }

    /// The position at a node, with its history.
    pub(in crate::web) fn position_at(&self, id: NodeId) -> Position {
        if id == self.node {
            return self.position.clone();
        }
        let mut position = self.record.start().clone();
        for mv in self.way_to(id).into_iter().filter_map(|node| self.record.mv(node)) {
            position.make(mv);
        }
        position
    }

    /// The node with this number, if it was not removed.
    pub(in crate::web) fn node_id(&self, index: usize) -> Option<NodeId> {
        self.record.node_id(index).filter(|&id| self.holds(id))
    }

    /// Whether the node was not removed.
    pub(super) fn holds(&self, mut id: NodeId) -> bool {
        while id != NodeId::ROOT {
            let parent = self.record.parent(id);
            if !self.record.children(parent).contains(&id) {
                return false;
            }
            id = parent;
        }
        true
    }

    /// The place before the shown one; the start has itself.
    pub(in crate::web) fn previous(&self) -> NodeId {
        self.record.parent(self.node)
    }

    /// The place after the shown one along its line; the shown one at the end.
    pub(in crate::web) fn next(&self) -> NodeId {
        self.record.children(self.node).first().copied().unwrap_or(self.node)
    }

    /// The last place of the shown line.
    pub(in crate::web) fn last(&self) -> NodeId {
        self.record.line_after(self.node).last().unwrap_or(self.node)
    }

    /// The places of the shown line, the start first.
    pub(super) fn line(&self) -> Vec<NodeId> {
        let way = self.way_to(self.node).into_iter();
        iter::once(NodeId::ROOT).chain(way).chain(self.record.line_after(self.node)).collect()
    }

    /// The nodes from the first move to this one.
    pub(in crate::web) fn way_to(&self, id: NodeId) -> Vec<NodeId> {
        let before = |&node: &NodeId| Some(self.record.parent(node));
        let mut way: Vec<_> =
            iter::successors(Some(id), before).take_while(|&node| node != NodeId::ROOT).collect();
        way.reverse();
        way
    }

    /// Shows another place.
    pub(super) fn show(&mut self, id: NodeId) {
        self.position = self.position_at(id);
        self.node = id;
    }

    /// Makes a legal move, along an existing line or as a new one.
    pub(super) fn make(&mut self, mv: Move) {
        let known = self.continuation(mv);
        self.node = known.unwrap_or_else(|| self.record.add(self.node, mv));
        self.position.make(mv);
    }

    /// The node of a move in the shown position, if the record has it.
    pub(super) fn continuation(&self, mv: Move) -> Option<NodeId> {
        let children = self.record.children(self.node).iter();
        children.copied().find(|&child| self.record.mv(child) == Some(mv))
    }

    /// Removes a move and all that follows it; the start stays. If the shown place goes with it, the
    /// one before it is shown.
    pub(super) fn remove(&mut self, id: NodeId) {
        if id == NodeId::ROOT {
            return;
        }
        let parent = self.record.parent(id);
        self.record.remove(id);
        if !self.holds(self.node) {
            self.show(parent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(moves: &[&str]) -> ShownGame {
        let mut game = ShownGame::new(Game::new(Position::startpos()));
        for text in moves {
            let mv = game.position().parse_move(text).expect("a legal move");
            game.make(mv);
        }
        game
    }

    #[test]
    fn known_moves_lead_along_the_line_and_others_are_variations() {
        let mut game = shown(&["h2e2", "h9g7"]);
        game.show(NodeId::ROOT);
        let known = game.position().parse_move("h2e2").expect("a legal move");
        game.make(known);
        let other = game.position().parse_move("b9c7").expect("a legal move");
        game.make(other);
        assert_eq!(game.record.len(), 3);
        assert_eq!(game.way_to(game.node()).len(), 2);
        assert_eq!(game.position().ply(), 2);
    }

    #[test]
    fn the_place_before_a_removed_move_is_shown() {
        let mut game = shown(&["h2e2", "h9g7", "h0g2"]);
        let second = game.way_to(game.node())[1];
        game.remove(second);
        assert_eq!(game.position().ply(), 1);
        assert_eq!(game.next(), game.node());
        assert_eq!(game.node_id(second.index()), None);
        game.remove(NodeId::ROOT);
        assert_eq!(game.record.moves().len(), 1);
    }
}
