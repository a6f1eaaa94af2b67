//! Commands at any time: each `go` has one answer, and the process ends when its client has left.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::client::{Client, DEADLINE, matches};
use crate::common::program::the_program;

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
    // Longer than any deadline.
    let endless = ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 99"];
    // Each ply of a count takes some of the stack.
    for go in endless.into_iter().chain(["go perft 9", "perft 4294967295"]) {
        let mut client = Client::speaking("uci");
        client.send("position startpos");
        client.send(go);
        client.send("isready");
        client.expect("readyok");
        client.send("quit");
        client.drain_to_end();
    }
}

#[test]
fn the_end_of_the_input_stops_work_that_would_never_end() {
    let endless = ["go infinite", "go ponder wtime 1000 btime 1000", "go", "go mate 3"];
    for go in endless.into_iter().chain(["go depth 1\ngo infinite"]) {
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
    let mut engine = the_program()
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
    expect_no_move(&mut client);
    client.send("go depth 2");
    client.expect("bestmove *");
    client.expect("bestmove *");
}

#[test]
fn after_stop_the_engine_is_ready_when_it_has_done_what_waits() {
    let mut client = Client::speaking("uci");
    client.send("go infinite");
    client.send("stop\nsetoption name EvalFile value /nonexistent\nisready");
    client.expect_without("bestmove *", &["readyok".to_owned()]);
    client.expect_without("info string *EvalFile*", &["readyok".to_owned()]);
    client.expect("readyok");
}

#[test]
fn isready_does_not_wait_for_a_search_that_waits() {
    for waiting in ["ucinewgame\ngo infinite", "go infinite\nucinewgame"] {
        let mut client = Client::speaking("uci");
        client.send(&format!("go infinite\nstop\n{waiting}\nisready"));
        client.expect("readyok");
        client.send("stop");
        client.expect("bestmove *");
    }
}

#[test]
fn the_end_of_a_search_that_waits_is_not_held_up_by_what_waits_besides() {
    // The search of a position that is refused says nothing before its end.
    for position in ["startpos moves h2e2", "nonsense"] {
        for between in ["isready", "uci", "setoption name MultiPV value 2", "position startpos"] {
            for (go, end) in [("go infinite", "stop"), ("go ponder depth 1", "ponderhit")] {
                let mut client = Client::speaking("uci");
                client.send(&format!("go infinite\nposition {position}\n{go}\n{between}\n{end}"));
                client.expect("bestmove *");
                client.expect("bestmove *");
            }
        }
    }
}

/// Expects that no move comes for a while.
fn expect_no_move(client: &mut Client) {
    let until = Instant::now() + Duration::from_millis(300);
    while let Some(line) = client.line_within(until.saturating_duration_since(Instant::now())) {
        client.check(&line, &["bestmove *".to_owned()]);
    }
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

/// Opening it would wait for its reader.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_log() {
    let path = std::env::temp_dir().join(format!("cannonade-pipe-{}", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo runs").success());
    let mut client = Client::speaking("uci");
    client.send(&format!("setoption name Debug Log File value {}", path.display()));
    client.expect("info string option Debug Log File: cannot write *pipe");
    std::fs::remove_file(&path).expect("the pipe can go");
}

#[test]
fn more_threads_than_keep_the_time_are_refused() {
    let cores = std::thread::available_parallelism().expect("a number of cores").get();
    let mut client = Client::speaking("uci");
    client.send("setoption name Threads value 512");
    if 4 * cores < 512 {
        client.expect(&format!("info string option Threads: *at most {} do", 4 * cores));
    }
    client.send("go movetime 50");
    client.expect("bestmove *");
}

/// The time of a `stop` after the move is that of `protocol::session` in the library: here a busy
/// machine decides it.
#[test]
fn a_stop_around_the_time_of_the_move_changes_no_answer_of_a_search() {
    let mut client = Client::speaking("ucci");
    for delay in 0..150 {
        client.send("go depth 1");
        std::thread::sleep(Duration::from_micros(30 * delay));
        client.send("stop");
    }
    for _ in 0..150 {
        client.expect("bestmove *");
    }
    client.send("quit");
    let rest = client.drain_to_end();
    assert!(rest.iter().all(|line| !line.starts_with("bestmove ")), "{rest:#?}");
}

#[test]
fn a_client_that_does_not_read_can_still_stop_a_search_and_quit() {
    // More than a pipe holds.
    let unread = "d\n".repeat(1000);
    for end in ["quit\n", ""] {
        let mut process = the_program()
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let mut input = process.stdin.take().expect("a pipe");
        let commands = format!("{unread}go infinite\n{end}");
        std::io::Write::write_all(&mut input, commands.as_bytes()).expect("the engine reads");
        drop(input);
        if end.is_empty() {
            let output = process.wait_with_output().expect("the engine ends");
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(text.matches("Fen: ").count(), 1000);
            assert!(text.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
        } else {
            let deadline = Instant::now() + DEADLINE;
            while process.try_wait().expect("our process").is_none() {
                assert!(Instant::now() < deadline, "the engine does not end");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}
