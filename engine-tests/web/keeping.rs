//! Games that outlive the server.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Board, DEADLINE, TestServer};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let name = format!("cannonade-games-{test}-{}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits until the newest game in the list is so.
fn wait_for_game(server: &TestServer, holds: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + DEADLINE;
    loop {
        let games = server.get("api/games").ok();
        if holds(&games[0]) {
            return games;
        }
        assert!(Instant::now() < end, "no game as it was waited for: {games}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn open_kept(board: &Board<'_>, game: &Value) -> Value {
    board.act("open", &json!({ "key": game["key"] }))
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder).expect("the folder").count()
}

const CONTEST: &str = r#"{"red": {"engine": false}, "black": {"engine": false},
    "time": {"clock": {"base": 60000, "increment": 1000}}}"#;

#[test]
fn a_game_that_is_played_outlives_the_server() {
    let folder = Folder::new("played");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    board.act("settings", &json!({ "red": "胡荣华", "bottom": "black" }));
    board.act("play", &serde_json::from_str(CONTEST).expect("JSON"));
    board.play("h2e2 h9g7 h0g2");
    board.act("goto", &json!({ "to": "back" }));
    board.play("b0c2");
    board.act("annotate", &json!({ "node": 1, "comment": "a } and a {\nand more", "glyphs": [1] }));
    let before = board.act("goto", &json!({ "to": 2 }));
    wait_for_game(&server, |game| game["fen"] == before["fen"]);
    drop(server);

    let server = TestServer::start_keeping(&folder.0);
    let games = server.get("api/games").ok();
    let game = &games[0];
    assert_eq!(
        (&game["red"], &game["plies"], &game["is_going_on"]),
        (&json!("胡荣华"), &json!(3), &json!(true))
    );
    let board = server.open(&json!({}));
    board.play("c3c4");
    let view = open_kept(&board, game);
    for part in ["fen", "bottom", "red", "node", "path", "result"] {
        assert_eq!(view[part], before[part], "{part}");
    }
    let moves = |view: &Value| -> Vec<(Value, Value)> {
        let moves = view["moves"].as_array().expect("moves").iter();
        moves.map(|mv| (mv["move"].clone(), mv["glyphs"].clone())).collect()
    };
    assert_eq!(moves(&view), moves(&before));
    assert_eq!(view["moves"][0]["comment"], "a } and a {\nand more");
    assert_eq!((&view["contest"]["running"], &view["undo"]), (&json!(false), &json!("replace")));
    let left = view["contest"]["left"].as_array().expect("clocks");
    let are_kept =
        left.iter().all(|left| left.as_u64().is_some_and(|ms| (30_000..=64_000).contains(&ms)));
    assert!(are_kept, "{left:?}");
    // It goes on in the same file, and the game before can be brought back: to go on is no change
    // to undo.
    board.act("resume", &json!({}));
    board.play("h0g2");
    let games = wait_for_game(&server, |game| game["plies"] == 3 && game["fen"] != before["fen"]);
    assert_eq!(games.as_array().map(Vec::len), Some(2), "{games}");
    assert_eq!(games[0]["key"], game["key"]);
    for _ in 0..2 {
        board.act("undo", &json!({}));
    }
    assert_eq!(board.view()["moves"][0]["move"], "c3c4");
}

#[test]
fn a_game_is_kept_whole_when_its_board_is_closed_at_once() {
    let folder = Folder::new("closed");
    let server = TestServer::start_keeping(&folder.0);
    for count in 1..=5 {
        let board = server.open(&json!({}));
        board.act("play", &serde_json::from_str(CONTEST).expect("JSON"));
        let view = board.play("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
        assert_eq!(
            server.request("DELETE", &format!("api/sessions/{}", board.id), "", b"").status,
            204
        );
        let is_whole = |games: &Value| {
            games.as_array().is_some_and(|games| {
                games.len() == count && games.iter().all(|game| game["fen"] == view["fen"])
            })
        };
        let end = Instant::now() + DEADLINE;
        while !is_whole(&server.get("api/games").ok()) {
            assert!(Instant::now() < end, "game {count} is not kept");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn an_analysis_of_a_game_goes_on_after_a_restart() {
    let folder = Folder::new("analysis");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    let mut events = board.events();
    board.load(b"1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 g6g5 *", 1).ok();
    board.act("sweep", &json!({ "time": 120 }));
    events.wait_for("view", |view| view["sweep"][0].as_u64().is_some_and(|done| done >= 3));
    let scored = |view: &Value| {
        let moves = view["moves"].as_array().expect("moves").iter();
        moves.filter(|mv| mv["score"].is_object()).count()
    };
    let end = Instant::now() + DEADLINE;
    while files(&folder.0) == 0 {
        assert!(Instant::now() < end, "the analysis is not kept");
        thread::sleep(Duration::from_millis(10));
    }
    drop(events);
    drop(server);

    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    let mut events = board.events();
    let view = open_kept(&board, &server.get("api/games").ok()[0]);
    assert!(scored(&view) >= 2 && view["sweep"].is_array(), "{view}");
    let view = events.wait_for("view", |view| view["sweep"].is_null() && scored(view) == 8);
    assert!(view["start_score"].is_object());
}

#[test]
fn a_game_that_was_resigned_or_lost_on_time_stays_so() {
    let folder = Folder::new("ended");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    board.act("play", &serde_json::from_str(CONTEST).expect("JSON"));
    board.play("h2e2");
    let end = board.act("resign", &json!({}))["end"].clone();
    assert_eq!(end["reason"], "resignation");
    let games =
        wait_for_game(&server, |game| game["result"] != "*" && game["is_going_on"] == false);
    let view = open_kept(&server.open(&json!({})), &games[0]);
    assert_eq!((&view["end"], &view["contest"]["running"]), (&end, &json!(false)));
}

#[test]
fn a_kept_game_that_was_lost_on_time_is_continued_with_the_time_of_its_last_turn() {
    let folder = Folder::new("time");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    let contest = json!({
        "red": { "engine": false }, "black": { "engine": false },
        "time": { "clock": { "base": 1_000, "increment": 0 } },
    });
    board.act("play", &contest);
    board.play("h2e2");
    thread::sleep(Duration::from_millis(1_500));
    let end = board.act("flag", &json!({}))["end"].clone();
    assert_eq!((&end["reason"], &end["winner"]), (&json!("time"), &json!("red")));
    let games = wait_for_game(&server, |game| game["result"] == "1-0");
    let other = server.open(&json!({}));
    assert_eq!(open_kept(&other, &games[0])["end"], end);
    for board in [&board, &other] {
        let view = board.act("resume", &json!({}));
        assert!(view["contest"]["left"][1].as_u64() > Some(500), "{}", view["contest"]);
    }
}

#[test]
fn two_boards_with_one_game_do_not_overwrite_each_other() {
    let folder = Folder::new("shared");
    let server = TestServer::start_keeping(&folder.0);
    let first = server.open(&json!({}));
    first.play("h2e2");
    let games = wait_for_game(&server, |game| game["plies"] == 1);
    let second = server.open(&json!({}));
    open_kept(&second, &games[0]);
    second.play("h9g7");
    wait_for_game(&server, |game| game["plies"] == 2);
    first.play("b9c7 b0c2");
    let games = wait_for_game(&server, |game| game["plies"] == 3);
    assert_eq!(games[1]["plies"], 2, "{games}");
}

#[test]
fn games_are_removed_and_restored_and_nothing_else_is() {
    let folder = Folder::new("removed");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    board.play("h2e2");
    let games = wait_for_game(&server, |game| game["plies"] == 1);
    let key = games[0]["key"].as_str().expect("a key");
    assert_eq!(board.view()["kept"]["key"], key);
    let path = format!("api/games/{key}");
    assert_eq!(server.request("DELETE", &path, "", b"").status, 204);
    assert_eq!(server.get("api/games").ok(), json!([]));
    let gone = server.request("DELETE", &path, "", b"").error(404);
    assert!(gone.contains("no such game"), "{gone}");
    assert_eq!(server.post(&format!("{path}/restore"), &json!({})).status, 204);
    assert_eq!(server.get("api/games").ok()[0]["key"], key);
    for wrong in
        ["..", "%2e%2e", "x", &key[1..], &format!("{key}0"), &key.to_uppercase().replace('0', "G")]
    {
        let answer = server.request("DELETE", &format!("api/games/{wrong}"), "", b"");
        assert!(matches!(answer.status, 400 | 404), "{wrong}: {answer:?}");
        board.try_do("open", &json!({ "key": wrong })).error(404);
    }
    // A removed game that is played on is kept anew.
    server.request("DELETE", &path, "", b"");
    board.play("h9g7");
    wait_for_game(&server, |game| game["plies"] == 2);
}

#[test]
fn a_game_that_is_in_a_file_already_is_not_kept() {
    let folder = Folder::new("loaded");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    board.load(b"1. h2e2 h9g7 *", 1).ok();
    board.act("goto", &json!({ "to": "end" }));
    board.act("position", &json!({ "moves": "c3c4" }));
    board.load(b"1. b2e2 *", 1).ok();
    board.act("goto", &json!({ "to": "end" }));
    board.play("h9g7");
    let games = wait_for_game(&server, |game| game["plies"] == 2);
    assert_eq!(games.as_array().map(Vec::len), Some(1), "{games}");
}

#[test]
fn a_damaged_file_is_left_out_and_the_others_are_listed() {
    let folder = Folder::new("damaged");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    board.play("h2e2");
    let games = wait_for_game(&server, |game| game["plies"] == 1);
    let name = format!("{}.json", "0".repeat(32));
    fs::write(folder.0.join(&name), b"{\"head\": ").expect("a writable folder");
    fs::write(folder.0.join("notes.txt"), b"mine").expect("a writable folder");
    assert_eq!(server.get("api/games").ok(), games);
    let refused = board.try_do("open", &json!({ "key": "0".repeat(32) })).error(400);
    assert!(refused.contains("cannot be read"), "{refused}");
    assert!(folder.0.join("notes.txt").exists());
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_games() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("private");
    let server = TestServer::start_keeping(&folder.0);
    server.open(&json!({})).play("h2e2");
    wait_for_game(&server, |game| game["plies"] == 1);
    let mode = |path: &Path| fs::metadata(path).expect("it exists").permissions().mode() & 0o777;
    assert_eq!(mode(&folder.0), 0o700);
    for entry in fs::read_dir(&folder.0).expect("the folder") {
        assert_eq!(mode(&entry.expect("an entry").path()), 0o600);
    }
}

#[test]
fn a_server_without_a_folder_keeps_nothing_and_says_so() {
    let server = TestServer::start();
    let board = server.open(&json!({}));
    let view = board.play("h2e2");
    assert_eq!((&view["kept"]["key"], &server.get("api/games").ok()), (&Value::Null, &json!([])));
    assert_eq!(server.get("api/about").ok()["games"], Value::Null);
    board.try_do("open", &json!({ "key": "0".repeat(32) })).error(404);
}

/// A folder that cannot be written any more.
#[cfg(unix)]
#[test]
fn a_game_that_cannot_be_written_is_reported() {
    let folder = Folder::new("gone");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    let mut events = board.events();
    fs::remove_dir_all(&folder.0).expect("our folder");
    board.play("h2e2");
    events.wait_for("view", |view| view["kept"]["problem"].is_string());
    fs::create_dir_all(&folder.0).expect("our folder");
    board.play("h9g7");
    let view = events.wait_for("view", |view| {
        view["kept"]["problem"].is_null() && view["kept"]["key"].is_string()
    });
    assert_eq!(view["moves"].as_array().map(Vec::len), Some(2));
}

/// The games are written when the folder is there again, at the latest when the server ends.
#[cfg(unix)]
#[test]
fn a_game_whose_write_has_failed_is_written_later() {
    let folder = Folder::new("later");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    let mut events = board.events();
    board.play("h2e2");
    wait_for_game(&server, |game| game["plies"] == 1);
    fs::remove_dir_all(&folder.0).expect("our folder");
    board.play("h9g7");
    board.act("position", &json!({}));
    board.play("c3c4");
    events.wait_for("view", |view| {
        view["kept"]["problem"].is_string() && view["moves"][0]["move"] == "c3c4"
    });
    drop(events);
    fs::create_dir_all(&folder.0).expect("our folder");
    drop(server);

    let server = TestServer::start_keeping(&folder.0);
    let games = server.get("api/games").ok();
    let mut plies: Vec<u64> =
        games.as_array().expect("games").iter().filter_map(|game| game["plies"].as_u64()).collect();
    plies.sort_unstable();
    assert_eq!(plies, [1, 2], "{games}");
}

#[test]
fn a_kept_game_with_times_beyond_all_bounds_can_be_played_on() {
    let folder = Folder::new("times");
    let server = TestServer::start_keeping(&folder.0);
    let board = server.open(&json!({}));
    board.act("play", &serde_json::from_str(CONTEST).expect("JSON"));
    board.play("h2e2");
    let games = wait_for_game(&server, |game| game["plies"] == 1);
    let name = format!("{}.json", games[0]["key"].as_str().expect("a key"));
    let text = fs::read_to_string(folder.0.join(&name)).expect("a file");
    let huge = text.replace("\"secs\":60,", &format!("\"secs\":{},", u64::MAX));
    assert_ne!(huge, text);
    fs::write(folder.0.join(&name), huge).expect("a writable folder");
    let board = server.open(&json!({}));
    open_kept(&board, &games[0]);
    board.act("resume", &json!({}));
    board.play("h9g7 h0g2");
}
