//! The engine: games against it, analysis, and sessions that share it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::snapshots::assert_text;

use super::client::TestServer;

fn contest(red_is_engine: bool, black_is_engine: bool) -> Value {
    json!({
        "red": { "engine": red_is_engine },
        "black": { "engine": black_is_engine },
        "time": { "move": 30 },
    })
}

fn moves(view: &Value) -> usize {
    view["moves"].as_array().map_or(0, Vec::len)
}

#[test]
fn the_engine_answers_moves_until_it_is_paused() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let mut events = board.events();
    let view = board.act("play", &contest(false, true));
    assert_eq!((&view["contest"]["running"], &view["work"]), (&json!(true), &json!("none")));
    board.play("h2e2");
    let view = events.wait_for("view", |view| moves(view) == 2);
    assert_eq!((&view["side"], &view["work"]), (&json!("red"), &json!("none")));
    let view = board.act("takeback", &json!({}));
    assert_eq!(moves(&view), 0, "the person's own move is taken back too");
    board.play("b2e2");
    events.wait_for("view", |view| moves(view) == 2 && view["side"] == "red");
    let view = board.act("resign", &json!({}));
    assert_eq!((&view["end"]["reason"], &view["result"]), (&json!("resignation"), &json!("0-1")));
}

#[test]
fn it_is_not_the_persons_turn_while_the_engine_thinks() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let slow = json!({
        "red": { "engine": true },
        "black": { "engine": false },
        "time": { "move": 600_000 },
    });
    board.act("play", &slow);
    assert_text!("engines-turn", board.try_do("move", &json!({ "move": "h2e2" })).refusal());
    let mut events = board.events();
    events.wait_for("lines", |lines| !lines["lines"].as_array().expect("lines").is_empty());
    board.act("now", &json!({}));
    // Ten minutes are longer than any deadline.
    events.wait_for("view", |view| moves(view) == 1);
}

#[test]
fn the_engine_plays_a_whole_game_against_itself() {
    let server = TestServer::start();
    // Black has moves of the pawn only, and after each of them Red mates, at every depth.
    let board = server.open(&json!({ "fen": "3k5/R8/9/9/4R4/9/8p/9/9/4K4 b" }));
    let mut events = board.events();
    board.act("play", &contest(true, true));
    let view = events.wait_for("view", |view| !view["end"].is_null());
    assert_eq!((&view["end"]["winner"], &view["result"]), (&json!("red"), &json!("1-0")));
    assert_eq!((moves(&view), &view["contest"]["running"]), (2, &json!(false)));
}

#[test]
fn the_engine_plays_from_the_opening_book_that_was_chosen() {
    let server = TestServer::start();
    let about = server.get("api/about").ok();
    for elo in [Value::Null, about["elo"][0].clone()] {
        let board = server.open(&json!({}));
        let mut events = board.events();
        let game = json!({
            "red": { "engine": false },
            "black": { "engine": true, "elo": elo },
            // A search would take much longer.
            "time": { "move": 60_000 },
            "book": 0,
        });
        let view = board.act("play", &game);
        assert_eq!(view["contest"]["book"], 0);
        board.play("h2e2");
        let view = events.wait_for("view", |view| moves(view) == 2);
        assert_eq!((view["moves"][0].get("book"), &view["moves"][1]["book"]), (None, &json!(true)));
        let book = server.get(&board.path("book?book=0")).ok();
        assert!(!book.as_array().expect("moves").is_empty(), "the game is still in the book");
        assert_eq!(view["moves"][0].get("score"), None, "the book gives no value");
    }
    let board = server.open(&json!({ "fen": "3k5/9/9/9/9/9/9/9/4A4/R3K4 w" }));
    let mut events = board.events();
    let game = json!({
        "red": { "engine": true },
        "black": { "engine": false },
        "time": { "move": 30 },
        "book": 0,
    });
    board.act("play", &game);
    let view = events.wait_for("view", |view| moves(view) == 1);
    assert_eq!(view["moves"][0].get("book"), None, "where the book ends the engine searches");
}

#[test]
fn the_pause_before_a_move_is_shown_costs_the_engine_no_time() {
    let server = TestServer::start();
    let elo = server.get("api/about").ok()["elo"][0].clone();
    for (base, book) in [(60_000, json!(0)), (3_000, Value::Null)] {
        let board = server.open(&json!({}));
        let mut events = board.events();
        let game = json!({
            "red": { "engine": false },
            "black": { "engine": true, "elo": elo },
            "time": { "clock": { "base": base, "increment": 0 } },
            "book": book,
        });
        board.act("play", &game);
        board.play("h2e2");
        let view = events.wait_for("view", |view| moves(view) == 2);
        let left = view["contest"]["left"][1].as_u64();
        assert!(left > Some(base - 300), "{left:?} of {base}");
    }
}

#[test]
fn wrong_orders_for_the_engine_are_refused_with_the_bounds() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let engine = json!({ "engine": true });
    let unknown = json!({ "red": engine, "black": engine, "time": { "move": 30 }, "book": 77 });
    let refusals = [
        ("play", unknown),
        ("go", json!({ "time": 1000, "elo": 9000 })),
        ("analyse", json!({ "lines": 99 })),
    ]
    .map(|(action, body)| format!("{action}: {}", board.try_do(action, &body).refusal()));
    let report = server.get(&board.path("report?language=fr")).refusal();
    assert_text!("refused-orders", format!("{}report: {report}", refusals.concat()));
}

#[test]
fn a_level_is_played_at_a_persons_pace() {
    let server = TestServer::start();
    let about = server.get("api/about").ok();
    let (min, max) = (about["elo"][0].as_u64(), about["elo"][1].as_u64());
    assert!(min > Some(100) && max < Some(4000), "{about}");
    let board = server.open(&json!({}));
    let mut events = board.events();
    let start = Instant::now();
    board.act("go", &json!({ "time": 1000, "elo": min }));
    let view = events.wait_for("view", |view| moves(view) == 1);
    assert!(start.elapsed() >= Duration::from_millis(350), "{:?}", start.elapsed());
    assert_eq!(view["moves"][0].get("score"), None, "a level's score is not that of the position");
}

#[test]
fn an_analysis_streams_its_lines_and_follows_the_board() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let mut events = board.events();
    let view = board.act("analyse", &json!({ "lines": 3 }));
    assert_eq!(view["analysis"], 3);
    let found =
        events.wait_for("lines", |lines| lines["lines"].as_array().map(Vec::len) == Some(3));
    assert!(
        found["lines"][0]["moves"][0].is_string() && found["lines"][0]["score"]["red"].is_u64()
    );
    board.play("h2e2");
    let found = events.wait_for("lines", |lines| {
        lines["node"] == 1 && lines["lines"].as_array().is_some_and(|lines| !lines.is_empty())
    });
    assert!(found["lines"][0]["score"]["cp"].is_i64(), "{found}");
    let view = board.act("analyse", &json!({ "lines": null }));
    assert_eq!((&view["analysis"], &view["work"]), (&Value::Null, &json!("none")));
}

#[test]
fn an_analysis_goes_on_with_the_game_that_replaces_another() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let mut events = board.events();
    board.act("analyse", &json!({ "lines": 1 }));
    let has_lines = |lines: &Value| lines["lines"][0]["score"]["depth"].as_u64() >= Some(4);
    events.wait_for("lines", has_lines);
    // A mate in one: no line of the starting position is like that.
    board.act("position", &json!({ "fen": "3k5/8R/R8/9/9/9/9/9/9/4K4 w" }));
    events.wait_for("lines", |lines| lines["lines"][0]["score"]["mate"] == 1);
}

#[test]
fn sessions_have_the_engine_in_turn() {
    let server = TestServer::start();
    let first = server.open(&json!({}));
    let second = server.open(&json!({ "moves": "h2e2" }));
    let (mut first_events, mut second_events) = (first.events(), second.events());
    first.act("analyse", &json!({ "lines": 1 }));
    second.act("analyse", &json!({ "lines": 1 }));
    let has_depth = |depth: u64| {
        move |lines: &Value| lines["lines"][0]["score"]["depth"].as_u64() >= Some(depth)
    };
    first_events.wait_for("lines", has_depth(6));
    second_events.wait_for("lines", has_depth(6));
    // A move of a third one does not wait for the end of analyses that never end.
    let third = server.open(&json!({}));
    third.act("go", &json!({ "time": 50 }));
    third.events().wait_for("view", |view| moves(view) == 1);
}

#[test]
fn the_curve_of_a_game_values_every_position() {
    let server = TestServer::start();
    let board = server.open(&json!({ "moves": "h2e2 h9g7 h0g2 i9h9" }));
    let mut events = board.events();
    let view = board.act("sweep", &json!({ "time": 20 }));
    assert_eq!(view["sweep"], json!([0, 5]));
    let view =
        events.wait_for("view", |view| view["sweep"].is_null() && !view["start_score"].is_null());
    assert!(view["start_score"]["red"].is_u64(), "{view}");
    for mv in view["moves"].as_array().expect("moves") {
        assert!(mv["score"]["red"].is_u64(), "{mv}");
    }
    let report = server.get(&board.path("report?language=zh"));
    assert!(report.head.contains("attachment; filename=\"report.html\""), "{}", report.head);
    let text = report.text();
    assert!(text.starts_with("<!doctype html>") && text.contains("h2e2"), "{text:.300}");
}

#[test]
fn clocks_run_and_end_the_game() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let view = board.act(
        "play",
        &json!({
            "red": { "engine": false },
            "black": { "engine": true },
            "time": { "clock": { "base": 1000, "increment": 0 } },
        }),
    );
    assert_eq!(view["contest"]["ticking"], "red");
    std::thread::sleep(Duration::from_millis(1500));
    let view = board.act("flag", &json!({}));
    assert_eq!((&view["end"]["reason"], &view["end"]["winner"]), (&json!("time"), &json!("black")));
    let view = board.play("h2e2");
    assert_eq!(
        (&view["end"], &view["contest"]),
        (&Value::Null, &Value::Null),
        "one may look further"
    );
}

#[test]
fn a_position_that_the_engine_does_not_search_is_refused_and_asks_for_nothing() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    // Black is in check, and Red is to move.
    let text = b"[FEN \"3k5/9/9/9/9/9/9/9/4A4/3RK4 w - - 0 1\"]\n\n1. d0d5 d9e9 *";
    board.load(text, 1).ok();
    board.act("goto", &json!({ "to": "start" }));
    assert_text!("not-searched", board.try_do("play", &contest(true, false)).refusal());
    board.try_do("go", &json!({ "time": 100 })).error(409);
    let mut events = board.events();
    let before = board.act("analyse", &json!({ "lines": 1 }));
    std::thread::sleep(Duration::from_millis(300));
    let after = board.view();
    assert_eq!((&after["version"], &after["start_score"]), (&before["version"], &Value::Null));
    // The analysis begins where it can, and so does the curve.
    board.act("goto", &json!({ "to": 1 }));
    events.wait_for("lines", |lines| !lines["lines"].as_array().expect("lines").is_empty());
    board.act("sweep", &json!({ "time": 50 }));
    let view = events
        .wait_for("view", |view| view["sweep"].is_null() && view["moves"][1]["score"].is_object());
    assert_eq!(view["start_score"], Value::Null);
}

#[test]
fn a_single_move_of_the_engine_leaves_the_clocks_of_a_paused_game_alone() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let clock = json!({ "clock": { "base": 60_000, "increment": 0 } });
    let players = json!({ "red": { "engine": false }, "black": { "engine": true }, "time": clock });
    board.act("play", &players);
    let paused = board.act("pause", &json!({}));
    let mut events = board.events();
    board.act("go", &json!({ "time": 300 }));
    events.wait_for("view", |view| moves(view) == 1);
    std::thread::sleep(Duration::from_millis(300));
    let later = board.view();
    assert_eq!(later["contest"]["running"], false);
    assert_eq!(later["contest"]["left"], paused["contest"]["left"]);
}

#[test]
fn a_game_is_assessed_and_saved_with_scores_and_marks() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let mut events = board.events();
    // Black's fourth move gives a rook away.
    board.load(b"1. h2e2 i9i8 2. h0g2 i8d8 3. b0c2 d8d3 4. g3g4 d3e3 5. g2e3 *", 1).ok();
    assert_eq!(server.get(&board.path("assessment")).ok()["complete"], false);
    board.act("sweep", &json!({ "time": 100 }));
    events.wait_for("view", |view| view["sweep"].is_null() && view["start_score"].is_object());
    let found = server.get(&board.path("assessment")).ok();
    assert_eq!(
        (&found["complete"], &found["known"], &found["positions"]),
        (&json!(true), &json!(10), &json!(10))
    );
    let blunder = &found["moves"][7];
    assert_eq!((&blunder["class"], &blunder["node"]), (&json!("blunder"), &json!(8)), "{found}");
    assert!(blunder["better"].as_array().is_some_and(|line| !line.is_empty()), "{blunder}");
    let accuracy = |side: &str| found["summary"][side]["accuracy"].as_f64().expect("an accuracy");
    assert!(accuracy("red") > accuracy("black"), "{found}");
    let plain = server.get(&board.path("save?kind=pgn")).text();
    assert!(!plain.contains("%eval"), "{plain}");
    let marked = server.get(&board.path("save?kind=pgn&analysis=1&notation=uci")).text();
    assert!(marked.contains("d3e3 $4 {[%eval "), "{marked}");
    assert!(marked.matches("[%eval").count() == 9 && marked.contains("blunder loses"), "{marked}");
    assert!(server.get(&board.path("save?analysis=2")).error(400).contains("0 or 1"));
    // A variation that is shown is assessed by itself.
    board.act("goto", &json!({ "to": 3 }));
    board.play("b9c7");
    let other = server.get(&board.path("assessment")).ok();
    assert_eq!((&other["complete"], &other["positions"]), (&json!(false), &json!(5)), "{other}");
}

#[test]
fn a_mate_at_the_end_is_a_score() {
    let server = TestServer::start();
    let board = server.open(&json!({ "fen": "3k5/1R7/9/R8/9/9/9/9/9/4K4 w", "moves": "a6a9" }));
    let mut events = board.events();
    board.act("sweep", &json!({ "time": 50 }));
    let view =
        events.wait_for("view", |view| view["sweep"].is_null() && view["start_score"].is_object());
    let last = &view["moves"][0];
    assert_eq!((&last["score"]["mate"], &last["score"]["red"]), (&json!(0), &json!(1000)));
    assert_eq!(server.get(&board.path("assessment")).ok()["complete"], true);
}

#[test]
fn the_threat_of_the_other_side_is_shown_without_touching_the_scores() {
    let server = TestServer::start();
    // The black rook can take a rook that nothing protects.
    let board = server.open(&json!({ "fen": "3k5/9/9/9/r3R4/9/9/9/4A4/4K4 w" }));
    let mut events = board.events();
    board.act("threat", &json!({ "show": true }));
    let lines = events.wait_for("lines", |lines| lines["threat"].is_object());
    assert_eq!(lines["threat"]["moves"][0], "a5e5");
    let view = board.act("threat", &json!({ "show": false }));
    assert_eq!(
        (&view["threat"], &view["start_score"], &view["work"]),
        (&json!(false), &Value::Null, &json!("none"))
    );
    // In check there is no threat, and no search.
    board.act("position", &json!({ "fen": "3k5/9/9/9/4r4/9/9/9/9/4K4 w" }));
    let view = board.act("threat", &json!({ "show": true }));
    assert_eq!(view["work"], "none");
}
