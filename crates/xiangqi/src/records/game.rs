//! A game as a tree of moves: the main line, variations, comments, tags and the result.

use std::collections::{HashMap, HashSet};

use crate::board::{Move, MoveError, Position};
use crate::geometry::Color;
use crate::rules::GameResult;

use super::TagError;
use super::pgn::check_tag_name;

/// A node of the tree of one [`Game`]. In another game it is the node with the same number, and the
/// methods that take a node panic if there is none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(usize);

impl NodeId {
    /// The start of the game, before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the number of the node in its game; the root has 0. [`Game::node_id`] is the way
    /// back.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A move with what follows it; the root has no move.
#[derive(Clone, Debug, Default)]
struct GameNode {
    mv: Option<Move>,
    parent: usize,
    /// The moves from the root.
    depth: usize,
    /// The first child continues the line; the others are variations.
    children: Vec<NodeId>,
    comment: String,
    /// Numeric annotation glyphs of PGN: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    glyphs: Vec<u8>,
}

/// A game record. The tree lives in one list, so that neither long nor deeply nested games need a
/// deep stack.
///
/// ```
/// use xiangqi::records::{NodeId, write_pgn};
/// use xiangqi::{Game, GameResult, Notation, Position};
///
/// let mut game = Game::new(Position::startpos());
/// game.set_tag("Red", "Hu Ronghua")?;
/// let first = game.add(NodeId::ROOT, "h2e2".parse()?)?;
/// game.set_comment(first, "the central cannon");
/// game.add(first, "h9g7".parse()?)?;
/// assert!(game.add(first, "h2e2".parse()?).is_err(), "Black has the move");
/// game.result = GameResult::Draw;
/// let pgn = write_pgn(&game, Notation::Wxf);
/// assert!(pgn.contains("1. C2=5 {the central cannon}") && pgn.contains("H8+7"), "{pgn}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    tags: Vec<(String, String)>,
    start: Position,
    /// The result that the record states.
    pub result: GameResult,
    nodes: Vec<GameNode>,
}

/// Two games are equal if they have the same tags, start, result and tree. Numbers of nodes, removed
/// moves, and what was played before the start do not matter.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        fn contents(game: &Game) -> impl Iterator<Item = (Option<Move>, &str, &[u8], usize)> {
            let content =
                |id| (game.mv(id), game.comment(id), game.glyphs(id), game.children(id).len());
            game.nodes().map(content)
        }
        self.tags == other.tags
            && self.result == other.result
            && self.start.fen() == other.start.fen()
            && contents(self).eq(contents(other))
    }
}

impl Eq for Game {}

impl Game {
    /// Returns a game without moves from this position.
    pub fn new(start: Position) -> Game {
        let nodes = vec![GameNode::default()];
        Game { tags: Vec::new(), start, result: GameResult::Unknown, nodes }
    }

    /// Returns a game with these moves from this position.
    ///
    /// # Errors
    /// The first move that is not legal, with the reason.
    pub fn with_moves(
        start: Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Game, MoveError> {
        let mut game = Game::new(start);
        game.add_line(NodeId::ROOT, moves)?;
        Ok(game)
    }

    /// Returns the game that led to a position: from where it was set up, or from the last null
    /// move.
    ///
    /// So a program that keeps only a [`Referee`](crate::Referee) writes the record of its game:
    ///
    /// ```
    /// use xiangqi::{Game, Position, Referee, Regulations};
    ///
    /// let mut referee = Referee::new(Position::startpos(), Regulations::default());
    /// for mv in ["h2e2", "h9g7"] {
    ///     referee.play(mv.parse()?)?;
    /// }
    /// let mut game = Game::from_position(referee.position());
    /// game.result = referee.outcome().map(|end| end.result()).unwrap_or_default();
    /// assert_eq!((game.start().fen(), game.moves().len()), (xiangqi::START_FEN.to_owned(), 2));
    /// # Ok::<(), xiangqi::MoveError>(())
    /// ```
    pub fn from_position(position: &Position) -> Game {
        let states = position.states();
        let start = states.iter().rposition(|state| state.mv.is_none()).unwrap_or_default();
        let moves = states.iter().skip(start).filter_map(|state| state.mv).collect();
        Game::of_legal_moves(position.at_ply(start).without_history(), moves)
    }

    /// Returns a game with these legal moves from this position.
    pub(super) fn of_legal_moves(start: Position, moves: Vec<Move>) -> Game {
        let mut game = Game::new(start);
        moves.into_iter().fold(NodeId::ROOT, |last, mv| game.add_unchecked(last, mv));
        game
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the tags in order, named as PGN names them.
    pub fn tags(&self) -> &[(String, String)] {
        &self.tags
    }

    /// Replaces all tags. Of several whose names differ only in case the last value counts; empty
    /// values, and names that [`Game::set_tag`] refuses, are left out. Returns the ones before.
    pub fn set_tags(
        &mut self,
        tags: impl IntoIterator<Item = (String, String)>,
    ) -> Vec<(String, String)> {
        let mut kept: Vec<(String, String)> = Vec::new();
        // By name: a file may have a hundred thousand tags.
        let mut places = HashMap::new();
        for (name, value) in tags {
            if value.is_empty() || check_tag_name(&name).is_err() {
                continue;
            }
            let place = *places.entry(name.to_ascii_lowercase()).or_insert(kept.len());
            match kept.get_mut(place) {
                Some((_, old)) => *old = value,
                None => kept.push((name, value)),
            }
        }
        std::mem::replace(&mut self.tags, kept)
    }

    /// Returns the value of a tag, its name in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.as_str())
    }

    /// Sets a tag, its name in any case, or appends it; an empty value removes it.
    ///
    /// # Errors
    /// A [`TagError`] if no game has a tag with this name; nothing has changed.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) -> Result<(), TagError> {
        let value = value.into();
        if value.is_empty() {
            self.remove_tag(name);
            return Ok(());
        }
        check_tag_name(name)?;
        self.put_tag(name, value);
        Ok(())
    }

    /// Sets a tag of a format, whose name is one of a tag; an empty value changes nothing.
    pub(super) fn put_tag(&mut self, name: &str, value: String) {
        if value.is_empty() {
            return;
        }
        match self.tags.iter_mut().find(|(key, _)| key.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// Removes a tag, its name in any case.
    pub fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|(key, _)| !key.eq_ignore_ascii_case(name));
    }

    /// Returns the name of a player, if the record has it. Programs for chess call Red `White`.
    pub fn player(&self, side: Color) -> Option<&str> {
        let name = match side {
            Color::Red => self.tag("Red").or_else(|| self.tag("White")),
            Color::Black => self.tag("Black"),
        };
        name.filter(|name| !name.is_empty())
    }

    /// Returns the text for the field of a tag, in formats that have one for each.
    pub(super) fn field(&self, tag: &str) -> Option<&str> {
        if tag == "Red" { self.player(Color::Red) } else { self.tag(tag) }
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "a NodeId comes from its game, which keeps all nodes"
    )]
    fn node(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.0]
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "a NodeId comes from its game, which keeps all nodes"
    )]
    fn node_mut(&mut self, id: NodeId) -> &mut GameNode {
        &mut self.nodes[id.0]
    }

    /// Appends a move to a node: its continuation, or a variation if it has one already. The moves
    /// from the start to the node are played to check it; [`Game::add_line`] checks many at once.
    ///
    /// # Errors
    /// A [`MoveError`] if the move is not legal there; the game has not changed.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, MoveError> {
        self.add_line(parent, [mv])
    }

    /// Appends moves to a node, each to the one before it. Returns the node of the last one.
    ///
    /// # Errors
    /// The first move that is not legal, with the reason; the game has not changed.
    pub fn add_line(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<NodeId, MoveError> {
        let mut position = self.position_at(parent);
        let mut line = Vec::new();
        for mv in moves {
            position.play(mv)?;
            line.push(mv);
        }
        Ok(line.into_iter().fold(parent, |last, mv| self.add_unchecked(last, mv)))
    }

    /// Appends a move without the check of [`Game::add`], for one that was checked in the position
    /// at the node. After an illegal one, [`Game::position_at`] does what
    /// [`Position::play_unchecked`] says.
    pub fn add_unchecked(&mut self, parent: NodeId, mv: Move) -> NodeId {
        let id = NodeId(self.nodes.len());
        let depth = self.depth(parent) + 1;
        self.nodes.push(GameNode { mv: Some(mv), parent: parent.0, depth, ..GameNode::default() });
        self.node_mut(parent).children.push(id);
        id
    }

    /// Returns the move of a node; `None` for the root.
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        self.node(id).mv
    }

    /// Returns the node before this one; the root is its own parent.
    pub fn parent(&self, id: NodeId) -> NodeId {
        NodeId(self.node(id).parent)
    }

    /// Returns the number of moves from the root to a node.
    pub(super) fn depth(&self, id: NodeId) -> usize {
        self.node(id).depth
    }

    /// Returns the moves after a node: the continuation first, then the variations.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        &self.node(id).children
    }

    /// Returns the comment after a move, or before the first one for the root; empty if there is
    /// none.
    pub fn comment(&self, id: NodeId) -> &str {
        &self.node(id).comment
    }

    /// Appends to the comment of a node, with a blank between. Lines end with LF.
    pub fn add_comment(&mut self, id: NodeId, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let comment = &mut self.node_mut(id).comment;
        if !comment.is_empty() && !text.is_empty() {
            comment.push(' ');
        }
        comment.push_str(&text);
    }

    /// Replaces the comment of a node; an empty text removes it. Lines end with LF.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        self.node_mut(id).comment.clear();
        self.add_comment(id, text);
    }

    /// Returns the numeric annotation glyphs of a move: 1 `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6
    /// `?!`.
    pub fn glyphs(&self, id: NodeId) -> &[u8] {
        &self.node(id).glyphs
    }

    /// Appends a numeric annotation glyph to a move.
    pub fn add_glyph(&mut self, id: NodeId, glyph: u8) {
        self.node_mut(id).glyphs.push(glyph);
    }

    /// Replaces the numeric annotation glyphs of a move.
    pub fn set_glyphs(&mut self, id: NodeId, glyphs: Vec<u8>) {
        self.node_mut(id).glyphs = glyphs;
    }

    /// Returns the nodes of the line that follows a node, along the first children.
    pub fn line_after(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |id: &NodeId| self.children(*id).first().copied();
        std::iter::successors(next(&id), next)
    }

    /// Returns the nodes of the main line, in order.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line_after(NodeId::ROOT)
    }

    /// Returns the moves of the main line.
    pub fn moves(&self) -> Vec<Move> {
        self.main_line().filter_map(|id| self.mv(id)).collect()
    }

    /// Returns the nodes from the first move to this one; none for the root.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let before = |&node: &NodeId| Some(self.parent(node));
        let path = std::iter::successors(Some(id), before).take_while(|&id| id != NodeId::ROOT);
        let mut path: Vec<NodeId> = path.collect();
        path.reverse();
        path
    }

    /// Returns the position at a node, with its history. All moves up to there are made; for many
    /// nodes use a [`Cursor`](super::Cursor).
    ///
    /// ```
    /// use xiangqi::records::{self, NodeId};
    ///
    /// let game = &records::read(b"1. C2=5 (1. C8=5 H2+3) H8+7 *").games[0];
    /// let variation = game.children(NodeId::ROOT)[1];
    /// let last = game.line_after(variation).last().unwrap_or(variation);
    /// assert_eq!(game.position_at(last).ply(), 2);
    /// ```
    pub fn position_at(&self, id: NodeId) -> Position {
        self.start.after(self.path_to(id).into_iter().filter_map(|node| self.mv(node)))
    }

    /// Returns the node with this number, if the game has it; see [`NodeId::index`].
    pub fn node_id(&self, index: usize) -> Option<NodeId> {
        self.nodes.get(index).map(|_| NodeId(index))
    }

    /// Takes a move and all that follows it out of the tree; the root stays. The numbers of the
    /// other nodes do not change, and those of the removed ones are not given again.
    pub fn remove(&mut self, id: NodeId) {
        let parent = self.parent(id);
        self.node_mut(parent).children.retain(|&child| child != id);
    }

    /// Sets which moves follow a node, and in which order: each that was added to this node counts
    /// once, others are left out. Returns the ones before, with which a removal or a promotion is
    /// undone.
    pub fn set_children(&mut self, id: NodeId, mut children: Vec<NodeId>) -> Vec<NodeId> {
        let mut seen = HashSet::new();
        children.retain(|&child| {
            let is_child = self.nodes.get(child.0).is_some_and(|node| node.parent == id.0);
            child != NodeId::ROOT && is_child && seen.insert(child)
        });
        std::mem::replace(&mut self.node_mut(id).children, children)
    }

    /// Makes the line that leads to a node the main line.
    pub fn promote(&mut self, id: NodeId) {
        let mut id = id;
        while id != NodeId::ROOT {
            let parent = self.parent(id);
            let children = &mut self.node_mut(parent).children;
            children.sort_by_key(|&child| child != id);
            id = parent;
        }
    }

    /// Returns the nodes of the tree, the root first: each node, then all that follow its first
    /// move, then those that follow its other moves.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut open = vec![NodeId::ROOT];
        std::iter::from_fn(move || {
            let node = open.pop()?;
            open.extend(self.children(node).iter().rev());
            Some(node)
        })
    }

    /// Returns the number of moves that were added to the tree, removed ones included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Returns whether the game has no moves; removed ones do not count.
    pub fn is_empty(&self) -> bool {
        self.children(NodeId::ROOT).is_empty()
    }

    /// Returns the position at the end of the main line, with its history.
    pub fn last_position(&self) -> Position {
        self.start.after(self.moves())
    }

    /// Returns the positions of the main line with their nodes, the start first. Each is a copy
    /// with its history, so that repetitions are known: the time for all of them grows as the
    /// square of the length. To [`Position::play`] the [`Game::moves`] copies nothing.
    ///
    /// ```
    /// use xiangqi::records;
    ///
    /// let game = &records::read(b"1. C2=5 *").games[0];
    /// let counts = game.positions().map(|(_, position)| position.legal_moves().len());
    /// assert_eq!(counts.collect::<Vec<_>>(), [44, 45]);
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (NodeId, Position)> + '_ {
        let mut position = self.start.clone();
        let start = (NodeId::ROOT, position.clone());
        let after = self.main_line().filter_map(move |id| {
            position.play_unchecked(self.mv(id)?);
            Some((id, position.clone()))
        });
        std::iter::once(start).chain(after)
    }

    /// Returns the game without comments, glyphs and variations.
    #[must_use]
    pub fn plain(&self) -> Game {
        let mut plain = Game::of_legal_moves(self.start.clone(), self.moves());
        plain.tags.clone_from(&self.tags);
        plain.result = self.result;
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_has_one_name_that_is_read_back() {
        let mut game = Game::new(Position::startpos());
        for name in ["a\"b", "", "A]B", "a\nb", "a b", "%", ";"] {
            assert_eq!(game.set_tag(name, "x"), Err(TagError::Name(name.to_owned())));
        }
        for name in ["FEN", "result", "Format"] {
            assert_eq!(game.set_tag(name, "x"), Err(TagError::Derived(name.to_owned())));
        }
        assert_eq!(game.set_tag("名-1_a", "x"), Ok(()));
        assert_eq!(game.set_tag("名-1_A", "y"), Ok(()));
        let tags = game.tags().to_vec();
        assert_eq!(tags, [("名-1_a".to_owned(), "y".to_owned())]);
        let given = [("Red", "a"), ("Event", ""), ("a b", "c"), ("RED", "b"), ("FEN", "d")];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(game.set_tags(given), tags);
        assert_eq!(game.tags(), [("Red".to_owned(), "b".to_owned())]);
        assert_eq!(game.set_tag("rED", ""), Ok(()));
        assert!(game.tags().is_empty());
    }

    #[test]
    fn games_are_equal_by_what_they_hold() {
        let mv = |text: &str| text.parse::<Move>().expect("a move");
        let mut game = Game::new(Position::startpos());
        let removed = game.add(NodeId::ROOT, mv("a0a1")).expect("legal");
        let first = game.add(NodeId::ROOT, mv("h2e2")).expect("legal");
        game.add(NodeId::ROOT, mv("b2e2")).expect("legal");
        game.add(first, mv("h9g7")).expect("legal");
        game.remove(removed);
        let mut other = Game::new(Position::startpos());
        let second = other.add_line(NodeId::ROOT, [mv("h2e2"), mv("h9g7")]).expect("legal");
        assert_ne!(game, other);
        let variation = other.add(NodeId::ROOT, mv("b2e2")).expect("legal");
        assert_eq!(game, other);
        for change in [
            |game: &mut Game, _, _| game.set_comment(NodeId::ROOT, "x"),
            |game: &mut Game, _, second| game.add_glyph(second, 1),
            |game: &mut Game, variation, _| game.promote(variation),
            |game: &mut Game, _, _| game.result = GameResult::Draw,
            |game: &mut Game, _, _| game.put_tag("Red", "x".to_owned()),
            |game: &mut Game, _, second| game.start = game.position_at(second),
        ] {
            let mut changed = other.clone();
            change(&mut changed, variation, second);
            assert_ne!(game, changed);
        }
    }

    #[test]
    fn children_are_those_of_the_node_each_once() {
        let mut game = Game::new(Position::startpos());
        let mut add = |parent, mv: &str| game.add(parent, mv.parse().expect("a move"));
        let first = add(NodeId::ROOT, "h2e2").expect("legal");
        let second = add(NodeId::ROOT, "b2e2").expect("legal");
        let answer = add(first, "h9g7").expect("legal");
        let given = vec![second, answer, NodeId(99), first, second, NodeId::ROOT];
        assert_eq!(game.set_children(NodeId::ROOT, given), [first, second]);
        assert_eq!(game.children(NodeId::ROOT), [second, first]);
    }
}
