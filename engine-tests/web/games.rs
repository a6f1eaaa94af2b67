//! Games on the board: moves, variations, files and rulings.

use serde_json::{Value, json};

use crate::common::snapshots::assert_text;

use super::client::TestServer;

fn texts(view: &Value) -> Vec<&str> {
    let moves = view["moves"].as_array().expect("moves");
    moves.iter().map(|mv| mv["text"].as_str().expect("a text")).collect()
}

#[test]
fn a_board_is_opened_with_its_settings() {
    let server = TestServer::start();
    let settings = json!({ "notation": "chinese", "rules": "CXA", "bottom": "black" });
    let board = server.open(&json!({ "moves": "h2e2", "settings": settings }));
    let view = server.get(&format!("api/sessions/{}", board.id)).ok();
    assert_eq!(texts(&view), ["炮二平五"]);
    assert_eq!((&view["rules"], &view["bottom"]), (&json!("CXA"), &json!("black")));
    server.post("api/sessions", &json!({ "settings": { "notation": "morse" } })).error(400);
}

#[test]
fn moves_are_played_taken_back_and_played_again() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let view = board.play("h2e2 馬8進7 H2+3");
    assert_eq!(texts(&view), ["h2e2", "h9g7", "h0g2"]);
    assert_eq!(view["side"], "black");
    assert_eq!(view["path"], json!([1, 2, 3]));
    let view = board.act("goto", &json!({ "to": "back" }));
    assert_eq!((&view["node"], &view["side"]), (&json!(2), &json!("red")));
    let view = board.act("goto", &json!({ "to": "forward" }));
    assert_eq!(view["node"], 3);
    let view = board.act("goto", &json!({ "to": "start" }));
    assert_eq!((&view["node"], &view["legal"].as_array().map(Vec::len)), (&json!(0), &Some(44)));
    let view = board.act("settings", &json!({ "notation": "chinese" }));
    assert_eq!(texts(&view), ["炮二平五", "马８进７", "马二进三"]);
    // The same move goes along the line; another one is a variation.
    let view = board.play("h2e2 b9c7");
    assert_eq!(view["path"], json!([1, 4]));
    let view = board.act("promote", &json!({ "node": 4 }));
    assert_eq!(texts(&view), ["炮二平五", "马２进３", "马８进７", "马二进三"]);
    let view = board.act("remove", &json!({ "node": 2 }));
    assert_eq!(texts(&view), ["炮二平五", "马２进３"]);
    board.try_do("goto", &json!({ "to": 3 })).error(404);
}

#[test]
fn wrong_changes_are_refused_with_a_reason_and_change_nothing() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let refusals = [
        ("move", json!({ "move": "h2h8" })),
        ("move", json!({ "move": "h2e9" })),
        ("goto", json!({ "to": 3 })),
        ("goto", json!({ "to": "sideways" })),
        ("position", json!({ "fen": "9/9 w" })),
        ("position", json!({ "moves": "h2e2 a0a9" })),
        ("settings", json!({ "notation": "latin" })),
        ("annotate", json!({ "node": 9, "comment": "" })),
        ("annotate", json!({ "node": 0, "comment": "x".repeat(10_001) })),
        ("undo", json!({})),
        ("redo", json!({})),
    ]
    .map(|(action, body)| format!("{action}: {}", board.try_do(action, &body).refusal()));
    assert_text!("refused-changes", refusals.concat());
    assert_eq!(board.view()["moves"], json!([]));
    let checked = server.post("api/fen", &json!({ "fen": "4k4/9/9/9/9/9/9/9/9/4K4 w" })).ok();
    assert!(checked["error"].as_str().is_some_and(|text| !text.is_empty()), "{checked}");
}

#[test]
fn a_chinese_game_in_an_old_encoding_is_loaded_and_saved_again() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let text = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n[Black \"许银川\"]\n[Result \"1-0\"]\n\
                1. 炮二平五 马８进７\n2. 马二进三 车９平８\n1-0\n";
    let (bytes, ..) = encoding_rs::GB18030.encode(text);
    let loaded = board.load(&bytes, 1).ok();
    assert_eq!((&loaded["kind"], &loaded["count"]), (&json!("PGN"), &json!(1)));
    assert_eq!(loaded["view"]["red"], "胡荣华");
    assert_eq!(texts(&loaded["view"]), ["h2e2", "h9g7", "h0g2", "i9h9"]);
    let saved = server.get(&board.path("save?kind=pgn&notation=chinese"));
    assert!(saved.head.contains("attachment; filename=\"game.pgn\""), "{}", saved.head);
    assert!(saved.text().contains("炮二平五 马８进７"), "{}", saved.text());
    let dhtmlxq = server.get(&board.path("save?kind=dhtmlxq"));
    let again = board.load(&dhtmlxq.body, 1).ok();
    assert_eq!((&again["kind"], &again["view"]["black"]), (&json!("DhtmlXQ"), &json!("许银川")));
    assert_eq!(texts(&again["view"]).len(), 4);
    for (kind, shown, name) in [
        ("xqf", "XQF", "game.xqf"),
        ("cbr", "CBR", "game.cbr"),
        ("cbf", "CBF", "game.cbf"),
        ("list", "list", "game.txt"),
        ("position", "position", "game.txt"),
    ] {
        let saved = server.get(&board.path(&format!("save?kind={kind}")));
        assert!(saved.head.contains(&format!("filename=\"{name}\"")), "{}", saved.head);
        let again = board.load(&saved.body, 1).ok();
        assert_eq!((&again["kind"], texts(&again["view"]).len()), (&json!(shown), 4), "{kind}");
    }
    board.act("position", &json!({ "fen": "3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "moves": "a0a9" }));
    let refusals = ["kind=exe", "kind=list", "variations=maybe"]
        .map(|query| server.get(&board.path(&format!("save?{query}"))).refusal());
    assert_text!("refused-files", refusals.concat());
    assert_eq!(server.get(&board.path("save?variations=0")).status, 200);
}

#[test]
fn one_of_several_games_is_chosen_and_defects_are_named() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let text = "[Red \"A\"]\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n1. b2e2 h2h9 *\n";
    let second = board.load(text.as_bytes(), 2).ok();
    assert_eq!((&second["count"], &second["view"]["red"]), (&json!(2), &json!("B")));
    assert_eq!(texts(&second["view"]), ["b2e2"]);
    let problem = second["problems"][0].as_str().expect("a problem").to_owned();
    let refusals = [(text.as_bytes(), 3), (b"", 1), (b"this is no game at all", 1)]
        .map(|(bytes, number)| board.load(bytes, number).refusal());
    assert_text!("defects-of-games", format!("{problem}\n{}", refusals.concat()));
    assert_eq!(texts(&board.view()), ["b2e2"], "what cannot be read changes nothing");
}

#[test]
fn every_repetition_has_the_judges_word_by_every_rule_set() {
    let server = TestServer::start();
    let board = server.open(&json!({ "fen": "3k5/9/9/9/9/9/9/9/4A4/R3K4 w" }));
    let turn = "d9d8 a9a8 d8d9 a8a9";
    let view = board.play(&format!("a0a9 {turn}"));
    assert_eq!(view["repetition"]["occurrences"], 2);
    assert_eq!(view["end"], Value::Null);
    let view = board.play(turn);
    assert_eq!(
        (&view["end"]["winner"], &view["end"]["reason"]),
        (&json!("black"), &json!("repetition"))
    );
    let rulings = view["repetition"]["rulings"].as_array().expect("rulings");
    let loser = |rules: &str| {
        let ruling = rulings.iter().find(|ruling| ruling["rules"] == rules);
        ruling.expect("a ruling")["loser"].clone()
    };
    assert_eq!((loser("WXF"), loser("None")), (json!("red"), Value::Null));
    let view = board.act("settings", &json!({ "rules": "None" }));
    assert_eq!((&view["end"]["winner"], &view["rules"]), (&Value::Null, &json!("None")));
    board.act("settings", &json!({ "rules": "WXF" }));
    let judged = server.get(&board.path("judge")).ok();
    assert_eq!(judged.as_array().map(Vec::len), Some(1));
    assert_eq!((&judged[0]["start"], &judged[0]["occurrences"]), (&json!(5), &json!(3)));
    assert_eq!(judged[0]["moves"], json!(["d9d8", "a9a8", "d8d9", "a8a9"]));
    assert_eq!(judged[0]["explanation"]["ruling"], "red loses");
    let chinese = judged[0]["explanation_chinese"]["reasons"][0]["text"].as_str();
    assert!(chinese.is_some_and(|text| text.contains("长将")), "{chinese:?}");
    // Idle in the first turn, checks in the second: all three occurrences are a draw.
    let board = server.open(&json!({ "fen": "3k5/9/9/9/9/9/9/9/4A4/R3K4 w" }));
    let view = board.play("a0a9 d9d8 a9b9 d8d7 b9a9 d7d8 a9a8 d8d9 a8a9 d9d8");
    assert_eq!(
        (&view["end"]["reason"], &view["end"]["winner"]),
        (&json!("repetition"), &Value::Null)
    );
    let judged = server.get(&board.path("judge")).ok();
    for rulings in [&view["repetition"]["rulings"], &judged[1]["rulings"]] {
        assert_eq!((&rulings[0]["rules"], &rulings[0]["loser"]), (&json!("WXF"), &Value::Null));
    }
    assert_eq!(judged[1]["moves"].as_array().map(Vec::len), Some(8));
}

#[test]
fn a_resignation_is_shown_only_where_the_game_was_resigned() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    board.play("h2e2 h9g7");
    board.act("goto", &json!({ "to": "back" }));
    let variation = board.play("b9c7");
    let people = json!({
        "red": { "engine": false }, "black": { "engine": false }, "time": { "move": 30 },
    });
    board.act("goto", &json!({ "to": 2 }));
    board.act("play", &people);
    let resigned = board.act("resign", &json!({}));
    assert_eq!(resigned["end"]["reason"], "resignation");
    let elsewhere = board.act("goto", &json!({ "to": variation["node"] }));
    assert_eq!(elsewhere["end"], Value::Null);
    let back = board.act("goto", &json!({ "to": 2 }));
    assert_eq!(back["end"]["reason"], "resignation");
}

#[test]
fn played_moves_become_the_main_line_and_nothing_is_lost() {
    let server = TestServer::start();
    let board = server.open(&json!({ "moves": "h2e2 h9g7 h0g2 i9h9" }));
    let people = json!({
        "red": { "engine": false }, "black": { "engine": false }, "time": { "move": 30 },
    });
    board.act("goto", &json!({ "to": 2 }));
    board.act("play", &people);
    board.play("b0c2 b9c7");
    let list = || server.get(&board.path("save?kind=list")).text();
    assert_eq!(list(), "* h2e2 h9g7 b0c2 b9c7\n");
    let pgn = server.get(&board.path("save?kind=pgn&notation=uci")).text();
    assert!(pgn.contains("h0g2"), "the old line is a variation: {pgn}");
    // Never undoes more moves than were played.
    for _ in 0..3 {
        board.try_do("takeback", &json!({}));
    }
    assert_eq!(texts(&board.view())[..2], ["h2e2", "h9g7"]);
    assert_eq!(board.view()["node"], 2);
    board.play("g3g4");
    board.act("resign", &json!({}));
    assert!(list().starts_with("1-0 h2e2 h9g7 g3g4"), "{}", list());
}

#[test]
fn names_can_be_cleared_and_a_bare_position_is_opened() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    board.act("settings", &json!({ "red": "A" }));
    let view = board.act("settings", &json!({ "red": "" }));
    assert!(!view.to_string().contains("\"A\""), "{view}");
    // PGN has two names for the first player.
    board.load(b"[Red \"A\"]\n[White \"A\"]\n\n1. h2e2 *", 1).ok();
    let view = board.act("settings", &json!({ "red": "" }));
    assert!(!view.to_string().contains("\"A\""), "{view}");
    let text = "[FEN \"4k4/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n*";
    let loaded = board.load(text.as_bytes(), 1).ok();
    assert!(loaded["view"]["start"].as_str().is_some_and(|fen| fen.starts_with("4k4/")));
}

#[test]
fn a_change_of_rules_ends_a_game_that_is_over_by_them() {
    let server = TestServer::start();
    let board = server.open(&json!({ "fen": "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 104 60" }));
    let people = json!({
        "red": { "engine": false }, "black": { "engine": false }, "time": { "move": 30 },
    });
    board.act("play", &people);
    let view = board.act("settings", &json!({ "rules": "AXF" }));
    assert_eq!((&view["contest"]["running"], &view["result"]), (&json!(false), &json!("1/2-1/2")));
}

#[test]
fn comments_and_marks_are_written_kept_and_saved() {
    let server = TestServer::start();
    let board = server.open(&json!({ "moves": "h2e2 h9g7" }));
    let note = json!({ "node": 1, "comment": "to the\r\ncentre\u{7}", "glyphs": [1] });
    board.act("annotate", &note);
    let view = board.act("annotate", &json!({ "node": 0, "comment": "A lesson" }));
    assert_eq!((&view["comment"], &view["moves"][0]["glyphs"]), (&json!("A lesson"), &json!([1])));
    assert_eq!(view["moves"][0]["comment"], "to the\ncentre");
    let view = board.act("annotate", &json!({ "node": 1, "glyphs": [] }));
    assert_eq!(view["moves"][0]["comment"], "to the\ncentre", "what is left out stays");
    assert_eq!(view["moves"][0].get("glyphs"), None);
    let saved = server.get(&board.path("save?kind=pgn&notation=iccs")).text();
    assert!(saved.contains("{A lesson}") && saved.contains("centre}"), "{saved}");
    let report = server.get(&board.path("report")).text();
    assert!(report.contains("A lesson"), "the report keeps comments");
}

#[test]
fn the_moves_of_the_built_in_book_and_of_an_opened_file_are_shown() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    board.act("settings", &json!({ "notation": "chinese" }));
    let moves = server.get(&board.path("book")).ok();
    assert_eq!((&moves[0]["move"], &moves[0]["text"]), (&json!("h2e2"), &json!("炮二平五")));
    let share: f64 =
        moves.as_array().expect("moves").iter().filter_map(|one| one["share"].as_f64()).sum();
    assert!((share - 1.0).abs() < 1e-9, "{share}");
    assert!(moves[0]["games"].as_u64() > Some(100) && moves[0]["score"].is_f64(), "{moves}");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/books/masters.cnb");
    let bytes = std::fs::read(path).expect("the book");
    let octets = "Content-Type: application/octet-stream\r\n";
    let opened = server.request("POST", "api/books?name=my%20book.cnb", octets, &bytes).ok();
    assert_eq!((&opened["id"], &opened["name"]), (&json!(1), &json!("my%20book.cnb")));
    assert_eq!(server.get("api/books").ok().as_array().map(Vec::len), Some(2));
    assert_eq!(server.get(&board.path("book?book=1")).ok(), moves);
    for book in ["2", "-1", "x"] {
        server.get(&board.path(&format!("book?book={book}"))).error(404);
    }
    let wrong = server.request("POST", "api/books?name=x", octets, b"no book").error(400);
    assert!(wrong.contains("not used"), "{wrong}");
}

/// Two people without clocks.
fn people() -> Value {
    json!({ "red": { "engine": false }, "black": { "engine": false }, "time": { "move": 30 } })
}

#[test]
fn taking_back_leaves_the_moves_of_a_loaded_game() {
    let server = TestServer::start();
    let board = server.open(&json!({ "moves": "h2e2 h9g7 h0g2 i9h9 g3g4 c6c5" }));
    board.act("play", &people());
    board.act("goto", &json!({ "to": 2 }));
    board.act("resume", &json!({}));
    let view = board.act("takeback", &json!({}));
    assert_eq!((texts(&view).len(), &view["node"]), (6, &json!(2)), "the game goes on from there");
    // A move of the record that was played again is undone, but stays in the record.
    board.play("h0g2");
    let view = board.act("takeback", &json!({}));
    assert_eq!((texts(&view).len(), &view["node"]), (6, &json!(2)));
    board.play("b0c2");
    let view = board.act("takeback", &json!({}));
    assert_eq!((texts(&view).len(), &view["node"]), (6, &json!(2)), "the new move is removed");
}

#[test]
fn taking_back_leaves_what_was_played_before_a_step_back() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    board.act("play", &people());
    board.play("h2e2 h9g7 h0g2 i9h9");
    board.act("goto", &json!({ "to": 2 }));
    board.act("resume", &json!({}));
    let view = board.act("takeback", &json!({}));
    assert_eq!((texts(&view).len(), &view["node"]), (4, &json!(1)));
    board.act("goto", &json!({ "to": 4 }));
    board.act("resume", &json!({}));
    let view = board.act("takeback", &json!({}));
    assert_eq!(texts(&view), ["h2e2", "h9g7", "h0g2"], "the last move is removed");
}

/// Returns the view without the counters of changes and the clocks: an undone change gives the time
/// of its turn back, and pauses the game.
fn content(view: &Value) -> Value {
    let mut view = view.clone();
    for key in ["version", "undo", "redo", "work"] {
        view[key] = Value::Null;
    }
    if view["contest"].is_object() {
        for key in ["left", "running", "ticking"] {
            view["contest"][key] = Value::Null;
        }
    }
    view
}

#[test]
fn every_change_is_undone_and_made_again() {
    let server = TestServer::start();
    let board = server.open(&json!({ "moves": "h2e2 h9g7" }));
    let clock = json!({ "clock": { "base": 60_000, "increment": 1000 } });
    let players =
        json!({ "red": { "engine": false }, "black": { "engine": false }, "time": clock });
    let changes = [
        ("move", json!({ "move": "h0g2" }), "move"),
        ("annotate", json!({ "node": 2, "comment": "solid", "glyphs": [1] }), "annotate"),
        ("settings", json!({ "red": "Hu", "event": "Final" }), "tags"),
        ("goto", json!({ "to": 1 }), ""),
        ("move", json!({ "move": "b9c7" }), "move"),
        ("promote", json!({ "node": 4 }), "promote"),
        ("remove", json!({ "node": 2 }), "remove"),
        ("play", players, "resume"),
        ("move", json!({ "move": "b0c2" }), "move"),
        ("takeback", json!({}), "take-back"),
        ("resign", json!({}), "resign"),
        ("position", json!({ "fen": "3k5/9/9/9/9/9/9/9/9/R3K4 w" }), "replace"),
        ("move", json!({ "move": "a0a1" }), "move"),
    ];
    let mut views = Vec::new();
    let mut before = board.view();
    for (action, body, kind) in changes {
        let after = board.act(action, &body);
        // Going to another place is no change.
        if !kind.is_empty() {
            assert_eq!(after["undo"], kind, "{action}");
            views.push((before, after.clone(), kind));
        }
        before = after;
    }
    for (before, after, kind) in views.iter().rev() {
        let undone = board.act("undo", &json!({}));
        assert_eq!(undone["redo"], *kind);
        assert_eq!((&undone["moves"], &undone["node"]), (&before["moves"], &before["node"]));
        assert_eq!(undone["red"], before["red"]);
        assert_eq!((&undone["end"], &undone["result"]), (&before["end"], &before["result"]));
        let redone = board.act("redo", &json!({}));
        assert_eq!(content(&redone), content(after), "{kind}");
        board.act("undo", &json!({}));
    }
    board.try_do("undo", &json!({})).error(409);
    for _ in &views {
        board.act("redo", &json!({}));
    }
    board.try_do("redo", &json!({})).error(409);
    assert_eq!(board.view()["fen"], "3k5/9/9/9/9/9/9/9/R8/4K4 b - - 1 1");
}

#[test]
fn a_game_that_was_replaced_comes_back_with_its_players() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    board.act("play", &people());
    board.play("h2e2 h9g7");
    let gone = board.act("position", &json!({}));
    assert_eq!((&gone["contest"], texts(&gone).len()), (&Value::Null, 0));
    let back = board.act("undo", &json!({}));
    assert_eq!((&back["contest"]["running"], texts(&back).len()), (&json!(false), 2));
    let view = board.act("resume", &json!({}));
    assert_eq!(view["contest"]["running"], true);
    let view = board.act("takeback", &json!({}));
    assert_eq!(texts(&view), ["h2e2"]);
}

#[test]
fn between_two_engines_no_side_resigns() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let engine = json!({ "engine": true });
    board.act("play", &json!({ "red": engine, "black": engine, "time": { "move": 2000 } }));
    assert!(board.try_do("resign", &json!({})).error(409).contains("both sides"));
    board.act("pause", &json!({}));
}

#[test]
fn a_fen_is_checked_with_moves_and_its_problem_has_a_code() {
    let server = TestServer::start();
    let check = |body: &Value| server.post("api/fen", body).ok();
    let fen = "4k4/9/9/9/9/9/9/9/4A4/R3K4 w - - 99 57";
    assert_eq!(check(&json!({ "fen": fen }))["fen"], fen);
    let moved = check(&json!({ "fen": fen, "moves": "a0a9" }));
    assert_eq!(moved["fen"], "R3k4/9/9/9/9/9/9/9/4A4/4K4 b - - 100 57");
    for (fen, code, values) in [
        ("4k4/9/9/9/9/9/9/9/9/9 w", "noKing", json!(["red"])),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "facingKings", json!(["e"])),
        ("4k4/9/9/9/9/9/9/9/4A4/P3K4 w", "misplaced", json!(["P", "a0"])),
        ("4x4/9/9/9/9/9/9/9/9/4K4 w", "fenLetter", json!(["9", "x"])),
    ] {
        let problem = &check(&json!({ "fen": fen }))["problem"];
        assert_eq!((&problem["code"], &problem["values"]), (&json!(code), &values), "{fen}");
    }
    let refused = server.open(&json!({})).load(b"", 1).json();
    assert_eq!(refused["problem"]["code"], "noGame");
}

#[test]
fn a_stream_ends_with_its_session() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let mut events = board.events();
    events.wait_for("view", |view| view["node"] == 0);
    server.request("DELETE", &format!("api/sessions/{}", board.id), "", b"");
    events.wait_for_end();
}
