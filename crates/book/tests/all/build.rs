//! The content of a book built from games.

use cannonade_book::{Book, BuildSettings, Results, Weighting, verify};
use xiangqi::board::Position;

use crate::games::{GAMES, book_of, settings};

fn after(moves: &str) -> Position {
    let mut position = Position::startpos();
    for word in moves.split_whitespace() {
        let mv = position.parse_move(word).expect("a legal move");
        position.play_unchecked(mv);
    }
    position
}

/// The moves of a position with weight and results.
fn moves(book: &Book, position: &Position) -> Vec<(String, u32, [u32; 4])> {
    let list = book.moves(position).into_iter().map(|one| {
        let Results { wins, draws, losses, unknown } = one.results.expect("a book of ours");
        (one.mv.to_string(), one.weight, [wins, draws, losses, unknown])
    });
    list.collect()
}

#[test]
fn mirrored_games_are_counted_together_from_the_view_of_the_mover() {
    let book = Book::from_bytes(&book_of(GAMES, settings())).expect("a book");
    // 2 points for the win, 1 each for the draw and the unknown result.
    assert_eq!(
        moves(&book, &after("")),
        [("h2e2".into(), 4, [1, 1, 1, 1]), ("g3g4".into(), 2, [1, 0, 0, 0])]
    );
    // h9g7 lost once; its mirror image b9c7 after b2e2 won once.
    let replies = moves(&book, &after("h2e2"));
    assert_eq!(replies[0], ("h9g7".into(), 2, [1, 0, 1, 0]));
    assert_eq!(replies.len(), 3);
    let mirrored = moves(&book, &after("b2e2"));
    assert_eq!(mirrored[0], ("b9c7".into(), 2, [1, 0, 1, 0]));
}

#[test]
fn settings_limit_plies_and_games_and_choose_the_weights() {
    let plies = BuildSettings { plies: 1, ..settings() };
    let book = Book::from_bytes(&book_of(GAMES, plies)).expect("a book");
    assert_eq!((book.len(), book.positions()), (2, 1));

    let games = BuildSettings { min_games: 2, weighting: Weighting::Games, ..settings() };
    let book = Book::from_bytes(&book_of(GAMES, games)).expect("a book");
    assert_eq!(moves(&book, &after("")), [("h2e2".into(), 4, [1, 1, 1, 1])]);
    assert_eq!(moves(&book, &after("g3g4")), []);
}

#[test]
fn a_position_that_a_game_repeats_counts_once() {
    let game = "1-0 h0g2 h9g7 g2h0 g7h9 h0g2 h9g7\n";
    let book = Book::from_bytes(&book_of(game, settings())).expect("a book");
    assert_eq!(moves(&book, &after("")), [("h0g2".into(), 2, [1, 0, 0, 0])]);
    let twice = BuildSettings { min_games: 2, ..settings() };
    assert_eq!(Book::from_bytes(&book_of(game, twice)).expect("a book").len(), 0);
}

#[test]
fn positions_that_no_kept_move_leads_to_are_left_out() {
    // Two ways, played once each, lead to a position from which a move was played twice.
    let games = "1-0 h0g2 h9g7 b0c2 b9c7\n1-0 b0c2 h9g7 h0g2 b9c7\n";
    let all = Book::from_bytes(&book_of(games, settings())).expect("a book");
    assert_eq!(moves(&all, &after("h0g2 h9g7 b0c2")).len(), 1);
    let twice = BuildSettings { min_games: 2, ..settings() };
    let book = Book::from_bytes(&book_of(games, twice)).expect("a book");
    let found = verify(&book, &[Position::startpos()]);
    assert_eq!((found.unreached, found.illegal), (0, 0));
    assert_eq!(found.moves, book.len());
}

#[test]
fn games_from_other_positions_keep_their_lines() {
    let pgn = "[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n1. a0a9 d9d8 2. a9a8 1-0\n";
    let book = Book::from_bytes(&book_of(pgn, settings())).expect("a book");
    assert_eq!(book.len(), 3);
    let start = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
    assert_eq!(verify(&book, &[Position::startpos()]).unreached, 3);
    let found = verify(&book, &[start]);
    assert_eq!((found.unreached, found.moves, found.illegal), (0, 3, 0));
}

#[test]
fn the_order_of_the_games_does_not_change_the_book() {
    let reversed: Vec<&str> = GAMES.lines().rev().collect();
    assert_eq!(book_of(GAMES, settings()), book_of(&reversed.join("\n"), settings()));
}
