//! The parts of a game that the tests compare.

use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, NodeId, TextEncoding, write};

/// The text of a DhtmlXQ file with this game.
pub fn dhtmlxq(game: &Game) -> String {
    let games = std::slice::from_ref(game);
    let bytes = write(games, FileKind::DhtmlXq, Notation::Uci, TextEncoding::Utf8);
    String::from_utf8(bytes.expect("a game")).expect("UTF-8")
}

/// The tree as text: moves in coordinates, `{comment}`, `(variation)`.
pub fn tree_text(game: &Game) -> String {
    let mut text = format!("{} ", game.start().fen());
    let root = game.comment(NodeId::ROOT);
    if !root.is_empty() {
        text += &format!("{{{root}}} ");
    }
    line(game, NodeId::ROOT, &mut text);
    text + game.result.text()
}

fn line(game: &Game, from: NodeId, text: &mut String) {
    let mut node = from;
    while let Some((&next, variations)) = game.children(node).split_first() {
        mv(game, next, text);
        for &variation in variations {
            *text += "( ";
            mv(game, variation, text);
            line(game, variation, text);
            *text += ") ";
        }
        node = next;
    }
}

fn mv(game: &Game, node: NodeId, text: &mut String) {
    *text += &format!("{} ", game.mv(node).expect("a move"));
    for glyph in game.glyphs(node) {
        *text += &format!("${glyph} ");
    }
    if !game.comment(node).is_empty() {
        *text += &format!("{{{}}} ", game.comment(node));
    }
}
