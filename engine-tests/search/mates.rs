//! Mates are found, counted right and preferred to everything else.

use cannonade::search::{Limits, Outcome, Score, SearchOptions};

use crate::{play, search, search_with};

#[test]
fn mates_are_counted_in_moves() {
    for (fen, moves) in [
        // Two rooks on the last ranks.
        ("3k5/R8/1R7/9/9/9/9/9/9/4K4 w - - 0 1", 1),
        ("3k5/9/R8/9/1R7/9/9/9/9/5K3 w - - 0 1", 2),
        // The double cannon: the front one is the screen of the rear one.
        ("3aka3/9/9/9/9/9/9/4C4/1C7/3K5 w - - 0 1", 1),
    ] {
        let Outcome { score, best, .. } = search(&play(fen, ""), 100_000);
        assert_eq!(score, Score::Mate(moves), "{fen}: {best:?}");
    }
}

#[test]
fn stalemate_is_lost() {
    // Black's only piece is the king, shut in by the rook's file and the facing king.
    let position = play("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a8");
    assert!(!position.has_legal_move());
    let Outcome { best, score, .. } = search(&position, 1_000);
    assert_eq!((best, score), (None, Score::Mate(0)));
}

#[test]
fn go_mate_ends_when_the_mate_is_found() {
    let position = play("3k5/9/R8/9/1R7/9/9/9/9/5K3 w - - 0 1", "");
    let limits = Limits { mate: Some(2), nodes: Some(5_000_000), ..Limits::default() };
    let Outcome { score, nodes, .. } = search_with(&position, limits, SearchOptions::default());
    assert_eq!(score, Score::Mate(2));
    assert!(nodes < 1_000_000);
}
