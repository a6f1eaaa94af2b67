//! Long runs: repeatability from a log, and growth of memory and threads.

use std::fs;

use super::client::Client;

/// Removes the parts of a line that depend on the clock.
fn timeless(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        kept.push(word);
        if matches!(word, "nps" | "time") {
            words.next();
        }
    }
    kept.join(" ")
}

/// The lines of one direction of a log.
fn lines<'a>(log: &'a str, direction: &str) -> Vec<&'a str> {
    log.lines().filter_map(|line| line.strip_prefix(direction)).collect()
}

#[test]
fn a_game_with_one_thread_is_repeated_from_its_log() {
    let path = |run| std::env::temp_dir().join(format!("cannonade-{}-{run}", std::process::id()));
    let play = |run: usize, commands: &[String]| {
        let mut client = Client::speaking("uci");
        client.send(&format!("setoption name Debug Log File value {}", path(run).display()));
        for command in commands {
            client.send(command);
            if command.starts_with("go") {
                client.expect("bestmove *");
            }
        }
        client.send("quit");
        client.drain_to_end();
        let log = fs::read_to_string(path(run)).expect("the log");
        fs::remove_file(path(run)).expect("the log can go");
        log
    };
    let mut commands = vec!["setoption name Hash value 2".to_owned()];
    let mut moves = String::new();
    for ply in ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7", "b0c2", "g6g5"] {
        commands.push(format!("position startpos moves{moves}"));
        commands.push("go nodes 30000".to_owned());
        moves = format!("{moves} {ply}");
    }
    let first = play(1, &commands);
    let again: Vec<String> = lines(&first, ">> ").iter().map(|&line| line.to_owned()).collect();
    let second = play(2, &again);
    let written = |log: &str| lines(log, "<< ").into_iter().map(timeless).collect::<Vec<_>>();
    assert!(written(&first).len() > 50, "{first}");
    assert_eq!(written(&first), written(&second));
}

#[cfg(target_os = "linux")]
#[test]
fn changes_of_hash_and_threads_and_new_games_leak_nothing() {
    let changes: usize =
        std::env::var("CANNONADE_CHANGES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut client = Client::speaking("uci");
    let mut settled = None;
    for change in 0..changes {
        client.send(&format!("setoption name Hash value {}", 1 + change % 7));
        client.send(&format!("setoption name Threads value {}", 1 + change % 3));
        client.send("ucinewgame");
        client.send("position startpos moves h2e2");
        client.send("go nodes 2000");
        client.expect("bestmove *");
        client.forget_received();
        if change % 21 == 20 {
            let (kibibytes, threads) = client.memory_and_threads();
            let (first, first_threads) = *settled.get_or_insert((kibibytes, threads));
            assert_eq!(threads, first_threads, "after {change} changes");
            assert!(kibibytes < first + 8192, "{first} kB have become {kibibytes} kB");
        }
    }
}
