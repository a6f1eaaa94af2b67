//! The games in the folder of the server.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::client::TestServer;

/// A folder that is deleted with its owner.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("cannonade-web-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const KEY: &str = "0123456789abcdef0123456789abcdef";

fn file(revision: u64, red: &str) -> Value {
    json!({
        "key": KEY,
        "revision": revision,
        "summary": { "red": red, "black": "", "event": "", "date": "", "result": "*", "plies": 1,
            "fen": "", "is_going_on": true },
        "game": { "tree": { "moves": [{ "parent": 0, "move": "h2e2" }] } },
    })
}

fn games(server: &TestServer) -> Vec<Value> {
    server.get("api/games").ok().as_array().expect("a list").clone()
}

#[test]
fn a_game_outlives_the_server() {
    let folder = Folder::new("outlives");
    {
        let server = TestServer::start_keeping(&folder.0);
        assert_eq!(server.call("keep", &file(1, "Hu")).status, 204);
        assert_eq!(server.call("keep", &file(2, "Xu")).status, 204);
    }
    let server = TestServer::start_keeping(&folder.0);
    let listed = games(&server);
    assert_eq!(
        (listed.len(), &listed[0]["red"], &listed[0]["key"]),
        (1, &json!("Xu"), &json!(KEY))
    );
    assert_eq!((&listed[0]["revision"], &listed[0]["is_going_on"]), (&json!(2), &json!(true)));
    let kept = server.call("kept", &json!({ "key": KEY })).ok();
    assert_eq!((&kept["game"], &kept["head"]["revision"]), (&file(2, "")["game"], &json!(2)));
}

#[test]
fn two_pages_with_one_game_do_not_overwrite_each_other() {
    let folder = Folder::new("two");
    let server = TestServer::start_keeping(&folder.0);
    server.call("keep", &file(1, "A"));
    server.call("keep", &file(2, "B"));
    for revision in [0, 1, 2, 4] {
        let refused = server.call("keep", &file(revision, "C")).error(409);
        assert!(refused.contains("another key"), "{refused}");
    }
    assert_eq!(games(&server)[0]["red"], "B");
    // A removed game does not come back by a page that still has it.
    server.call("remove", &json!({ "key": KEY }));
    server.call("keep", &file(3, "D")).error(409);
    // One that a folder has never had may have any revision: it comes from a browser.
    let mut other = file(7, "E");
    other["key"] = json!(KEY.replace('0', "f"));
    assert_eq!(server.call("keep", &other).status, 204);
    assert_eq!(games(&server)[0]["red"], "E");
}

#[test]
fn games_are_removed_and_restored_and_nothing_else_is() {
    let folder = Folder::new("removed");
    let server = TestServer::start_keeping(&folder.0);
    server.call("keep", &file(1, "Hu"));
    fs::write(folder.0.join("notes.json"), "{}").expect("a file");
    assert_eq!(games(&server).len(), 1);
    let key = json!({ "key": KEY });
    assert_eq!(server.call("remove", &key).status, 204);
    assert_eq!(games(&server).len(), 0);
    server.call("remove", &key).error(404);
    server.call("kept", &key).error(404);
    assert_eq!(server.call("restore", &key).status, 204);
    assert_eq!(games(&server).len(), 1);
    for wrong in ["notes", "../0123456789abcdef0123456789abcde", "", &KEY.to_uppercase()] {
        for function in ["remove", "restore", "kept"] {
            server.call(function, &json!({ "key": wrong })).error(404);
        }
        let mut wanted = file(1, "");
        wanted["key"] = json!(wrong);
        server.call("keep", &wanted).error(404);
    }
    assert!(folder.0.join("notes.json").exists());
}

#[test]
fn the_games_of_an_earlier_version_are_listed_read_and_written_on() {
    let folder = Folder::new("earlier");
    fs::create_dir_all(&folder.0).expect("a folder");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/data/kept-games");
    fs::copy(data.join("resigned.json"), folder.0.join(format!("{KEY}.json"))).expect("a copy");
    let server = TestServer::start_keeping(&folder.0);
    let listed = games(&server);
    assert_eq!((&listed[0]["red"], &listed[0]["revision"]), (&json!("You"), &json!(5)));
    let kept = server.call("kept", &json!({ "key": KEY }));
    assert!(kept.ok()["game"]["record"].is_string());
    let read = server.send("read", &kept.body).ok();
    assert_eq!(read["tree"]["moves"].as_array().map(Vec::len), Some(4));
    let mut next = file(6, "You");
    next["game"] = read.clone();
    assert_eq!(server.call("keep", &next).status, 204);
    assert_eq!(server.call("kept", &json!({ "key": KEY })).ok()["game"], read);
}

#[test]
fn a_damaged_file_is_left_out_and_the_others_are_listed() {
    let folder = Folder::new("damaged");
    let server = TestServer::start_keeping(&folder.0);
    server.call("keep", &file(1, "Hu"));
    let other = KEY.replace('0', "f");
    fs::write(folder.0.join(format!("{other}.json")), "{\"head\":").expect("a file");
    assert_eq!(games(&server).len(), 1);
    server.call("kept", &json!({ "key": other })).error(400);
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_the_games() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new("private");
    let server = TestServer::start_keeping(&folder.0);
    server.call("keep", &file(1, "Hu"));
    for path in [folder.0.clone(), folder.0.join(format!("{KEY}.json"))] {
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}

#[test]
fn a_server_without_a_folder_keeps_nothing_and_says_so() {
    let server = TestServer::start();
    assert_eq!(server.get("api/about").ok()["games"], Value::Null);
    assert_eq!(games(&server).len(), 0);
    server.call("keep", &file(1, "Hu")).error(404);
}

#[test]
fn a_game_that_cannot_be_written_is_reported_and_written_later() {
    let folder = Folder::new("unwritten");
    let server = TestServer::start_keeping(&folder.0);
    fs::remove_dir_all(&folder.0).expect("the folder");
    let refused = server.call("keep", &file(1, "Hu"));
    assert_eq!((refused.status, &refused.json()["problem"]["code"]), (503, &json!("folderGone")));
    fs::create_dir_all(&folder.0).expect("a folder");
    assert_eq!(server.call("keep", &file(1, "Hu")).status, 204);
    assert_eq!(games(&server).len(), 1);
}
