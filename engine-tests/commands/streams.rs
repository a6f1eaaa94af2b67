//! Standard streams that are not a terminal, closed or full.

use std::fs;

use super::{all_commands, folder, run};

/// Short work of every kind that prints.
fn short_work(folder: &std::path::Path) -> Vec<Vec<String>> {
    let path = |name: &str| folder.join(name).to_str().expect("a path in UTF-8").to_owned();
    let (games, pgn) = (path("games.txt"), path("game.pgn"));
    fs::write(&games, "1-0 h2e2 h9g7 h0g2\n0-1 h2e2 h9g7\n").expect("a temporary file");
    let engine = env!("CARGO_BIN_EXE_cannonade");
    let first = format!("cmd={engine} name=a nodes=20");
    let second = format!("cmd={engine} name=b nodes=20");
    let play = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = vec![
        play("analyze --depth 3"),
        play("bench 1"),
        play("board"),
        play("book show"),
        play("book verify"),
        play("completions bash"),
        play("perft --depth 2"),
        play("net show"),
        play("net verify"),
        play("--help"),
        play("help analyze"),
        play("--version"),
        play("tables probe 3k5/4a4/9/9/9/9/9/9/9/R3K4"),
    ];
    let build = ["book", "build", &games, "--min-games", "1", "-o", &path("my.cnb")];
    let selfplay = ["datagen", "--games", "2", "--nodes", "20", "--output", &path("a.games")];
    let stats = ["data", "stats", &path("a.games")];
    let tables = ["tables", "build", "KP-K", "--path", &path("tables")];
    let judge = ["judge", "--summary", &games];
    let convert = ["convert", &games];
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    lines.extend([&build[..], &selfplay, &stats, &tables, &judge, &convert].map(own));
    let mut contest = own(&["match", "--engine"]);
    contest.extend(play(&first));
    contest.push("--engine".to_owned());
    contest.extend(play(&second));
    contest.extend(own(&["--rounds", "1", "--maxmoves", "4", "--pgn", &pgn]));
    lines.push(contest);
    lines.push(own(&["rating", &pgn]));
    lines
}

#[test]
fn no_command_writes_colours_or_bars_off_a_terminal() {
    for words in short_work(&folder("plain")) {
        let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {errors}");
        for stream in [&output.stdout, &output.stderr] {
            let is_plain = !stream.iter().any(|byte| matches!(byte, 0x1B | b'\r'));
            assert!(is_plain, "{words:?}: {}", String::from_utf8_lossy(stream));
        }
    }
    for path in all_commands() {
        let help = super::help::of(&path);
        assert!(!help.contains('\u{1b}'), "{path:?}");
    }
}

#[cfg(target_os = "linux")]
mod broken {
    use std::fs::File;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::super::command;
    use super::super::exit_codes::WRONG_INPUT;
    use super::{folder, short_work};

    /// A stream that refuses every write: a pipe whose reader has gone, or a full disk.
    fn refusing(full: bool) -> Stdio {
        if full {
            return File::options().write(true).open("/dev/full").expect("a device").into();
        }
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        writer.into()
    }

    #[test]
    fn a_closed_or_full_standard_error_changes_no_exit_code() {
        for (arguments, _) in WRONG_INPUT {
            for full in [false, true] {
                let output = command(arguments).stderr(refusing(full)).output().expect("it runs");
                assert_eq!(output.status.code(), Some(2), "{arguments:?}, full: {full}");
            }
        }
        for words in short_work(&folder("closed")) {
            let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = command(&arguments).stderr(refusing(false)).output().expect("it runs");
            assert_eq!(output.status.code(), Some(0), "{words:?}");
        }
    }

    #[test]
    fn a_closed_standard_output_ends_every_command_quietly() {
        for words in short_work(&folder("unread")) {
            let arguments: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = command(&arguments).stdout(refusing(false)).output().expect("it runs");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{words:?}: {message}");
            assert_eq!(output.status.code(), Some(0), "{words:?}: {message}");
        }
    }

    /// A search without a reader ends, too.
    #[test]
    fn a_full_standard_output_is_an_error_and_ends_a_search() {
        let (start, search) = (Instant::now(), ["analyze", "--time", "100"]);
        for arguments in [
            &["bench", "1"][..],
            &["perft", "--depth", "2"],
            &["net", "show"],
            &["net", "verify"],
            &["--help"],
            &["help", "analyze"],
            &["--version"],
            &search,
        ] {
            let output = command(arguments).stdout(refusing(true)).output().expect("it runs");
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(!message.contains("panicked"), "{arguments:?}: {message}");
            assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        }
        let output = command(&search).stdout(refusing(false)).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(start.elapsed() < Duration::from_secs(90), "a search that nobody reads goes on");
    }
}
