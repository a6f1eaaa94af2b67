//! Lines that are judged, games that are read and written, and books and tables.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::snapshots::assert_text;

use super::client::TestServer;

fn texts(tree: &Value) -> Vec<&str> {
    let moves = tree["moves"].as_array().expect("moves");
    moves.iter().map(|mv| mv["text"].as_str().expect("a text")).collect()
}

#[test]
fn a_line_is_judged_in_every_notation() {
    let server = TestServer::start();
    let judged = server.call("judge", &json!({ "moves": "h2e2 馬8進7 H2+3" })).ok();
    assert_eq!(judged["moves"], json!(["h2e2", "h9g7", "h0g2"]));
    assert_eq!(judged["texts"], json!(["h2e2", "h9g7", "h0g2"]));
    assert_eq!((&judged["end"], &judged["repetition"]), (&Value::Null, &Value::Null));
    let line = json!({ "moves": "h2e2 h9g7 h0g2", "notation": "chinese" });
    let judged = server.call("judge", &line).ok();
    assert_eq!(judged["texts"], json!(["炮二平五", "马８进７", "马二进三"]));
    let refusals = [
        json!({ "moves": "h2h8" }),
        json!({ "moves": "h2e2 a0a9" }),
        json!({ "fen": "9/9 w" }),
        json!({ "notation": "latin" }),
        json!({ "rules": "chess" }),
        json!({ "sideways": 1 }),
    ]
    .map(|line| format!("judge: {}", server.call("judge", &line).refusal()));
    assert_text!("refused-lines", refusals.concat());
}

#[test]
fn a_fen_is_checked_with_moves_and_its_problem_has_a_code() {
    let server = TestServer::start();
    let kings = json!({ "fen": "4k4/9/9/9/9/9/9/9/9/4K4 w" });
    let checked = server.call("check", &kings).ok();
    assert_eq!(
        (&checked["problem"]["code"], &checked["fen"]),
        (&json!("facingKings"), &Value::Null)
    );
    assert!(!checked["error"].to_string().contains("FEN"), "{checked}");
    server.call("judge", &kings).error(400);
    let checked = server.call("check", &json!({ "moves": "h2e2 h2e2" })).ok();
    assert_eq!(checked["problem"]["code"], "badMove");
    let line = json!({ "fen": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "moves": "h2e2" });
    let judged = server.call("judge", &line).ok();
    assert!(judged["fen"].as_str().is_some_and(|fen| fen.ends_with(" b - - 1 1")), "{judged}");
    assert!(judged["start"].as_str().is_some_and(|fen| fen.ends_with(" w - - 0 1")), "{judged}");
}

#[test]
fn every_repetition_has_the_judges_word_by_every_rule_set() {
    let server = TestServer::start();
    let fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";
    let turn = "d9d8 a9a8 d8d9 a8a9";
    let judge = |moves: &str, rules: &str| {
        let line = json!({ "fen": fen, "moves": moves, "rules": rules, "explain": true });
        server.call("judge", &line).ok()
    };
    let judged = judge(&format!("a0a9 {turn}"), "WXF");
    assert_eq!((&judged["repetition"]["occurrences"], &judged["end"]), (&json!(2), &Value::Null));
    let judged = judge(&format!("a0a9 {turn} {turn}"), "WXF");
    let end = &judged["end"];
    assert_eq!((&end["winner"], &end["reason"]), (&json!("black"), &json!("repetition")));
    let rulings = judged["repetition"]["rulings"].as_array().expect("rulings");
    let loser = |rules: &str| {
        let ruling = rulings.iter().find(|ruling| ruling["rules"] == rules);
        ruling.expect("a ruling")["loser"].clone()
    };
    assert_eq!((loser("WXF"), loser("None")), (json!("red"), Value::Null));
    let loops = judged["loops"].as_array().expect("loops");
    assert_eq!(loops.len(), 1);
    assert_eq!((&loops[0]["start"], &loops[0]["occurrences"]), (&json!(5), &json!(3)));
    assert_eq!(loops[0]["moves"], json!(["d9d8", "a9a8", "d8d9", "a8a9"]));
    assert_eq!(loops[0]["explanation"]["ruling"], "red loses");
    let chinese = loops[0]["explanation_chinese"]["reasons"][0]["text"].as_str();
    assert!(chinese.is_some_and(|text| text.contains("长将")), "{chinese:?}");
    let none = judge(&format!("a0a9 {turn} {turn}"), "None");
    assert_eq!(none["end"]["winner"], Value::Null);
    // Idle in the first turn, checks in the second: all three occurrences are a draw.
    let judged = judge("a0a9 d9d8 a9b9 d8d7 b9a9 d7d8 a9a8 d8d9 a8a9 d9d8", "WXF");
    let end = &judged["end"];
    assert_eq!((&end["reason"], &end["winner"]), (&json!("repetition"), &Value::Null));
    for rulings in [&judged["repetition"]["rulings"], &judged["loops"][1]["rulings"]] {
        assert_eq!((&rulings[0]["rules"], &rulings[0]["loser"]), (&json!("WXF"), &Value::Null));
    }
    assert_eq!(judged["loops"][1]["moves"].as_array().map(Vec::len), Some(8));
    // Without the question there is no answer.
    let line = json!({ "fen": fen, "moves": "a0a9" });
    assert_eq!(server.call("judge", &line).ok().get("loops"), None);
}

#[test]
fn a_chinese_game_in_an_old_encoding_is_read_and_written_as_every_kind() {
    let server = TestServer::start();
    let text = "[Game \"Chinese Chess\"]\n[Red \"胡荣华\"]\n[Black \"许银川\"]\n[Result \"1-0\"]\n\
                1. 炮二平五 马８进７ (1... 马２进３ {A comment})\n2. 马二进三 车９平８\n1-0\n";
    let (bytes, ..) = encoding_rs::GB18030.encode(text);
    let file = server.send("read?notation=chinese", &bytes).ok();
    assert_eq!((&file["kind"], &file["count"]), (&json!("PGN"), &json!(1)));
    let tree = &file["tree"];
    assert_eq!(texts(tree), ["炮二平五", "马８进７", "马二进三", "车９平８", "马２进３"]);
    let parents: Vec<_> =
        tree["moves"].as_array().expect("moves").iter().map(|mv| mv["parent"].as_u64()).collect();
    assert_eq!(parents, [0, 1, 2, 3, 1].map(Some));
    assert_eq!(
        (&tree["result"], &tree["moves"][4]["comment"]),
        (&json!("1-0"), &json!("A comment"))
    );
    assert!(tree["tags"].to_string().contains("[\"Red\",\"胡荣华\"]"), "{tree}");
    let write = |kind: &str| json!({ "tree": tree, "kind": kind, "notation": "chinese" });
    let saved = server.call("write", &write("pgn"));
    assert!(saved.head.contains("attachment; filename=\"game.pgn\""), "{}", saved.head);
    assert!(saved.text().contains("炮二平五 马８进７"), "{}", saved.text());
    for (kind, shown, name, moves) in [
        ("dhtmlxq", "DhtmlXQ", "game.txt", 5),
        ("xqf", "XQF", "game.xqf", 5),
        ("cbr", "CBR", "game.cbr", 5),
        ("cbf", "CBF", "game.cbf", 4),
        ("list", "list", "game.txt", 4),
        ("position", "position", "game.txt", 4),
    ] {
        let saved = server.call("write", &write(kind));
        assert!(saved.head.contains(&format!("filename=\"{name}\"")), "{}", saved.head);
        let again = server.send("read", &saved.body).ok();
        let found = (&again["kind"], texts(&again["tree"]).len());
        assert_eq!(found, (&json!(shown), moves), "{kind}");
    }
    let plain = json!({ "tree": tree, "kind": "pgn", "plain": true });
    assert!(!server.call("write", &plain).text().contains("comment"));
    let renamed = server.call("write", &json!({ "tree": tree, "kind": "tree", "notation": "wxf" }));
    assert_eq!(texts(&renamed.ok())[..2], ["C2=5", "H8+7"]);
    let start = json!({ "start": "3k5/9/9/9/9/9/9/9/4A4/R3K4 w",
        "moves": [{ "parent": 0, "move": "a0a9" }] });
    let refusals = [
        json!({ "tree": tree, "kind": "exe" }),
        json!({ "tree": start, "kind": "list" }),
        json!({ "tree": { "moves": [{ "parent": 0, "move": "h2h8" }] }, "kind": "pgn" }),
        json!({ "tree": { "moves": [{ "parent": 1, "move": "h2e2" }] }, "kind": "pgn" }),
        json!({ "tree": {}, "kind": "report", "language": "fr" }),
    ]
    .map(|wanted| format!("write: {}", server.call("write", &wanted).refusal()));
    assert_text!("refused-files", refusals.concat());
}

#[test]
fn one_of_several_games_is_chosen_and_defects_are_named() {
    let server = TestServer::start();
    let text = "[Red \"A\"]\n1. h2e2 h9g7 *\n\n[Red \"B\"]\n1. b2e2 h2h9 *\n";
    let first = server.send("read", text.as_bytes()).ok();
    let games = first["games"].as_array().expect("a list");
    assert_eq!((games.len(), &games[1]["red"], &games[0]["plies"]), (2, &json!("B"), &json!(2)));
    assert!(games[0]["opening"]["en"].is_string(), "{}", games[0]);
    let second = server.send("read?game=2", text.as_bytes()).ok();
    assert_eq!((&second["count"], &second["games"]), (&json!(2), &Value::Null));
    assert_eq!(texts(&second["tree"]), ["b2e2"]);
    let problem = second["problems"][0].as_str().expect("a problem").to_owned();
    let refusals = [(text.as_bytes(), 3), (b"", 1), (b"this is no game at all", 1)]
        .map(|(bytes, game)| server.send(&format!("read?game={game}"), bytes).refusal());
    assert_text!("defects-of-games", format!("{problem}\n{}", refusals.concat()));
}

#[test]
fn a_game_of_an_earlier_version_is_read_once() {
    let server = TestServer::start();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/data/kept-games");
    let read = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).expect("a kept game");
        server.send("read", &bytes).ok()
    };
    let game = read("resigned.json");
    assert_eq!(game["tree"]["moves"][1]["comment"], "a {brace} and\na line");
    assert_eq!(game["tree"]["moves"][1]["book"], true);
    assert_eq!((&game["node"], &game["bottom"]), (&json!(4), &json!("black")));
    let contest = &game["contest"];
    assert_eq!(contest["black"], json!({ "engine": true, "elo": 1500 }));
    assert_eq!(contest["clock"], json!({ "base": 60000, "increment": 1000 }));
    assert_eq!((&contest["left"], &contest["book"]), (&json!([61909, 61999]), &json!(0)));
    assert_eq!(game["added"], json!([1, 2, 3, 4]));
    let forfeit = json!({ "node": 4, "winner": "black", "reason": "resignation" });
    assert_eq!(game["forfeit"], forfeit);
    let game = read("analysed.json");
    assert_eq!(
        (&game["tree"]["moves"][2]["score"]["cp"], &game["contest"]),
        (&json!(58), &Value::Null)
    );
    assert_eq!(game["tree"]["moves"][3]["score"]["cp"], 64);
    assert_eq!(game["sweep"], json!({ "left": [0, 1, 2], "total": 4, "time": 3000 }));
    server.send("read", b"{\"head\":{},\"game\":{\"record\":7}}").error(400);
}

#[test]
fn the_moves_of_the_built_in_book_and_of_an_opened_file_are_shown() {
    let server = TestServer::start();
    let moves = server.call("book", &json!({ "notation": "wxf" })).ok();
    let shares: f64 =
        moves.as_array().expect("moves").iter().filter_map(|mv| mv["share"].as_f64()).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{moves}");
    assert_eq!(moves[0]["text"], "C2=5");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("books/masters.cnb");
    let opened =
        server.send("open-book?name=a%20b.cnb", &std::fs::read(path).expect("the book")).ok();
    assert_eq!((&opened["id"], &opened["name"]), (&json!(1), &json!("a%20b.cnb")));
    assert_eq!(server.get("api/books").ok().as_array().map(Vec::len), Some(2));
    assert_eq!(server.call("book", &json!({ "book": 1, "notation": "wxf" })).ok(), moves);
    server.call("book", &json!({ "book": 9 })).error(404);
}

#[test]
fn a_table_has_the_result_of_the_position_and_of_every_move() {
    let server = TestServer::start();
    let found = server.call("table", &json!({ "fen": "3k5/9/9/9/9/9/9/9/9/R3K4 w" })).ok();
    assert_eq!(found["value"]["result"], "win");
    let plies = found["value"]["plies"].as_u64().expect("a distance");
    let best = &found["moves"][0];
    assert_eq!((&best["result"], best["plies"].as_u64()), (&json!("win"), Some(plies)));
    let draw = server.call("table", &json!({ "fen": "3k5/9/9/9/9/9/9/9/4A4/4K4 w" })).ok();
    assert_eq!(draw["value"]["result"], "draw");
    assert_eq!(server.call("table", &json!({})).ok(), Value::Null);
}

#[test]
fn a_position_is_drawn() {
    let server = TestServer::start();
    let wanted =
        json!({ "last": "h2e2", "flipped": true, "theme": "jade", "arrows": ["h2e2:other"] });
    let svg = server.call("picture", &wanted);
    assert!(svg.head.contains("image/svg+xml") && svg.text().contains("<svg"), "{}", svg.head);
    let png = server.call("picture", &json!({ "kind": "png" }));
    assert!(png.status == 400 || png.body.starts_with(b"\x89PNG"), "{}", png.head);
    for wrong in [json!({ "theme": "pink" }), json!({ "arrows": ["x"] }), json!({ "kind": "gif" })]
    {
        assert!(server.call("picture", &wrong).error(400).contains("not known"), "{wrong}");
    }
}
