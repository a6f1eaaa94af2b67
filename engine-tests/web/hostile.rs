//! Clients that send nonsense, too much, too slowly, or do not read.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cannonade_tables::random::Random;
use serde_json::{Value, json};

use super::client::{DEADLINE, TestServer};

/// Counts the panics of the threads of the server, which it survives; they are failures all the
/// same.
fn count_panics() -> Arc<AtomicUsize> {
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&panics);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        // The space: the threads of the tests have names such as `web::hostile`.
        if thread.name().is_some_and(|name| name.starts_with("web ") || name.starts_with("worker"))
        {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        report(info);
    }));
    panics
}

/// Returns whether the server still does its work.
fn assert_alive(server: &TestServer) {
    let judged = server.call("judge", &json!({ "moves": "h2e2" })).ok();
    assert_eq!(judged["moves"], json!(["h2e2"]));
    let mut search = server.search("search", &json!({ "page": "alive", "time": 10 }));
    search.wait_for("best", |_| true);
}

/// Returns whether the end of the first request is missing, so that there is nothing to answer.
fn is_cut_off(bytes: &[u8]) -> bool {
    let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
    let text = text.trim_start_matches(['\r', '\n']).replace("\r\n", "\n");
    let Some((head, body)) = text.split_once("\n\n") else { return true };
    let lengths = head.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().unwrap_or(0))
    });
    lengths.sum::<usize>() > body.len()
}

#[test]
fn malformed_requests_are_answered_and_harm_no_client() {
    let panics = count_panics();
    let server = TestServer::start();
    let (address, token) = (server.address, &server.token);
    let seeds: Vec<Vec<u8>> = [
        format!("GET /{token}/ HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"),
        format!(
            "POST /{token}/api/judge HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Content-Length: 16\r\nConnection: close\r\n\r\n{{\"moves\":\"h2e2\"}}"
        ),
        format!(
            "POST /{token}/api/read?game=1 HTTP/1.1\r\nHost: {address}\r\nContent-Type: \
             application/octet-stream\r\nContent-Length: 26\r\nConnection: close\r\n\r\n\
             [Red \"A\"]\n1. h2e2 h9g7 *\n\n"
        ),
    ]
    .into_iter()
    .map(String::into_bytes)
    .collect();
    let mut random = Random::stream(0xCA22_04AD, 19);
    for round in 0..1500 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        if round % 8 == 0 {
            bytes = (0..random.below(300)).map(|_| random.bits() as u8).collect();
        }
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len() + 1);
            match random.below(5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, random.bits() as u8),
                2 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
                3 if at < bytes.len() => drop(bytes.remove(at)),
                _ => {
                    let other = &seeds[random.below(seeds.len())];
                    let part = other[random.below(other.len())..].to_vec();
                    bytes.splice(at.., part);
                }
            }
        }
        let answer = server.raw(&bytes);
        let known = [200, 303, 400, 403, 404, 405, 408, 409, 411, 413, 414, 415, 431];
        let is_silent = answer.head.is_empty() && is_cut_off(&bytes);
        assert!(
            is_silent || known.contains(&answer.status),
            "{} for\n{}",
            answer.head,
            String::from_utf8_lossy(&bytes)
        );
    }
    assert_alive(&server);
    assert_eq!(panics.load(Ordering::Relaxed), 0);
}

/// A value of JSON that no page would send.
fn hostile_value(random: &mut Random, depth: usize) -> Value {
    let texts = ["", "h2e2", "start", "炮二平五", "a0a9 ", "\u{0}", "9/9", "WXF", "0", "-"];
    match random.below(if depth > 3 { 6 } else { 9 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => json!(random.bits()),
        3 => json!(-(random.below(1000) as i64)),
        4 => json!(1e300),
        5 => json!(texts[random.below(texts.len())].repeat(random.below(50))),
        6 => (0..random.below(4)).map(|_| hostile_value(random, depth + 1)).collect(),
        _ => hostile_object(random, depth + 1),
    }
}

fn hostile_object(random: &mut Random, depth: usize) -> Value {
    let names = [
        "tree",
        "moves",
        "move",
        "parent",
        "start",
        "tags",
        "score",
        "cp",
        "mate",
        "red",
        "depth",
        "line",
        "fen",
        "page",
        "lines",
        "time",
        "clock",
        "left",
        "increment",
        "elo",
        "book",
        "threat",
        "from",
        "rules",
        "notation",
        "kind",
        "language",
        "comment",
        "glyphs",
        "key",
        "revision",
        "summary",
        "game",
    ];
    let count = random.below(4);
    let pairs = (0..count)
        .map(|_| (names[random.below(names.len())].to_owned(), hostile_value(random, depth)));
    Value::Object(pairs.collect())
}

#[test]
fn hostile_json_changes_nothing_and_panics_nowhere() {
    let panics = count_panics();
    let server = TestServer::start();
    let functions = [
        "judge", "write", "picture", "book", "table", "search", "analyse", "now", "stop", "assess",
        "keep", "kept", "remove", "restore",
    ];
    let mut random = Random::stream(0xCA22_04AD, 20);
    for _ in 0..1500 {
        let function = functions[random.below(functions.len())];
        let body = hostile_object(&mut random, 0);
        let answer = server.call(function, &body);
        let known = [200, 204, 400, 404, 409, 415];
        assert!(known.contains(&answer.status), "{function} {body}: {}", answer.text());
    }
    // Numbers that no engine finds.
    for number in [i64::from(i32::MIN), i64::from(i32::MAX), 0] {
        for kind in ["cp", "mate", "rule"] {
            let score = json!({ kind: number, "depth": 4_000_000_000_u32, "red": -1e300 });
            let tree = json!({ "score": score, "moves": [{ "parent": 0, "move": "h2e2", "score": score }] });
            assert_eq!(server.call("assess", &json!({ "tree": tree })).status, 200, "{score}");
        }
    }
    let nested = "[".repeat(100_000);
    let json = "Content-Type: application/json\r\n";
    for text in [nested.clone(), format!("{{\"tree\":{nested}")] {
        let answer = server.request("POST", "api/write", json, text.as_bytes());
        assert_eq!(answer.status, 400);
    }
    assert_alive(&server);
    assert_eq!(panics.load(Ordering::Relaxed), 0);
}

#[test]
fn damaged_books_are_refused_and_panic_nowhere() {
    let panics = count_panics();
    let server = TestServer::start();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/books/masters.cnb");
    let book = std::fs::read(path).expect("the book");
    let mut random = Random::stream(0xCA22_04AD, 21);
    for round in 0..100 {
        let mut bytes = book.clone();
        match round % 3 {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => bytes = (0..random.below(600)).map(|_| random.bits() as u8).collect(),
            _ => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        let answer = server.send("open-book?name=%ZZ", &bytes);
        assert!(answer.error(400).contains("not used"), "round {round}");
    }
    assert_eq!(server.get("api/books").ok().as_array().map(Vec::len), Some(1));
    assert_alive(&server);
    assert_eq!(panics.load(Ordering::Relaxed), 0);
}

#[test]
fn too_much_is_refused_before_it_is_kept() {
    let server = TestServer::start();
    let large = vec![b' '; (4 << 20) + 1];
    assert_eq!(server.send("read", &large).status, 413);
    let long = format!("api/{}", "a".repeat(5000));
    assert_eq!(server.get(&long).status, 414);
    assert_eq!(server.request("GET", "", &"X-Y: z\r\n".repeat(100), b"").status, 431);
    let wide = format!("X: {}\r\n", "y".repeat(20_000));
    assert_eq!(server.request("GET", "", &wide, b"").status, 431);
    let moves = "h2e2 ".repeat(6000);
    assert!(server.call("judge", &json!({ "moves": moves })).error(400).contains("6000"));
    assert_alive(&server);
}

#[test]
fn several_requests_come_over_one_connection() {
    let server = TestServer::start();
    let (address, token) = (server.address, &server.token);
    let one = format!("GET /{token}/api/about HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let last =
        format!("GET /{token}/api/about HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut stream = server.connect();
    stream.write_all(format!("{one}{one}{last}").as_bytes()).expect("the server reads");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("text");
    assert_eq!(text.matches("HTTP/1.1 200 OK").count(), 3, "{text}");
}

#[test]
fn clients_that_do_not_read_or_send_block_no_other() {
    let server = TestServer::start();
    // Streams that no client reads.
    let search = |page: &str| server.search("search", &json!({ "page": page, "lines": 5 }));
    let silent: Vec<_> = ["a", "b", "c", "d", "e"].map(search).into_iter().collect();
    let mute: Vec<_> = (0..20).map(|_| server.connect()).collect();
    let half: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = server.connect();
            stream.write_all(b"GET / HTTP/1.1\r\nHost:").expect("the server reads");
            stream
        })
        .collect();
    for _ in 0..200 {
        let start = Instant::now();
        server.call("judge", &json!({ "moves": "h2e2 h9g7 h0g2 i9h9" })).ok();
        // The server gives up a client that does not read after ten seconds.
        assert!(start.elapsed() < Duration::from_secs(9), "{:?}", start.elapsed());
    }
    drop((silent, mute, half));
    assert_alive(&server);
}

#[test]
fn a_request_that_does_not_arrive_is_answered_when_its_time_is_over() {
    let server = TestServer::start();
    let start = Instant::now();
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").expect("the server reads");
    // One byte at a time does not make the time longer.
    let mut slow = stream.try_clone().expect("a second handle");
    let sender = std::thread::spawn(move || {
        while slow.write_all(b"X").is_ok() && start.elapsed() < DEADLINE {
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    assert!(text.starts_with("HTTP/1.1 408"), "{text}");
    let time = start.elapsed();
    // Ten seconds, and what a busy machine needs.
    assert!((9..60).contains(&time.as_secs()), "{time:?}");
    drop(stream);
    sender.join().expect("the sender ends");
}

#[test]
fn a_game_cannot_grow_without_end() {
    let server = TestServer::start();
    let text = "h0g2 h9g7 g2h0 g7h9 ".repeat(1500);
    let message = "the game has 6000 moves with its variations; up to 5000 can be shown";
    assert_eq!(server.send("read", text.as_bytes()).error(400), message);
    let moves = text.split_whitespace().enumerate();
    let moves: Vec<Value> =
        moves.map(|(parent, mv)| json!({ "parent": parent, "move": mv })).collect();
    let wanted = json!({ "tree": { "moves": moves }, "kind": "pgn" });
    assert_eq!(server.call("write", &wanted).error(400), message);
    let wanted = json!({ "tree": { "moves": &moves[..5000] }, "kind": "tree" });
    assert_eq!(server.call("write", &wanted).ok()["moves"].as_array().map(Vec::len), Some(5000));
}
