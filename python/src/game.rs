//! The tree of a game: nodes by number, the root is 0. `cannonade/game.py` makes objects of them.

use std::collections::HashMap;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use xiangqi::records::{Cursor, NodeId};
use xiangqi::{Game, GameResult, Position};

use crate::board::Board;
use crate::errors::value_error;
use crate::moves::{Move, MoveOrText};
use crate::numbers::Whole;

/// A node as it is pickled: the place of its parent in the list, move, comment, glyphs.
type SavedNode = (usize, Option<Move>, String, Vec<u8>);

/// A game as it is pickled: start, tags, result and nodes in the order in which they are added
/// again.
pub type SavedGame = (String, Vec<(String, String)>, String, Vec<SavedNode>);

/// The tag of the result.
const RESULT: &str = "Result";

#[pyclass(module = "cannonade._cannonade")]
pub struct GameTree {
    pub game: Game,
    /// At the last position asked for: moves are mostly added one after another.
    cursor: Cursor,
}

impl From<Game> for GameTree {
    fn from(game: Game) -> GameTree {
        let cursor = Cursor::new(&game);
        GameTree { game, cursor }
    }
}

impl GameTree {
    fn node(&self, node: usize) -> PyResult<NodeId> {
        let no_node = || PyIndexError::new_err(format!("the game has no node {node}"));
        self.game.node_id(node).ok_or_else(no_node)
    }

    /// The position at a node.
    fn go_to(&mut self, node: NodeId) -> &Position {
        self.cursor.go_to(&self.game, node)
    }

    fn saved(&self) -> SavedGame {
        let game = &self.game;
        // The place of each node in the list.
        let mut places = HashMap::new();
        let node = |(place, id): (usize, NodeId)| {
            places.insert(id, place);
            let parent = places.get(&game.parent(id)).copied().unwrap_or_default();
            let (comment, glyphs) = (game.comment(id).to_owned(), game.glyphs(id).to_vec());
            (parent, game.mv(id).map(Move::from), comment, glyphs)
        };
        let nodes = game.nodes().enumerate().map(node).collect();
        let (start, tags) = (self.game.start().fen(), self.game.tags().to_vec());
        (start, tags, self.game.result.text().to_owned(), nodes)
    }
}

#[pymethods]
impl GameTree {
    #[new]
    fn new(board: PyRef<'_, Board>) -> PyResult<GameTree> {
        Ok(Game::new(board.position()?.without_history()).into())
    }

    /// The position at a node, with the moves that led there.
    fn board(&mut self, node: usize) -> PyResult<Board> {
        let node = self.node(node)?;
        Ok(self.go_to(node).clone().into())
    }

    /// The move that led to a node; None for the root.
    fn r#move(&self, node: usize) -> PyResult<Option<Move>> {
        Ok(self.game.mv(self.node(node)?).map(Move::from))
    }

    /// The node before; the root is its own.
    fn parent(&self, node: usize) -> PyResult<usize> {
        Ok(self.game.parent(self.node(node)?).index())
    }

    /// The nodes after: the continuation first, then the variations.
    fn children(&self, node: usize) -> PyResult<Vec<usize>> {
        let children = self.game.children(self.node(node)?);
        Ok(children.iter().map(|child| child.index()).collect())
    }

    /// Adds a legal move after a node.
    fn add(
        &mut self,
        node: usize,
        r#move: MoveOrText,
        comment: &str,
        glyphs: Vec<Whole>,
    ) -> PyResult<usize> {
        let node = self.node(node)?;
        let glyphs = self::glyphs(&glyphs)?;
        let mv = r#move.legal(self.go_to(node))?;
        let added = self.game.add_unchecked(node, mv);
        self.game.set_comment(added, comment);
        self.game.set_glyphs(added, glyphs);
        Ok(added.index())
    }

    /// Takes a move and all after it out of the tree.
    fn remove(&mut self, node: usize) -> PyResult<()> {
        self.game.remove(self.node(node)?);
        Ok(())
    }

    /// Makes the line that leads to a node the main line.
    fn promote(&mut self, node: usize) -> PyResult<()> {
        self.game.promote(self.node(node)?);
        Ok(())
    }

    /// The moves of the main line.
    fn moves(&self) -> Vec<Move> {
        self.game.moves().into_iter().map(Move::from).collect()
    }

    fn comment(&self, node: usize) -> PyResult<String> {
        Ok(self.game.comment(self.node(node)?).to_owned())
    }

    fn set_comment(&mut self, node: usize, text: &str) -> PyResult<()> {
        self.game.set_comment(self.node(node)?, text);
        Ok(())
    }

    fn glyphs(&self, node: usize) -> PyResult<Vec<u16>> {
        Ok(self.game.glyphs(self.node(node)?).iter().copied().map(u16::from).collect())
    }

    fn set_glyphs(&mut self, node: usize, glyphs: Vec<Whole>) -> PyResult<()> {
        let glyphs = self::glyphs(&glyphs)?;
        self.game.set_glyphs(self.node(node)?, glyphs);
        Ok(())
    }

    /// The tags, that of a known result at the end.
    fn tags(&self) -> Vec<(String, String)> {
        let result = self.tag(RESULT).map(|result| (RESULT.to_owned(), result));
        self.game.tags().iter().cloned().chain(result).collect()
    }

    fn tag(&self, name: &str) -> Option<String> {
        if is(name, RESULT) {
            let is_known = self.game.result != GameResult::Unknown;
            return is_known.then(|| self.result().to_owned());
        }
        self.game.tag(name).map(str::to_owned)
    }

    /// Sets a tag; an empty value removes it.
    fn set_tag(&mut self, name: &str, value: &str) -> PyResult<()> {
        if is(name, RESULT) {
            return self.set_result(if value.is_empty() { "*" } else { value });
        }
        self.game.set_tag(name, value).map_err(value_error)
    }

    fn result(&self) -> &'static str {
        self.game.result.text()
    }

    fn set_result(&mut self, result: &str) -> PyResult<()> {
        self.game.result = result.parse().map_err(value_error)?;
        Ok(())
    }

    /// The game without comments, glyphs and variations.
    fn plain(&self) -> GameTree {
        self.game.plain().into()
    }

    fn copy(&self) -> GameTree {
        self.game.clone().into()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> GameTree {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SavedGame)> {
        let restore = py.import("cannonade._cannonade")?.getattr("restore_tree")?;
        Ok((restore, self.saved()))
    }
}

/// Returns whether these are the same name of a tag.
fn is(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

/// Annotation glyphs.
fn glyphs(numbers: &[Whole]) -> PyResult<Vec<u8>> {
    let error =
        |number| value_error(format!("{number} is not an annotation glyph; expected 0 to 255"));
    numbers.iter().map(|number| number.get().ok_or_else(|| error(number))).collect()
}

/// The tree that was pickled.
#[pyfunction]
pub fn restore_tree(
    start: &str,
    tags: Vec<(String, String)>,
    result: &str,
    nodes: Vec<SavedNode>,
) -> PyResult<GameTree> {
    let game = Game::new(Position::from_recorded_fen(start).map_err(value_error)?);
    let mut tree = GameTree::from(game);
    tree.game.set_tags(tags);
    tree.game.result = GameResult::from_text(result).unwrap_or_default();
    let mut added = Vec::with_capacity(nodes.len());
    for (parent, mv, comment, glyphs) in nodes {
        let id = match mv {
            Some(mv) => {
                let parent = added.get(parent).copied();
                let parent: NodeId =
                    parent.ok_or_else(|| value_error("a node before its parent"))?;
                let mv = mv.legal(tree.go_to(parent))?;
                tree.game.add_unchecked(parent, mv)
            }
            None => NodeId::ROOT,
        };
        tree.game.set_comment(id, &comment);
        tree.game.set_glyphs(id, glyphs);
        added.push(id);
    }
    Ok(tree)
}
