//! What depends on time: how soon the engine answers, and that it answers once.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::client::{Client, matches};

/// Clients wait for a handshake as short as this, from the start of the process.
const HANDSHAKE: Duration = Duration::from_millis(300);

/// The shortest of several times, because the machine may be busy with other tests.
fn best_of(tries: usize, mut time: impl FnMut() -> Duration) -> Duration {
    (0..tries).map(|_| time()).min().expect("a try")
}

#[test]
fn handshakes_are_answered_at_once() {
    for protocol in ["uci", "ucci"] {
        let time = best_of(5, || {
            let start = Instant::now();
            Client::speaking(protocol);
            start.elapsed()
        });
        assert!(time < HANDSHAKE, "{protocol}: {time:?}");
    }
}

/// xiangqi_tui starts a process for every move.
#[test]
fn a_new_process_soon_has_a_move() {
    let time = best_of(5, || {
        let start = Instant::now();
        let mut client = Client::speaking("uci");
        client.send("position startpos moves h2e2");
        client.send("go nodes 100");
        client.expect("bestmove *");
        start.elapsed()
    });
    assert!(time < 2 * HANDSHAKE, "{time:?}");
}

#[test]
fn the_engine_plays_from_any_folder() {
    let binary = env!("CARGO_BIN_EXE_cannonade");
    let mut engine = Command::new(binary)
        .current_dir("/")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let mut input = engine.stdin.take().expect("a pipe");
    input.write_all(b"ucci\ngo depth 3\n").expect("the engine reads");
    let output = BufReader::new(engine.stdout.take().expect("a pipe"));
    let best = output.lines().map_while(Result::ok).find(|line| line.starts_with("bestmove"));
    assert!(best.is_some());
    drop(input);
    assert!(engine.wait().expect("a process").success());
}

#[test]
fn quit_ends_any_search() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 99", "go perft 9"] {
        let mut client = Client::speaking("uci");
        client.send("position startpos");
        client.send(go);
        client.send("isready");
        client.expect("readyok");
        let start = Instant::now();
        client.send("quit");
        client.drain_to_end();
        assert!(start.elapsed() < Duration::from_secs(2), "{go}: {:?}", start.elapsed());
    }
}

#[test]
fn the_end_of_the_input_stops_work_that_would_never_end() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go", "go depth 1\ngo infinite"] {
        let mut client = Client::start();
        client.send(go);
        client.hang_up();
        let rest = client.drain_to_end();
        let moves = rest.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(moves, go.lines().count(), "{go}: {rest:#?}");
    }
}

#[test]
fn the_end_of_the_input_lets_work_finish_that_ends_by_itself() {
    for (input, last) in [
        ("go depth 9", "bestmove *"),
        ("go movetime 700", "bestmove *"),
        ("go nodes 100000", "bestmove *"),
        ("go perft 4", "Time: *"),
        ("bench 4", "* nodes * nps"),
        ("ucci\ngo depth 6\nposition startpos moves h2e2\ngo depth 6", "bestmove *"),
    ] {
        let start = Instant::now();
        let mut client = Client::start();
        client.send(input);
        client.hang_up();
        let rest = client.drain_to_end();
        let end = rest.last().map(String::as_str).unwrap_or_default();
        assert!(matches(last, end), "{input}: {rest:#?}");
        if input.contains("movetime") {
            assert!(start.elapsed() > Duration::from_millis(600), "{:?}", start.elapsed());
        }
        if input.contains("perft") {
            assert!(rest.iter().any(|line| line == "Nodes searched: 3290240"), "{rest:#?}");
        }
    }
}

#[test]
fn a_client_that_no_longer_reads_ends_the_process_quietly() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_cannonade"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    drop(engine.stdout.take());
    let mut input = engine.stdin.take().expect("a pipe");
    let _ = input.write_all(b"uci\nisready\ngo infinite\n");
    let output = engine.wait_with_output().expect("a process");
    assert!(output.status.success(), "{}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_infinite_search_stops_at_once_and_answers_once() {
    let pairs = if cfg!(debug_assertions) { 30 } else { 300 };
    let mut client = Client::speaking("uci");
    let mut times = Vec::new();
    for pair in 0..pairs {
        client.send("position startpos moves h2e2 h9g7");
        client.send("go infinite");
        if pair % 3 == 0 {
            client.expect("info depth 3 *");
        }
        let start = Instant::now();
        client.send("stop");
        client.expect("bestmove *");
        times.push(start.elapsed());
        // A second answer would come before this one.
        client.send("isready");
        let forbidden = ["bestmove *".to_owned()];
        client.expect_without("readyok", &forbidden);
    }
    times.sort();
    // Other tests may hold the processors for a moment, so the slowest few do not count.
    let slow = times[pairs - 1 - pairs / 20];
    assert!(slow < Duration::from_millis(50), "{slow:?}, slowest {:?}", times[pairs - 1]);
    client.send("quit");
    client.drain_to_end();
}

#[test]
fn a_stop_that_crosses_the_bestmove_is_harmless() {
    let mut client = Client::speaking("uci");
    for nodes in 1..200 {
        client.send(&format!("go nodes {}", nodes * 20));
        client.send("stop");
        client.expect("bestmove *");
        client.send("stop");
        client.send("isready");
        client.expect_without("readyok", &["bestmove *".to_owned()]);
    }
    client.send("quit");
    client.drain_to_end();
}

#[test]
fn a_search_that_is_stopped_at_once_has_looked_at_every_move() {
    let mut client = Client::speaking("uci");
    for _ in 0..20 {
        client.send("ucinewgame");
        client.send("go infinite");
        client.send("stop");
        // Cannon for guarded knight, the first move that is generated.
        client.expect_without("bestmove *", &["bestmove b2b9*".to_owned()]);
    }
}

#[test]
fn pondering_without_limits_is_endless_after_the_hit_too() {
    let mut client = Client::speaking("uci");
    client.send("go ponder");
    client.send("ponderhit");
    client.send("go depth 2");
    client.expect("bestmove *");
    client.expect("bestmove *");
}

#[test]
fn a_fixed_time_is_kept() {
    let mut client = Client::speaking("uci");
    let over = best_of(5, || {
        let start = Instant::now();
        client.send("go movetime 100");
        client.expect("bestmove *");
        start.elapsed()
    });
    assert!((50..115).contains(&over.as_millis()), "{over:?}");
}

/// The first use of memory takes long; it must not happen in a search, whatever the client sends.
#[test]
fn a_large_new_hash_does_not_delay_the_move() {
    let over = best_of(5, || {
        let mut client = Client::speaking("uci");
        client.send("setoption name Hash value 512");
        client.send("isready");
        client.expect("readyok");
        let start = Instant::now();
        client.send("go movetime 100");
        client.expect("bestmove *");
        start.elapsed()
    });
    assert!((50..115).contains(&over.as_millis()), "{over:?}");
}

/// What is empty already is not cleared.
#[test]
fn a_new_game_on_an_empty_hash_costs_nothing() {
    let time = best_of(3, || {
        let mut client = Client::speaking("uci");
        client.send("setoption name Hash value 512");
        client.send("isready");
        client.expect("readyok");
        let start = Instant::now();
        client.send("ucinewgame");
        client.send("isready");
        client.expect("readyok");
        start.elapsed()
    });
    // Waiting for memory takes half a second at most; clearing 512 MiB for the first time took three.
    assert!(time < Duration::from_secs(1), "{time:?}");
}

#[test]
fn pondering_sends_no_move_however_long_it_takes() {
    let mut client = Client::speaking("uci");
    for go in ["go ponder wtime 50 btime 50", "go ponder depth 1", "go ponder nodes 10"] {
        client.send("position startpos moves h2e2 h9g7");
        client.send(go);
        let end = Instant::now() + Duration::from_millis(300);
        let forbidden = ["bestmove *".to_owned()];
        while let Some(line) = client.line_within(end.saturating_duration_since(Instant::now())) {
            client.check(&line, &forbidden);
        }
        client.send("ponderhit");
        client.expect("bestmove *");
    }
}

#[test]
fn an_infinite_search_ends_by_no_other_limit() {
    let mut client = Client::speaking("uci");
    client.send("go infinite depth 4 nodes 10 movetime 10 wtime 1 btime 1");
    let end = Instant::now() + Duration::from_millis(300);
    while let Some(line) = client.line_within(end.saturating_duration_since(Instant::now())) {
        client.check(&line, &["bestmove *".to_owned()]);
    }
    client.send("stop");
    client.expect("bestmove *");
}

#[test]
fn both_directions_are_logged_when_asked_for() {
    let path = std::env::temp_dir().join(format!("cannonade-log-{}.txt", std::process::id()));
    let mut client = Client::speaking("uci");
    client.send(&format!("setoption name Debug Log File value {}", path.display()));
    client.send("isready");
    client.expect("readyok");
    client.send("quit");
    client.drain_to_end();
    let log = std::fs::read_to_string(&path).expect("the log");
    std::fs::remove_file(&path).expect("the log can go");
    assert_eq!(log.lines().collect::<Vec<_>>(), [">> isready", "<< readyok", ">> quit"]);
}

#[test]
fn more_threads_find_a_move_too() {
    let mut client = Client::speaking("uci");
    for threads in ["2", "4", "1"] {
        client.send(&format!("setoption name Threads value {threads}"));
        client.send("go movetime 50");
        client.expect("bestmove *");
    }
}
