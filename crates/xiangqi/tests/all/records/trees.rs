//! Random trees survive the kinds of files that hold trees.

use proptest::prelude::*;
use xiangqi::board::{MoveError, Position};
use xiangqi::geometry::Color::Black;
use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, NodeId, TextEncoding, read, write, write_pgn};
use xiangqi::rules::GameResult;

use super::tree::tree_text;

/// A tree with one move per pick, each appended to one of the nodes before it. A comment hangs on
/// every third node.
fn tree(picks: &[(prop::sample::Index, prop::sample::Index)], comments: &[String]) -> Game {
    let mut game = Game::new(Position::startpos());
    game.result = GameResult::Draw;
    let mut nodes = vec![(NodeId::ROOT, Position::startpos())];
    for (i, (parent, pick)) in picks.iter().enumerate() {
        // Half of the moves continue the last line, so that lines become long.
        let parent = if i % 2 == 0 { nodes.len() - 1 } else { parent.index(nodes.len()) };
        let (node, position) = nodes[parent].clone();
        let moves = position.legal_moves();
        if moves.is_empty() {
            continue;
        }
        let mv = moves[pick.index(moves.len())];
        let child = game.add(node, mv).expect("a legal move");
        nodes.push((child, position.after([mv])));
        if let Some(comment) = comments.get(i / 3).filter(|_| i % 3 == 0) {
            game.add_comment(child, comment.trim());
        }
    }
    for (node, position) in nodes {
        assert_eq!(game.position_at(node).fen(), position.fen());
        assert_eq!(game.path_to(node).len(), position.ply());
    }
    game
}

#[test]
fn an_illegal_move_is_refused_and_the_game_stays_as_it_was() {
    let mv = |text: &str| text.parse().expect("a move");
    let mut game = Game::with_moves(Position::startpos(), [mv("h2e2")]).expect("a legal move");
    let first = game.main_line().next().expect("a node");
    assert_eq!(
        game.add(first, mv("b2e2")),
        Err(MoveError::NotYours { mv: mv("b2e2"), side: Black })
    );
    assert_eq!(game.add_line(first, [mv("h9g7"), mv("h2e2")]), Err(MoveError::NoPiece(mv("h2e2"))));
    assert_eq!(game.len(), 1);
    let last = game.add_line(first, [mv("h9g7"), mv("h0g2")]).expect("legal moves");
    assert_eq!((game.len(), game.path_to(last).len()), (3, 3));
    assert!(Game::with_moves(Position::startpos(), [mv("h2h9"), mv("h2e2")]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn a_written_tree_is_read_as_it_was(
        picks in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..60),
        comments in prop::collection::vec("[ a-z0-9:炮二平五.!?+=-]{0,12}", 0..20),
        notation in prop::sample::select(&Notation::ALL[..]),
    ) {
        let game = tree(&picks, &comments);
        let pgn = write_pgn(&game, notation);
        let collection = read(pgn.as_bytes());
        prop_assert_eq!(&collection.problems[..], &[], "{}", pgn);
        prop_assert_eq!(collection.games.len(), 1);
        prop_assert_eq!(tree_text(&collection.games[0]), tree_text(&game), "{}", pgn);

        for kind in [FileKind::DhtmlXq, FileKind::Xqf, FileKind::Cbr] {
            let file = write(std::slice::from_ref(&game), kind, notation, TextEncoding::Utf8);
            let collection = read(&file.expect("one game"));
            prop_assert_eq!(&collection.problems[..], &[], "{}", kind);
            prop_assert_eq!(collection.kind, kind);
            prop_assert_eq!(tree_text(&collection.games[0]), tree_text(&game), "{}", kind);
        }
    }
}
