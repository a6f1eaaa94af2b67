//! Whole matches through the binary: records, resuming, interruption, ratings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A folder of its own for each test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("cannonade-{test}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a writable folder");
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The flags of a fake engine.
fn fake(name: &str, kind: &str) -> Vec<String> {
    let program = std::env::current_exe().expect("this program");
    vec![
        "--engine".to_owned(),
        format!("cmd={}", program.display()),
        format!("name={name}"),
        format!("args=--ignored --exact --nocapture fake_engine::{kind}"),
    ]
}

/// A match of two fake engines, one of each kind.
fn match_of(kinds: [&str; 2], arguments: &[&str], pgn: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.arg("match").args(fake("new", kinds[0])).args(fake("old", kinds[1]));
    command.args(["--maxmoves", "5", "--pgn"]).arg(pgn).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until the file has at least so many games.
fn wait_for_games(pgn: &Path, games: usize) {
    let deadline = Instant::now() + Duration::from_secs(300);
    while games_in(pgn) < games {
        assert!(Instant::now() < deadline, "{} of {games} games", games_in(pgn));
        thread::sleep(Duration::from_millis(20));
    }
}

fn signal(name: &str, child: &std::process::Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([name, &id]).status().expect("kill runs").success());
}

fn command(arguments: &[&str], pgn: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.arg("match").args(fake("new", "good")).args(fake("old", "good"));
    command.args(["--each", "st=5", "--maxmoves", "5", "--pgn"]).arg(pgn).args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn games_in(pgn: &Path) -> usize {
    fs::read_to_string(pgn).unwrap_or_default().matches("[Game \"Chinese Chess\"]").count()
}

#[test]
fn a_match_reports_and_records_its_games() {
    let folder = Folder::new("records");
    let (pgn, json) = (folder.file("out.pgn"), folder.file("out.json"));
    let json_text = json.to_string_lossy();
    let arguments = ["--rounds", "3", "--repeat", "--concurrency", "2", "--json", &json_text];
    let output = run(&mut command(&arguments, &pgn));
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert_eq!(games_in(&pgn), 6);
    for part in ["Score of new vs old: 0 - 0 - 6", "Ptnml(0-2): [0, 0, 3, 0, 0]", "Finished match"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let records = fs::read_to_string(&pgn).expect("the games");
    assert!(records.contains("[Termination \"adjudication: move cap\"]"));
    let results = fs::read_to_string(&json).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["games"], 6);
    assert_eq!(results["pairings"][0]["score"]["draws"], 6);
    assert_eq!(results["pairings"][0]["pairs"][2], 3);
}

#[test]
fn the_engine_plays_itself_in_both_protocols() {
    let folder = Folder::new("itself");
    let pgn = folder.file("out.pgn");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &program, "name=uci", "ponder=on", "option.Hash=2"]);
    command.args(["--engine", &program, "name=ucci", "proto=ucci", "option.hashsize=2"]);
    command.args(["--each", "tc=20+0.1", "nodes=200", "--rounds", "2", "--repeat"]);
    command.args(["--maxmoves", "40", "--concurrency", "2", "--pgn"]).arg(&pgn);
    let output = run(&mut command);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "no warnings: {}", text(&output.stderr));
    assert_eq!(games_in(&pgn), 4);
    let endings = shown.lines().find(|line| line.starts_with("Endings: ")).expect("endings");
    for fault in ["crash", "illegal", "time", "silence", "no ", "flood"] {
        assert!(!endings.contains(fault), "{endings}");
    }
}

#[test]
fn a_match_is_resumed_where_it_stopped_even_within_a_game() {
    let folder = Folder::new("resume");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "3", "--repeat"];
    assert!(run(&mut command(&arguments, &pgn)).status.success());
    let whole = fs::read_to_string(&pgn).expect("the games");
    // As if the machine had stopped while the fifth game was written.
    let cut = whole.match_indices("[Game ").nth(4).expect("a fifth game").0 + 300;
    fs::write(&pgn, &whole[..cut]).expect("our file");
    let refused = run(&mut command(&arguments, &pgn));
    assert_eq!(refused.status.code(), Some(2), "games are never mixed or overwritten");
    assert!(text(&refused.stderr).contains("--resume"));

    let output = run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("Finished game 3.1") && !shown.contains("Finished game 2.2"), "{shown}");
    assert!(shown.contains("Games: 6,"), "{shown}");
    let again = fs::read_to_string(&pgn).expect("the games");
    let rounds = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.starts_with("[Round")).map(str::to_owned).collect()
    };
    assert_eq!(rounds(&again), rounds(&whole));

    let other = ["--rounds", "2", "--repeat", "--resume"];
    let refused = run(&mut command(&other, &pgn));
    assert_eq!(refused.status.code(), Some(2), "the file is of another match");
    assert_eq!(fs::read_to_string(&pgn).expect("the games"), again, "and is left alone");
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_keeps_its_finished_games() {
    let folder = Folder::new("interrupt");
    let pgn = folder.file("out.pgn");
    let child = command(&["--rounds", "100000"], &pgn).spawn().expect("the binary runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while games_in(&pgn) < 3 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
    let output = child.wait_with_output().expect("the binary ends");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("Stopped after"), "{shown}");
    let records = fs::read_to_string(&pgn).expect("the games");
    assert_eq!(records.matches("[Result").count(), records.matches("\n1/2-1/2\n").count());
    assert_eq!(games_in(&pgn), shown.matches("Finished game").count());
}

#[test]
fn a_match_whose_output_is_closed_keeps_all_its_games() {
    let folder = Folder::new("closed");
    let (pgn, json) = (folder.file("out.pgn"), folder.file("out.json"));
    let json_text = json.to_string_lossy();
    let arguments = ["--rounds", "10", "--report-every", "3", "--json", &json_text];
    let mut child = command(&arguments, &pgn).spawn().expect("the binary runs");
    drop(child.stdout.take());
    let status = child.wait().expect("the binary ends");
    assert!(status.success(), "a reader that has gone is not a failure");
    assert_eq!(games_in(&pgn), 10);
    let results = fs::read_to_string(&json).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["games"], 10);
}

#[cfg(unix)]
#[test]
fn a_match_that_was_suspended_loses_no_game_on_time() {
    let folder = Folder::new("suspended");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "1", "--each", "st=3"];
    let child = match_of(["slow", "slow"], &arguments, &pgn).spawn().expect("the binary runs");
    // Twice within the game, longer than a move may take.
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(1500));
        signal("-STOP", &child);
        thread::sleep(Duration::from_secs(4));
        signal("-CONT", &child);
    }
    let output = child.wait_with_output().expect("the binary ends");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(shown.contains("Endings: adjudication: move cap 1\n"), "{shown}");
}

#[cfg(unix)]
#[test]
fn a_killed_match_is_resumed_and_its_engines_end() {
    let folder = Folder::new("killed");
    let pgn = folder.file("out.pgn");
    let arguments = ["--rounds", "60", "--concurrency", "2"];
    let child = command(&arguments, &pgn).spawn().expect("the binary runs");
    wait_for_games(&pgn, 3);
    signal("-KILL", &child);
    let output = child.wait_with_output().expect("the binary ends");
    assert!(!output.status.success());
    let before = games_in(&pgn);
    assert!((3..60).contains(&before), "{before} games before the end of the process");
    let output = run(&mut command(&[&arguments[..], &["--resume"]].concat(), &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let records = fs::read_to_string(&pgn).expect("the games");
    let mut rounds: Vec<&str> = records.lines().filter(|line| line.starts_with("[Round")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert_eq!((rounds.len(), games_in(&pgn)), (60, 60), "each game once");
}

/// Resident memory in KiB, threads and open files of a process.
#[cfg(target_os = "linux")]
fn resources(id: u32) -> [u64; 3] {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("a running process");
    let value = |key: &str| -> u64 {
        let line = status.lines().find(|line| line.starts_with(key)).expect(key);
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect(key)
    };
    let files = fs::read_dir(format!("/proc/{id}/fd")).expect("a running process").count();
    [value("VmRSS:"), value("Threads:"), files as u64]
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_match_does_not_grow() {
    let folder = Folder::new("long");
    let pgn = folder.file("out.pgn");
    // A new process for each game, the case that could leave threads and pipes behind.
    let arguments = ["--rounds", "100000", "--each", "st=5", "restart=on"];
    let mut command = match_of(["good", "good"], &arguments, &pgn);
    // Nothing reads the output: with a pipe the match would wait as soon as it is full.
    let child = command.stdout(Stdio::null()).spawn().expect("the binary runs");
    wait_for_games(&pgn, 50);
    let before = resources(child.id());
    wait_for_games(&pgn, 250);
    let after = resources(child.id());
    signal("-INT", &child);
    assert!(child.wait_with_output().expect("the binary ends").status.success());
    let [memory, threads, files] = [0, 1, 2].map(|i| after[i].saturating_sub(before[i]));
    assert!(memory < 2048, "{before:?} {after:?}");
    // A reader and a writer of each of two engines, in the middle of a game or between two.
    assert!(threads <= 4 && files <= 8, "{before:?} {after:?}");
}

/// Reads a file of one game as a user of the Python library does: the moves in ICCS.
const READ_WITH_CCHESS: &str = "\
import sys, cchess
game = cchess.Game.read_from(sys.argv[1])
print(game.init_board.to_fen())
print(*game.dump_iccs_moves()[0])";

#[test]
fn the_python_library_cchess_reads_the_games() {
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import cchess"]).is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with the library cchess is not installed");
        return;
    }
    let folder = Folder::new("cchess");
    let (pgn, openings) = (folder.file("out.pgn"), folder.file("openings.epd"));
    let fens = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b",
    ];
    fs::write(&openings, fens.join("\n")).expect("a writable folder");
    let file = format!("file={}", openings.display());
    let arguments = ["--rounds", "2", "--openings", &file, "order=sequential"];
    let output = run(&mut command(&arguments, &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let records = fs::read_to_string(&pgn).expect("the games");
    for (game, fen) in records.split_inclusive("\n1/2-1/2\n").zip(fens) {
        let one = folder.file("one.pgn");
        fs::write(&one, game).expect("a writable folder");
        let output = python(&["-c", READ_WITH_CCHESS, &one.to_string_lossy()]).expect("python3");
        let shown = text(&output.stdout);
        let mut lines = shown.lines();
        assert_eq!(lines.next(), Some(fen), "{}", text(&output.stderr));
        let read: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let moves = game.split("]\n\n").nth(1).expect("moves").split_whitespace();
        let written: Vec<&str> =
            moves.filter(|word| word.starts_with(char::is_alphabetic)).collect();
        assert_eq!(read, written);
        assert_eq!(written.len(), 10);
    }
}

#[test]
fn errors_about_flags_name_the_remedy() {
    let folder = Folder::new("flags");
    let pgn = folder.file("out.pgn");
    for (arguments, part) in [
        (&["--sprt", "elo0=0"][..], "needs elo1="),
        (&["--sprt", "elo0=5", "elo1=0"], "must be less"),
        (&["--sprt", "elo=5"], "unknown key 'elo'"),
        (&["--resign", "score=abc"], "score=abc"),
        (&["--openings", "/no/such/file"], "/no/such/file"),
        (&["--repeat", "--games", "3"], "even number"),
        (&["--rules", "chinese"], "WXF"),
        (&["--json", "/no/such/folder/out.json"], "/no/such/folder/out.json"),
        (&["--engine", "name=x"], "cmd=PROGRAM"),
        (&["--engine", "cmd=/no/such/program"], "/no/such/program"),
    ] {
        let output = run(&mut command(arguments, &pgn));
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    assert_eq!(games_in(&pgn), 0);
}

#[test]
fn players_of_several_files_are_rated() {
    let folder = Folder::new("rating");
    let game = |red: &str, black: &str, result: &str| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. H2-E2 {result}\n\n")
    };
    let (one, two) = (folder.file("one.pgn"), folder.file("two.pgn"));
    let json = folder.file("ratings.json");
    fs::write(&one, [game("a", "b", "1-0"), game("b", "a", "1/2-1/2")].concat()).expect("a file");
    fs::write(&two, [game("c", "b", "0-1"), game("c", "a", "0-1")].concat()).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.arg("rating").args([&one, &two]).arg("--table").arg("--json").arg(&json);
    let output = run(&mut command);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let order: Vec<_> = shown.lines().skip(1).take(3).map(|line| &line[5..6]).collect();
    assert_eq!(order, ["a", "b", "c"], "{shown}");
    let json = fs::read_to_string(json).expect("the ratings");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["ratings"]["rows"][0]["name"], "a");
}

#[test]
fn results_of_the_parts_of_a_match_are_pooled() {
    let folder = Folder::new("pool");
    let write = |name: &str, first: &str, second: &str, score: [u32; 3], pairs: [u32; 5]| {
        let [wins, losses, draws] = score;
        let pairing = serde_json::json!({
            "first": first, "second": second, "pairs": pairs,
            "score": { "wins": wins, "losses": losses, "draws": draws },
        });
        let results = serde_json::json!({
            "planned": 40, "pairings": [pairing], "endings": { "checkmate": wins + losses },
        });
        let path = folder.file(name);
        fs::write(&path, results.to_string()).expect("a writable folder");
        path
    };
    let one = write("one.json", "new", "old", [22, 4, 14], [0, 1, 5, 10, 4]);
    let two = write("two.json", "old", "new", [5, 20, 15], [3, 9, 8, 0, 0]);
    let pool = |files: &[&PathBuf], more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
        run(command.arg("pool").args(files).args(more))
    };
    let output = pool(&[&one, &two], &["--sprt", "elo0=0", "elo1=50"]);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for part in [
        "Results of new vs old:",
        "Games: 80, Wins: 42, Losses: 9, Draws: 29",
        "Ptnml(0-2): [0, 1, 13, 19, 7]",
        "Endings: checkmate 51",
        "SPRT: H1 accepted, the test passed",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }

    let foreign = folder.file("foreign.json");
    fs::write(&foreign, "{}").expect("a writable folder");
    let output = pool(&[&one, &foreign], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("foreign.json does not hold results of a match"));
}
