//! The engine plays from books.

use std::fs;
use std::time::Instant;

use cannonade_book::Book;
use cannonade_engine::search::Limits;
use cannonade_engine::{Engine, Event};
use crossbeam_channel::Receiver;
use xiangqi::board::{Move, Position};

use crate::common::folder::empty_folder;
use crate::games::{GAMES, book_of, settings};

/// Creates an engine with these options, and the receiver of its reports.
fn engine(options: &[(&str, &str)]) -> (Engine, Receiver<Event>) {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    for (name, value) in options {
        engine.set_option(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    (engine, events)
}

/// The move for a position, the nodes that were searched, and whether a book was announced.
fn answer(
    (engine, events): &mut (Engine, Receiver<Event>),
    moves: &str,
    limits: Limits,
) -> (Option<Move>, u64, bool) {
    let mut position = Position::startpos();
    for word in moves.split_whitespace() {
        let mv = position.parse_move(word).expect("a legal move");
        position.play_unchecked(mv);
    }
    engine.set_position(position);
    let limits = Limits { depth: Some(limits.depth.unwrap_or(2)), ..limits };
    engine.go(limits, Instant::now());
    let mut announced = false;
    for event in events.iter() {
        match event {
            Event::Message(text) => announced |= text.starts_with("book move"),
            Event::BestMove(conclusion) => return (conclusion.best, conclusion.nodes, announced),
            _ => {}
        }
    }
    unreachable!("the engine answers")
}

fn mv(text: &str) -> Option<Move> {
    Some(text.parse().expect("a move"))
}

#[test]
fn the_book_is_used_only_when_it_is_switched_on() {
    let mut off = engine(&[]);
    let (_, nodes, announced) = answer(&mut off, "", Limits::default());
    assert!(nodes > 0 && !announced);
    let mut on = engine(&[("OwnBook", "true"), ("Book Variety", "0")]);
    assert_eq!(answer(&mut on, "", Limits::default()), (mv("h2e2"), 0, true));
    assert_eq!(answer(&mut on, "h2e2", Limits::default()), (mv("h9g7"), 0, true));
    assert_eq!(answer(&mut on, "b2e2", Limits::default()), (mv("b9c7"), 0, true));
}

#[test]
fn a_game_leaves_the_book_at_its_depth() {
    let mut engine = engine(&[("OwnBook", "on"), ("Book Depth", "1")]);
    assert!(answer(&mut engine, "h2e2", Limits::default()).2);
    assert!(!answer(&mut engine, "h2e2 h9g7", Limits::default()).2);
}

#[test]
fn moves_that_the_client_forbids_are_not_played_from_the_book() {
    let mut engine = engine(&[("OwnBook", "true"), ("Book Variety", "0")]);
    let banned = Limits { banned_moves: mv("h2e2").into_iter().collect(), ..Limits::default() };
    assert_eq!(answer(&mut engine, "", banned), (mv("g3g4"), 0, true));
    let searched = Limits { search_moves: mv("a3a4").into_iter().collect(), ..Limits::default() };
    let (best, nodes, announced) = answer(&mut engine, "", searched);
    assert!(best == mv("a3a4") && nodes > 0 && !announced);
}

#[test]
fn an_analysis_is_searched_and_not_answered_from_the_book() {
    let mut engine = engine(&[("OwnBook", "true")]);
    let mate = Limits { mate: Some(1), ..Limits::default() };
    let (_, nodes, announced) = answer(&mut engine, "", mate);
    assert!(nodes > 0 && !announced);
}

/// The book holds a game in which both sides go back and forth.
#[test]
fn a_book_move_that_repeats_a_position_is_not_played() {
    let file = empty_folder("book", "repetition").join("back.cnb");
    let game = "1-0 h0g2 h9g7 g2h0 g7h9 h2e2\n1-0 h0g2 h9g7 g2h0 g7h9\n";
    fs::write(&file, book_of(game, settings())).expect("a temporary file");
    let file = file.to_str().expect("a path in UTF-8");
    let options = [("OwnBook", "true"), ("BookFile", file), ("Book Variety", "0")];
    let mut engine = engine(&options);
    assert_eq!(answer(&mut engine, "h0g2 h9g7", Limits::default()), (mv("g2h0"), 0, true));
    // From here g7h9 would be the starting position again.
    let (best, nodes, announced) = answer(&mut engine, "h0g2 h9g7 g2h0", Limits::default());
    assert!(best.is_some() && nodes > 0 && !announced);
}

#[test]
fn the_answer_to_ponder_on_is_the_first_that_a_book_would_play() {
    let folder = empty_folder("book", "ponder");
    let (losing, drawn) = (folder.join("losing.cnb"), folder.join("drawn.cnb"));
    let bytes = book_of("1-0 h2e2 a9a8\n", settings());
    let mut position = Position::startpos();
    position.play_unchecked("h2e2".parse().expect("a move"));
    let answers = Book::from_bytes(&bytes).expect("a book").moves(&position);
    let weights: Vec<_> = answers.iter().map(|answer| answer.weight).collect();
    assert_eq!(weights, [0], "the only answer of this book is never played");
    fs::write(&losing, &bytes).expect("a temporary file");
    fs::write(&drawn, book_of("1/2-1/2 h2e2 h9g7\n", settings())).expect("a temporary file");

    let both = [&losing, &drawn].map(|path| path.to_str().expect("a path in UTF-8")).join(";");
    let options = [("OwnBook", "true"), ("BookFile", both.as_str()), ("Book Variety", "0")];
    let (mut engine, events) = engine(&options);
    engine.set_position(Position::startpos());
    engine.go(Limits { depth: Some(1), ..Limits::default() }, Instant::now());
    let conclusion = events.iter().find_map(|event| match event {
        Event::BestMove(conclusion) => Some(conclusion),
        _ => None,
    });
    let played = conclusion.map(|conclusion| (conclusion.best, conclusion.ponder));
    assert_eq!(played, Some((mv("h2e2"), mv("h9g7"))));
}

#[test]
fn broken_books_are_named_and_play_goes_on() {
    let folder = empty_folder("book", "broken");
    let (good, bad) = (folder.join("good.cnb"), folder.join("bad.cnb"));
    let bytes = book_of(GAMES, settings());
    fs::write(&good, &bytes).expect("a temporary file");
    fs::write(&bad, &bytes[..bytes.len() - 5]).expect("a temporary file");
    let [good, bad] = [&good, &bad].map(|path| path.to_str().expect("a path in UTF-8"));
    let mut engine = engine(&[("OwnBook", "true"), ("Book Variety", "0")]);

    let refused = |engine: &mut Engine, value: &str| {
        engine.set_option("BookFile", value).expect_err("a broken file").to_string()
    };
    let message = refused(&mut engine.0, bad);
    assert!(message.contains("bad.cnb") && message.contains("truncated"), "{message}");
    assert_eq!(answer(&mut engine, "", Limits::default()), (mv("h2e2"), 0, true), "built in");

    let message = refused(&mut engine.0, &format!("{bad};{good}"));
    assert!(message.contains("bad.cnb") && message.contains("other books are used"), "{message}");
    // Only the games of the test have this answer.
    assert!(answer(&mut engine, "h2e2 h9g7 h0g2", Limits::default()).2);
    assert!(!answer(&mut engine, "h2e2 h9g7 h0g2 i9h9 i0h0", Limits::default()).2);

    let message = refused(&mut engine.0, "no/such/book.cnb");
    assert!(message.contains("no/such/book.cnb") && message.contains("stay"), "{message}");
    assert_eq!(engine.0.set_option("BookFile", "").map(|_| ()), Ok(()));
    assert!(answer(&mut engine, "h2e2 h9g7 h0g2 i9h9 i0h0", Limits::default()).2);
}
