//! The engine: searches as streams, levels and books, pages that take turns, games that are analysed.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::snapshots::assert_text;

use super::client::TestServer;

#[test]
fn a_search_streams_its_lines_until_it_is_stopped() {
    let server = TestServer::start();
    let mut events =
        server.search("search", &json!({ "page": "a", "lines": 3, "notation": "wxf" }));
    events.wait_for("started", |_| true);
    let found = events.wait_for("lines", |found| {
        found["lines"]
            .as_array()
            .is_some_and(|lines| lines.len() == 3 && lines[0]["score"]["depth"].as_u64() > Some(4))
    });
    let line = &found["lines"][0];
    assert_eq!(line["moves"].as_array().map(Vec::len), line["texts"].as_array().map(Vec::len));
    assert!(line["score"]["red"].as_f64().is_some_and(|red| red > 400.0 && red < 700.0), "{line}");
    assert_eq!(server.call("stop", &json!({ "page": "a" })).status, 204);
    assert!(events.rest().iter().all(|event| event.get("best").is_none()), "a result nobody wants");
}

#[test]
fn a_new_search_of_a_page_replaces_the_old_one() {
    let server = TestServer::start();
    let mut old = server.search("search", &json!({ "page": "a" }));
    old.wait_for("lines", |_| true);
    let mut new = server.search("search", &json!({ "page": "a", "moves": "h2e2", "time": 100 }));
    old.rest();
    let best = new.wait_for("best", |_| true);
    assert!(best["score"]["line"][0] == best["move"] && best["move"].is_string(), "{best}");
    assert_eq!(new.rest(), Vec::<Value>::new());
}

#[test]
fn pages_have_the_engine_in_turn() {
    let server = TestServer::start();
    let names = ["a", "b", "c", "d"];
    let mut analyses =
        names.map(|name| server.search("search", &json!({ "page": name, "moves": "h2e2 h9g7" })));
    for events in &mut analyses {
        events.wait_for("lines", |_| true);
    }
    // A move is found although all of them go on, and they go on after it.
    let start = Instant::now();
    let mut game = server.search("search", &json!({ "page": "e", "time": 100, "elo": 1200 }));
    game.wait_for("best", |best| best["score"].is_null());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    for events in &mut analyses {
        events.wait_for("lines", |_| true);
    }
}

#[test]
fn the_engine_rests_when_a_page_has_left_its_stream() {
    let server = TestServer::start();
    let mut left = server.search("search", &json!({ "page": "a" }));
    left.wait_for("lines", |_| true);
    drop(left);
    // A search with nodes is as fast as without the other one as soon as that has ended.
    let mut next = server.search("search", &json!({ "page": "b", "time": 50 }));
    next.wait_for("best", |_| true);
}

#[test]
fn the_move_is_played_at_once_when_it_is_wanted() {
    let server = TestServer::start();
    let start = Instant::now();
    let mut events = server.search("search", &json!({ "page": "a", "time": 60_000 }));
    events.wait_for("lines", |_| true);
    server.call("now", &json!({ "page": "a" }));
    assert!(events.wait_for("best", |_| true)["move"].is_string());
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
}

#[test]
fn the_engine_plays_from_the_opening_book_that_was_chosen() {
    let server = TestServer::start();
    let mut events = server.search("search", &json!({ "page": "a", "time": 60_000, "book": 0 }));
    let best = events.wait_for("best", |_| true);
    assert_eq!((&best["book"], &best["score"]), (&json!(true), &Value::Null));
    // Where the book ends, the engine searches.
    let bare = json!({ "page": "a", "fen": "3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "time": 50, "book": 0 });
    let best = server.search("search", &bare).wait_for("best", |_| true);
    assert_eq!(best["book"], false);
}

#[test]
fn the_threat_of_the_other_side_is_found() {
    let server = TestServer::start();
    let position = json!({ "page": "a", "fen": "3k5/9/9/9/r3R4/9/9/9/4A4/4K4 w", "threat": true });
    let found = server.search("search", &position).wait_for("lines", |_| true);
    assert_eq!(found["lines"][0]["moves"][0], "a5e5");
}

#[test]
fn wrong_orders_for_the_engine_are_refused_with_the_bounds() {
    let server = TestServer::start();
    let fen = "3k5/3R5/9/9/9/9/9/9/9/4K4 w";
    let mated = "3k5/3P1R3/9/9/9/9/9/9/9/4K4 b";
    let orders = [
        ("search", json!({})),
        ("search", json!({ "page": "a", "elo": 9000 })),
        ("search", json!({ "page": "a", "lines": 99 })),
        ("search", json!({ "page": "a", "time": 1 })),
        ("search", json!({ "page": "a", "book": 7 })),
        ("search", json!({ "page": "a", "fen": fen })),
        ("search", json!({ "page": "a", "fen": mated, "threat": true })),
        ("analyse", json!({ "page": "a", "nodes": 1 })),
    ];
    let refusals =
        orders.map(|(name, order)| format!("{name}: {}", server.call(name, &order).refusal()));
    assert_text!("refused-orders", refusals.concat());
}

#[test]
fn every_position_of_a_game_is_valued_from_its_end_and_the_moves_are_assessed() {
    let server = TestServer::start();
    let moves = "h2e2 i9i8 h0g2 i8d8 b0c2 d8d3 g3g4 d3e3 a0a1 h9g7";
    let asked = json!({ "page": "a", "moves": moves, "time": 100 });
    let values = server.search("analyse", &asked).rest();
    let values: Vec<Value> =
        values.iter().filter_map(|event| event.get("value").cloned()).collect();
    let plies: Vec<_> = values.iter().filter_map(|value| value["ply"].as_u64()).collect();
    assert_eq!(plies, (0..=10).rev().collect::<Vec<_>>());
    let score = |ply: usize| values[10 - ply]["score"].clone();
    let words: Vec<&str> = moves.split(' ').collect();
    let tree = json!({
        "score": score(0),
        "moves": words.iter().enumerate().map(|(ply, mv)| {
            json!({ "parent": ply, "move": mv, "score": score(ply + 1) })
        }).collect::<Vec<_>>(),
    });
    let assessed = server.call("assess", &json!({ "tree": tree, "notation": "wxf" })).ok();
    assert_eq!((&assessed["complete"], &assessed["positions"]), (&json!(true), &json!(11)));
    let worst = &assessed["moves"][7];
    assert_eq!((&worst["class"], &worst["node"]), (&json!("blunder"), &json!(8)));
    assert!(assessed["summary"]["red"]["accuracy"].is_number(), "{assessed}");
    let annotated = json!({ "tree": tree, "kind": "pgn", "notation": "wxf", "analysis": true });
    let text = server.call("write", &annotated).text();
    assert!(text.contains("[%eval") && text.contains("$4"), "{text}");
    let report = server.call("write", &json!({ "tree": tree, "kind": "report" }));
    assert!(
        report.head.contains("report.html") && report.text().contains("<html"),
        "{}",
        report.head
    );
    // What was done before is left out.
    let asked = json!({ "page": "a", "moves": moves, "time": 10, "from": 1 });
    let events = server.search("analyse", &asked).rest();
    assert_eq!(events.iter().filter(|event| event.get("value").is_some()).count(), 2);
}

#[test]
fn an_analysis_by_nodes_finds_the_same_each_time() {
    let server = TestServer::start();
    let asked = json!({ "page": "a", "moves": "h2e2 h9g7 h0g2", "nodes": 20_000 });
    let first = server.search("analyse", &asked).rest();
    let mut other =
        server.search("search", &json!({ "page": "b", "moves": "h2e2 h9g7", "time": 300 }));
    other.wait_for("best", |_| true);
    assert_eq!(server.search("analyse", &asked).rest(), first);
    assert_eq!(first.len(), 5, "{first:?}");
}

#[test]
fn a_mate_at_the_end_is_a_value() {
    let server = TestServer::start();
    let asked = json!({ "page": "a", "fen": "3k5/9/9/9/9/9/9/9/R8/1R3K3 w", "moves": "a1a8 d9e9 b0b9",
        "time": 20 });
    let events = server.search("analyse", &asked).rest();
    let value =
        events.iter().find_map(|event| event.get("value").filter(|value| value["ply"] == 3));
    let score = &value.expect("the end")["score"];
    assert_eq!((&score["mate"], &score["red"]), (&json!(0), &json!(1000.0)));
}
