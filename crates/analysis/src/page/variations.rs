//! The variations of a game, as the script of a report reads them.
//!
//! | object | keys |
//! |---|---|
//! | variation | `base` (plies of the main line before it, or before the variation that it leaves), `line` (the number of the variation that it leaves, `null` for the main line), `after` (the own moves of that line before it), `depth` (0 for a variation of the main line), `number` and `side` of its first move; `moves` (UCI), and as many `texts`, `chinese`, `signs` and `comments` |
//!
//! A variation stands after the one that it leaves.

use serde_json::{Value, json};
use xiangqi::board::Move;
use xiangqi::notation::{Notation, write_line};
use xiangqi::records::{Game, NodeId, assessment_signs, move_sign};

/// A variation still to be listed.
struct PendingVariation {
    first: NodeId,
    base: usize,
    line: Option<usize>,
    after: usize,
    depth: usize,
}

/// Returns all variations in the order in which they leave the main line.
pub(super) fn all(game: &Game, notation: Notation) -> Vec<Value> {
    // The next one is last.
    let mut waiting: Vec<PendingVariation> = Vec::new();
    for (base, node) in game.main_line().enumerate() {
        let others = others(game, node);
        waiting.extend(others.map(|first| PendingVariation {
            first,
            base,
            line: None,
            after: base,
            depth: 0,
        }));
    }
    waiting.reverse();
    let mut listed = Vec::new();
    while let Some(pending) = waiting.pop() {
        let PendingVariation { first, base, depth, .. } = pending;
        let nodes: Vec<NodeId> = std::iter::once(first).chain(game.line_after(first)).collect();
        let number = listed.len();
        let mut inner: Vec<PendingVariation> = Vec::new();
        // The alternatives to the first move belong to the line that was left.
        for (after, &node) in nodes.iter().enumerate().skip(1) {
            let (line, depth) = (Some(number), depth + 1);
            let others = others(game, node);
            inner.extend(others.map(|first| PendingVariation { first, base, line, after, depth }));
        }
        waiting.extend(inner.into_iter().rev());
        listed.push(variation(game, &pending, &nodes, notation));
    }
    listed
}

/// Returns the alternatives to the move of a node: its parent's other children, without the main
/// one.
fn others(game: &Game, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    game.children(game.parent(node)).iter().copied().skip(1)
}

fn variation(
    game: &Game,
    pending: &PendingVariation,
    nodes: &[NodeId],
    notation: Notation,
) -> Value {
    let start = game.position_at(game.parent(pending.first));
    let moves: Vec<Move> = nodes.iter().filter_map(|&node| game.mv(node)).collect();
    json!({
        "base": pending.base,
        "line": pending.line,
        "after": pending.after,
        "depth": pending.depth,
        "number": start.move_number(),
        "side": start.side().to_string(),
        "moves": moves,
        "texts": write_line(&start, &moves, notation),
        "chinese": write_line(&start, &moves, Notation::Chinese),
        "signs": nodes.iter().map(|&node| signs(game.glyphs(node))).collect::<Vec<_>>(),
        "comments": nodes.iter().map(|&node| game.comment(node)).collect::<Vec<_>>(),
    })
}

/// Returns the mark of a move and those of its position, such as `!±`; without the glyphs that
/// stand for whole sentences.
pub(super) fn signs(glyphs: &[u8]) -> String {
    move_sign(glyphs).unwrap_or("").to_owned() + &assessment_signs(glyphs)
}
