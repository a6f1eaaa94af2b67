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
    assert_eq!(records.matches("[Result").count(), records.matches("} 1/2-1/2\n").count());
    assert_eq!(games_in(&pgn), shown.matches("Finished game").count());
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
